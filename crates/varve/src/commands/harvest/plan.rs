//! From arguments and settings to a crawl that is ready to run, and from a job's own settings back to the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use archive::Archive;
use fetch::Clock;
use scope::Seeds;
use url::Url;

use super::job_file::JobFile;
use super::resolved::Resolved;
use super::{Args, filters, lists, seeds};
use crate::session::Session;
use crate::settings::kind::Number;
use crate::settings::{self, FilterLayer, HarvestLayer, Layer as _, Loaded, Problems};

/// The longest name of a job, but for the time.
const LABEL_BYTES_MAX: usize = 100;

/// A crawl that can be started.
#[derive(Clone)]
pub(crate) struct Plan {
    /// Where it goes to.
    pub(crate) archive: Archive,
    /// How it is done.
    pub(crate) settings: crawl::Settings,
    /// What its job is called, but for the time: the label, or the domain of the first start URL.
    pub(crate) label: String,
    /// Its settings, to be kept with it.
    pub(crate) job_toml: String,
    /// Its start URLs and prefixes, to be kept with it.
    pub(crate) seeds_text: String,
    /// The domains it begins on: no other crawl may be on them.
    pub(crate) domains: BTreeSet<String>,
    /// When it comes again.
    pub(crate) every: Option<Duration>,
    /// How many crawls may run side by side. If more than one, [`Plan::split`] makes the crawls.
    pub(crate) crawls_at_once: usize,
    /// Whether the label was said.
    has_label: bool,
}

/// The crawl that arguments and settings ask for.
pub(crate) fn plan(args: &Args, session: &Session) -> anyhow::Result<Plan> {
    let loaded = settings::load(session)?;
    let archive = settings::open(loaded.archive()?)?;
    let layer = loaded.harvest(&args.flags.layer)?;
    let lists = layer.values().seeds.items;
    let seeds = seeds::read(&args.urls, lists.iter().map(|list| list.0.as_path()))?;
    seeds::check(&seeds, &layer.values().schemes)?;
    make(archive, &loaded, &layer, seeds, session)
}

/// The same for a job that was begun before, from the settings and seeds it was begun with. What the command line says now holds
/// over them, and the way through a proxy is the machine's own.
pub(crate) fn plan_again(
    args: &Args,
    archive: Archive,
    job_toml: &str,
    seeds_text: &str,
    session: &Session,
) -> anyhow::Result<Plan> {
    let here = settings::load(session)?;
    let file = settings::File::parse(job_toml, Path::new("job.toml")).map_err(Problems::into_error)?;
    let mut layer = file.harvest.clone();
    layer.proxy.clone_from(&here.file.harvest.proxy);
    layer.no_proxy.clone_from(&here.file.harvest.no_proxy);
    layer.lay(&args.flags.layer);
    make(archive, &Loaded { file, ..here }, &layer, Seeds::parse(seeds_text)?, session)
}

impl Plan {
    /// A crawl for each domain, if several may run at once; else this one alone. What the seeds say by prefix holds for each.
    pub(crate) fn split(self) -> anyhow::Result<Vec<Plan>> {
        if self.crawls_at_once <= 1 || self.domains.len() <= 1 {
            return Ok(vec![self]);
        }
        let all = self.settings.scope.seeds.clone();
        let mut order: Vec<String> = Vec::new();
        let mut by_domain: BTreeMap<String, Vec<Url>> = BTreeMap::new();
        for url in all.starts() {
            let domain = seeds::domain(&url);
            let urls = by_domain.entry(domain.clone()).or_default();
            if urls.is_empty() {
                order.push(domain);
            }
            urls.push(url);
        }
        let part = |domain: String| -> anyhow::Result<Plan> {
            let urls = by_domain.get(&domain).map(Vec::as_slice).unwrap_or_default();
            let seeds_text = seeds::text(urls, all.prefixes());
            let mut part = self.clone();
            part.settings.scope.seeds = Seeds::parse(&seeds_text)?;
            part.label = if self.has_label { format!("{}-{}", self.label, name(&domain)) } else { name(&domain) };
            part.domains = BTreeSet::from([domain]);
            part.seeds_text = seeds_text;
            Ok(part)
        };
        order.into_iter().map(part).collect()
    }
}

/// Reads what the settings name, and puts it all together.
fn make(
    archive: Archive,
    loaded: &Loaded,
    layer: &HarvestLayer,
    seeds: Seeds,
    session: &Session,
) -> anyhow::Result<Plan> {
    // The one place where a crawl meets the clock.
    #[allow(clippy::disallowed_methods)]
    let clock = Clock::new(jiff::Timestamp::now);
    let resolved = resolve(loaded, layer, seeds)?;
    let harvest = &resolved.harvest;
    let filters =
        filters::load(&harvest.filters, &loaded.file.filters, Some(&archive.folder().join("filters")))?;
    for module in &filters.changed {
        let message = format!("the filter module `{module}` is not the one that the job was begun with");
        session.talk.warning(&message);
    }
    let settings = resolved.crawl(filters.chain, clock)?;
    let said = |name: &String| loaded.file.filters.get(name).cloned();
    let job_file = JobFile {
        layer,
        years: settings.scope.years,
        traps: &resolved.traps,
        filters: harvest
            .filters
            .iter()
            .map(|name| (name.clone(), said(name).unwrap_or_else(|| FilterLayer::new(name))))
            .collect(),
        modules: &filters.modules,
        sheets: &resolved.sheets,
    };
    let starts = resolved.seeds.starts();
    let label = harvest.label.clone().or_else(|| starts.first().map(seeds::domain));
    let Number(crawls_at_once) = harvest.max_crawls;
    Ok(Plan {
        archive,
        settings,
        label: name(&label.unwrap_or_default()),
        job_toml: job_file.text(),
        seeds_text: seeds::text(resolved.seeds.urls(), resolved.seeds.prefixes()),
        domains: starts.iter().map(seeds::domain).collect(),
        every: harvest.every,
        crawls_at_once: usize::try_from(crawls_at_once).unwrap_or(usize::MAX),
        has_label: harvest.label.is_some(),
    })
}

/// The settings with everything read that they name, but for the filters.
pub(crate) fn resolve(loaded: &Loaded, layer: &HarvestLayer, seeds: Seeds) -> anyhow::Result<Resolved> {
    let harvest = layer.values();
    let shown = layer.shown();
    let is_flag = |key: &str| {
        let mut said = shown.iter().filter(|shown| shown.key == key).flat_map(|shown| &shown.origins);
        said.any(settings::Origin::is_flag)
    };
    let traps = lists::traps(&harvest)?;
    let sheets = lists::sheets(&loaded.file, &harvest, is_flag)?;
    Ok(Resolved { harvest, seeds, traps, sheets })
}

/// A text as the name of a job has it: lower-case letters, digits, dots and dashes.
fn name(text: &str) -> String {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c @ ('a'..='z' | '0'..='9' | '.') => c,
        _ => '-',
    };
    let name: String = text.chars().map(plain).take(LABEL_BYTES_MAX).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "job".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_jobs_are_plain() {
        let names = ["Example.org", "My crawl / 2", "[::1]", "", "../..", "ÄÖ"].map(name);
        assert_eq!(names, ["example.org", "my-crawl---2", "1", "job", "job", "job"]);
        assert_eq!(name(&"a".repeat(1000)).len(), LABEL_BYTES_MAX);
    }
}
