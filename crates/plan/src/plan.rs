//! A crawl that can be started, and its split into one crawl for each domain.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use archive::Archive;
use crawl::Job;
use jiff::Timestamp;
use scope::Seeds;
use url::Url;

use super::error::Result;
use super::seeds;

/// The longest name of a job, but for the time.
const LABEL_BYTES_MAX: usize = 100;

/// A crawl that can be started.
#[derive(Clone)]
pub struct Plan {
    /// Where it goes to.
    pub archive: Archive,
    /// How it is done.
    pub settings: crawl::Settings,
    /// What its job is called, but for the time: the label, or the domain of the first start URL.
    pub label: String,
    /// Its settings, to be kept with it.
    pub job_toml: String,
    /// Its start URLs and prefixes, to be kept with it.
    pub seeds_text: String,
    /// The domains it begins on: no other crawl may be on them.
    pub domains: BTreeSet<String>,
    /// When it comes again.
    pub every: Option<Duration>,
    /// How many crawls may run side by side. If more than one, [`Plan::split`] makes the crawls.
    pub crawls_at_once: usize,
    /// Whether the label was said.
    pub(crate) has_label: bool,
}

impl Plan {
    /// Makes the job of the plan (A6: its name is the commit tag, domain and time).
    ///
    /// # Errors
    /// When its folder cannot be made.
    pub fn begin(&self, started: Timestamp) -> std::result::Result<Job, crawl::Error> {
        let name = format!("{}-{}", self.label, urlkey::time::to_14(started));
        Job::create(&self.archive, &name, started, &self.job_toml, &self.seeds_text)
    }

    /// A crawl for each domain, if several may run at once; else this one alone. What the seeds say by prefix holds for each.
    ///
    /// # Errors
    /// When a part of the seeds cannot be read again.
    pub fn split(self) -> Result<Vec<Plan>> {
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
        let part = |domain: String| -> Result<Plan> {
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

/// A text as the name of a job has it: lower-case letters, digits, dots and dashes.
pub(crate) fn name(text: &str) -> String {
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
