//! What one crawl fetched and used.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::time::Duration;

use super::super::usage::Usage;
use crate::nginx::Logged;
use crate::step::seconds;

/// So many URLs are named in a complaint.
const NAMED_MAX: usize = 5;

/// One crawl.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub(super) name: &'static str,
    pub(super) time: Duration,
    pub(super) processor: Duration,
    peak_bytes: u64,
    /// Of WARC files; mirrors have none.
    pub(super) kept_bytes: u64,
    /// HTML that was there.
    pub(super) pages: u64,
    requests: u64,
    bytes: u64,
    /// How often each path was asked for, robots.txt aside.
    asked: BTreeMap<String, u64>,
}

impl Tally {
    pub(super) fn new(name: &'static str, usage: Usage, log: &[Logged]) -> Tally {
        let mut asked = BTreeMap::new();
        for logged in log.iter().filter(|logged| logged.target != "/robots.txt") {
            *asked.entry(logged.target.clone()).or_default() += 1;
        }
        // A page that was fetched twice is one page.
        let pages = log.iter().filter(|logged| logged.status == 200 && logged.is_html);
        let pages: BTreeSet<&str> = pages.map(|logged| logged.target.as_str()).collect();
        Tally {
            name,
            time: usage.time,
            processor: usage.processor,
            peak_bytes: usage.peak_bytes,
            kept_bytes: 0,
            pages: pages.len() as u64,
            requests: log.len() as u64,
            bytes: log.iter().map(|logged| logged.bytes).sum(),
            asked,
        }
    }

    /// A time of the whole crawl as that of ten thousand pages.
    pub(super) fn for_ten_thousand(&self, time: Duration) -> Duration {
        time.mul_f64(10_000.0 / self.pages.max(1) as f64)
    }

    fn pages_per_second(&self) -> f64 {
        self.pages as f64 / self.time.as_secs_f64().max(f64::EPSILON)
    }

    /// What is missing in comparison with a peer, and what was asked for more than once.
    pub(super) fn complaints_beside(&self, peer: &Tally) -> Vec<String> {
        let missing: Vec<&str> =
            peer.asked.keys().filter(|path| !self.asked.contains_key(*path)).map(String::as_str).collect();
        let again: Vec<&str> =
            self.asked.iter().filter(|(_, times)| **times > 1).map(|(path, _)| path.as_str()).collect();
        let complain = |what: &str, paths: &[&str]| {
            let named = paths.iter().take(NAMED_MAX).copied().collect::<Vec<_>>().join(" ");
            (!paths.is_empty()).then(|| format!("{} {what}: {named}", paths.len()))
        };
        let missing = complain(&format!("URLs that {} fetched are missing", peer.name), &missing);
        missing.into_iter().chain(complain("URLs were asked for more than once", &again)).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}, {} pages, {} requests, {} MB, {:.0} pages/s, {} of processor time, peak {} MB",
            self.name,
            seconds(self.time),
            self.pages,
            self.requests,
            self.bytes / 1_000_000,
            self.pages_per_second(),
            seconds(self.processor),
            self.peak_bytes / 1_000_000,
        )
    }
}

/// What each did, as a table.
pub(super) fn table(tallies: &[Tally]) -> String {
    let mut text = String::from(
        "\n| crawler | pages | requests | bytes | time | pages/s | processor time per 1,000 pages | peak memory | WARC files |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for tally in tallies {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} MB | {} | {:.0} | {:.2} s | {} MB | {} |",
            tally.name,
            tally.pages,
            tally.requests,
            tally.bytes / 1_000_000,
            seconds(tally.time),
            tally.pages_per_second(),
            tally.for_ten_thousand(tally.processor).as_secs_f64() / 10.0,
            tally.peak_bytes / 1_000_000,
            if tally.kept_bytes == 0 {
                "none".to_owned()
            } else {
                format!("{} MB", tally.kept_bytes / 1_000_000)
            },
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(name: &'static str, targets: &[&str]) -> Tally {
        let log = targets.iter().map(|target| Logged {
            target: (*target).to_owned(),
            status: 200,
            bytes: 10,
            is_html: true,
        });
        let usage = Usage { time: Duration::from_secs(2), ..Usage::default() };
        Tally::new(name, usage, &log.collect::<Vec<_>>())
    }

    #[test]
    fn what_is_missing_or_there_twice_is_told() {
        let ours = tally("varve", &["/", "/a", "/a", "/robots.txt", "/robots.txt", "/c"]);
        let theirs = tally("wget", &["/", "/b", "/a"]);
        assert_eq!(
            ours.complaints_beside(&theirs),
            ["1 URLs that wget fetched are missing: /b", "1 URLs were asked for more than once: /a"]
        );
        assert!(theirs.complaints_beside(&theirs).is_empty());
    }

    #[test]
    fn time_is_told_for_as_many_pages() {
        let tally = tally("varve", &["/", "/a"]);
        assert_eq!(tally.for_ten_thousand(tally.time), Duration::from_secs(10_000));
        assert!(
            tally.to_string().starts_with("varve 2.0 s, 2 pages, 2 requests, 0 MB, 1 pages/s"),
            "{tally}"
        );
    }
}
