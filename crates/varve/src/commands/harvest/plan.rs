//! From arguments and settings to a crawl that is ready to run, and from a job's own settings back to the same.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use archive::Archive;
use fetch::Clock;
use job::limits::LimitChange;
use scope::Seeds;
use url::Url;

use super::job_file::JobFile;
use super::resolved::Resolved;
use super::{Args, filters, lists, seeds};
use crate::flags::Flags;
use crate::opening;
use crate::session::Session;
use crate::usage;
use settings::kind::{Number, Size};
use settings::{FilterLayer, HarvestLayer, Layer as _, Loaded, Problems};

/// The longest name of a job, but for the time.
const LABEL_BYTES_MAX: usize = 100;

/// The shortest time between the beginnings of two turns.
const EVERY_MIN: Duration = Duration::from_secs(1);

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
    let loaded = session.load_settings()?;
    let archive = opening::open(loaded.archive()?)?;
    let layer = loaded.harvest(&args.flags.layer)?;
    let lists = layer.values().seeds.items;
    let mut seeds = seeds::read(&args.urls, lists.iter().map(|list| list.0.as_path()))?;
    seeds::check(&seeds, &layer.values().schemes, &args.urls)?;
    let logins = seeds.take_logins();
    let plan = make(archive, &loaded, &layer, seeds, session)?;
    // Last, so that a harvest that is refused stores nothing.
    session.keychain(plan.archive.folder()).keep(&logins)?;
    Ok(plan)
}

/// The same for a job that was begun before, from the settings and seeds it was begun with. What the command line says now holds
/// over them; the way through a proxy and the room on disks are the machine's own.
pub(crate) fn plan_again(
    args: &Args,
    archive: Archive,
    job_toml: &str,
    seeds_text: &str,
    session: &Session,
) -> anyhow::Result<Plan> {
    let here = session.load_settings()?;
    let mut file = settings::File::parse(job_toml, Path::new("job.toml")).map_err(Problems::into_error)?;
    file.disk.clone_from(&here.file.disk);
    let mut layer = file.harvest.clone();
    layer.proxy.clone_from(&here.file.harvest.proxy);
    layer.no_proxy.clone_from(&here.file.harvest.no_proxy);
    layer.allow_private_proxy.clone_from(&here.file.harvest.allow_private_proxy);
    layer.lay(&args.flags.layer);
    let mut plan = make(archive, &Loaded { file, ..here }, &layer, Seeds::parse(seeds_text)?, session)?;
    plan.settings.limit_changes = limit_changes(&args.flags.layer);
    Ok(plan)
}

/// The limits that the command line gives to a job that is resumed: they hold over those that `varve jobs limits` has set.
fn limit_changes(flags: &HarvestLayer) -> Vec<LimitChange> {
    let said = flags.values();
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs());
    vec![
        LimitChange {
            domain: None,
            objects: said.max_objects.map(|Number(objects)| objects),
            bytes: said.max_bytes.map(|Size(bytes)| bytes),
            seconds: seconds(said.max_time),
        },
        LimitChange {
            domain: Some("*".to_owned()),
            objects: said.domain_max_objects.map(|Number(objects)| objects),
            bytes: said.domain_max_bytes.map(|Size(bytes)| bytes),
            seconds: seconds(said.domain_max_time),
        },
    ]
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
            part.label =
                if self.has_label { format!("{}-{}", self.label, name(&domain)) } else { name(&domain) };
            part.domains = BTreeSet::from([domain]);
            part.seeds_text = seeds_text;
            Ok(part)
        };
        order.into_iter().map(part).collect()
    }
}

/// What would belong to a crawl of these start URLs.
pub(crate) fn scope_plan(loaded: &Loaded, flags: &Flags, urls: &[String]) -> anyhow::Result<scope::Plan> {
    let layer = loaded.harvest(&flags.layer)?;
    let lists = layer.values().seeds.items;
    let seeds = seeds::read(urls, lists.iter().map(|list| list.0.as_path()))?;
    resolve(loaded, &layer, seeds)?.scope(clock().now())
}

/// How servers are asked where nothing is harvested: as a harvest by these settings would ask them.
pub(crate) fn asking(loaded: &Loaded) -> anyhow::Result<crawl::Settings> {
    let layer = loaded.harvest(&HarvestLayer::default())?;
    resolve(loaded, &layer, Seeds::default())?.crawl(filter::Chain::default(), clock())
}

/// Tries everything that settings name without beginning anything: with each profile of their own, and without.
pub(crate) fn check(loaded: &Loaded) -> Vec<anyhow::Error> {
    let filters_folder = loaded.folder.as_ref().map(|folder| folder.join("filters"));
    let own = loaded.file.profiles.keys().map(|name| Some(name.as_str()));
    let look = |profile: Option<&str>| -> anyhow::Result<()> {
        let layer = loaded.harvest(&settings::profile_layer(profile))?;
        let harvest = layer.values();
        let lists = harvest.seeds.items.iter().map(|list| list.0.as_path());
        let seeds = seeds::read(&[], lists.filter(|path| path.as_os_str() != "-"))?;
        let plan = resolve(loaded, &layer, seeds)?.scope(clock().now())?;
        scope::Scope::new(&plan)?;
        filters::load(&harvest.filters, &loaded.file.filters, filters_folder.as_deref())?;
        Ok(())
    };
    let mut errors: Vec<anyhow::Error> = Vec::new();
    for profile in std::iter::once(None).chain(own) {
        if let Err(error) = look(profile)
            && errors.iter().all(|known| known.to_string() != error.to_string())
        {
            errors.push(error);
        }
    }
    errors
}

/// The one place where a crawl meets the clock.
fn clock() -> Clock {
    Clock::new(crate::clock::now)
}

/// Reads what the settings name, and puts it all together.
fn make(
    archive: Archive,
    loaded: &Loaded,
    layer: &HarvestLayer,
    seeds: Seeds,
    session: &Session,
) -> anyhow::Result<Plan> {
    let resolved = resolve(loaded, layer, seeds)?;
    let harvest = &resolved.harvest;
    let filters =
        filters::load(&harvest.filters, &loaded.file.filters, Some(&archive.folder().join("filters")))?;
    for module in &filters.changed {
        let message = format!("the filter module `{module}` is not the one that the job was begun with");
        session.talk.warning(&message);
    }
    let room = loaded.file.disk.values().room();
    let mut settings = crawl::Settings { room, ..resolved.crawl(filters.chain, clock())? };
    settings.fetch.credentials = session.keychain(archive.folder()).credentials();
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
    if harvest.every.is_some_and(|every| every < EVERY_MIN) {
        let error = anyhow!("`every` is shorter than a second, and so the harvest would never end");
        return Err(usage::wrong(error));
    }
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
fn resolve(loaded: &Loaded, layer: &HarvestLayer, seeds: Seeds) -> anyhow::Result<Resolved> {
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
    use std::path::PathBuf;

    use clap::Parser as _;

    use super::*;
    use crate::args::Globals;

    /// The arguments of `varve harvest` alone.
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn args(words: &[&str]) -> Args {
        Line::try_parse_from(["harvest"].iter().chain(words)).ok().unwrap().args
    }

    /// A session in a new archive with these settings.
    fn session(folder: &Path, settings: &str) -> Session {
        Archive::create(folder).unwrap();
        std::fs::write(folder.join(settings::NAME), settings).unwrap();
        Session::new(Globals { archive: Some(PathBuf::from(folder)), quiet: true, ..Globals::default() })
    }

    /// What a job file sets, without who said so.
    fn sets(job_toml: &str) -> Vec<String> {
        let lines = job_toml.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split("  #").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn a_job_comes_back_from_its_own_settings() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("traps.txt"), "# traps\n.*/calendar/.*\n").unwrap();
        let session = session(
            folder.path(),
            "[harvest]\ntraps = ['traps.txt']\nfilters = ['mime']\nproxy = 'http://me:secret@proxy:1'\n\
             [profiles.slow]\nprofile = 'selective'\ndelay = '3s'\n\
             [filters.mime]\nexclude = ['video/*']\n\
             [[sheets]]\nname = 'forum'\nprefixes = ['http://(org,example,)/forum/']\nskip = true\n",
        );
        let line = [
            "example.org",
            "--profile",
            "slow",
            "--width",
            "7",
            "--exclude-url",
            ".*[?]print",
            "--label",
            "My crawl",
        ];
        let first = plan(&args(&line), &session).unwrap();
        assert_eq!(first.label, "my-crawl");
        assert_eq!(first.seeds_text, "http://example.org/\n");
        assert!(!first.job_toml.contains("secret"), "{}", first.job_toml);
        // What the files held is in it, so they may change.
        std::fs::remove_file(folder.path().join("traps.txt")).unwrap();
        std::fs::write(folder.path().join(settings::NAME), "[harvest]\ndepth = 1\n").unwrap();
        let again =
            plan_again(&args(&[]), first.archive.clone(), &first.job_toml, &first.seeds_text, &session);
        let again = again.unwrap();
        assert_eq!(sets(&again.job_toml), sets(&first.job_toml));
        assert_eq!((again.seeds_text, again.label), (first.seeds_text, first.label));
        assert_eq!((again.settings.width, again.settings.scope.depth), (Some(7), None));
        assert_eq!(again.settings.budgets.domain.objects, Some(25_000));
        assert_eq!(again.settings.gate.delay_min, Duration::from_secs(3));
        assert_eq!(again.settings.scope.years, first.settings.scope.years);
        assert_eq!(again.settings.filters.names().collect::<Vec<_>>(), ["mime"]);
    }

    #[test]
    fn what_the_command_line_says_holds_over_a_job() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path(), "");
        let first = plan(&args(&["example.org", "--max-objects", "10"]), &session).unwrap();
        let raised = args(&["--max-objects", "20"]);
        let again = plan_again(&raised, first.archive, &first.job_toml, &first.seeds_text, &session).unwrap();
        assert_eq!(again.settings.budgets.job.objects, Some(20));
    }

    #[test]
    fn a4_each_domain_is_a_crawl_of_its_own_where_several_run() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path(), "");
        let urls = ["www.example.org", "example.com", "http://docs.example.org/a"];
        let whole = plan(&args(&urls), &session).unwrap();
        assert_eq!(whole.split().unwrap().len(), 1);
        std::fs::write(folder.path().join("no.txt"), "-http://(org,example,)/private/\n").unwrap();
        let no = folder.path().join("no.txt").display().to_string();
        let line = [&urls[..], &["--max-crawls", "3", "--seeds", &no]].concat();
        let parts = plan(&args(&line), &session).unwrap().split().unwrap();
        let told: Vec<(&str, &str)> =
            parts.iter().map(|part| (part.label.as_str(), part.seeds_text.as_str())).collect();
        let org = "http://www.example.org/\nhttp://docs.example.org/a\n-http://(org,example,)/private/\n";
        let com = "http://example.com/\n-http://(org,example,)/private/\n";
        assert_eq!(told, [("example.org", org), ("example.com", com)]);
    }

    #[test]
    fn names_of_jobs_are_plain() {
        let names = ["Example.org", "My crawl / 2", "[::1]", "", "../..", "ÄÖ"].map(name);
        assert_eq!(names, ["example.org", "my-crawl---2", "1", "job", "job", "job"]);
        assert_eq!(name(&"a".repeat(1000)).len(), LABEL_BYTES_MAX);
    }

    /// The table's usual values are those of the engine.
    #[test]
    fn what_is_usual_is_usual_everywhere() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path(), "");
        let planned = plan(&args(&["example.org"]), &session).unwrap().settings;
        let usual = crawl::Settings::new(
            scope::Plan::default(),
            fetch::Settings::new(clock()),
            std::sync::Arc::new(String::new),
        );
        assert_eq!(planned.gate, usual.gate);
        assert_eq!(planned.fetch.timeouts, usual.fetch.timeouts);
        assert_eq!(planned.fetch.limits, usual.fetch.limits);
        assert_eq!(planned.fetch.accept_language, usual.fetch.accept_language);
        assert_eq!(planned.fetch.user_agent, usual.fetch.user_agent);
        assert_eq!((planned.robots, &planned.robots_names), (usual.robots, &usual.robots_names));
        assert_eq!((planned.concurrency, planned.retries), (usual.concurrency, usual.retries));
        assert_eq!((planned.retry_delay, planned.quiet_max), (usual.retry_delay, usual.quiet_max));
        assert_eq!((planned.budgets, planned.on_budget), (usual.budgets, usual.on_budget));
        assert_eq!((planned.width, planned.conditional), (usual.width, usual.conditional));
        assert_eq!((planned.dedup, planned.dedup_types), (usual.dedup, usual.dedup_types));
        assert_eq!((planned.recheck, planned.outlinks), (usual.recheck, usual.outlinks));
        assert_eq!((planned.sitemaps, planned.gzip_level), (usual.sitemaps, usual.gzip_level));
        assert_eq!(planned.document_bytes_max, usual.document_bytes_max);
        assert_eq!(planned.file_bytes_max, usual.file_bytes_max);
        let (scope, usual) = (planned.scope, usual.scope);
        assert_eq!((scope.preset, scope.depth), (usual.preset, usual.depth));
        assert_eq!(scope.transclusion_hops, usual.transclusion_hops);
        assert_eq!((scope.speculative_hops, scope.path_depth), (usual.speculative_hops, usual.path_depth));
        assert_eq!((scope.repeats, scope.query_fields), (usual.repeats, usual.query_fields));
        assert_eq!((scope.redirects, scope.url_bytes_max), (usual.redirects, usual.url_bytes_max));
        assert_eq!(scope.schemes, usual.schemes);
    }
}
