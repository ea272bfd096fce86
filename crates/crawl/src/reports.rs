//! The reports of a job, in the form that Heritrix gives them, and the domains with why each of them ended (B12, D10).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;
use job::limits::LimitChange;
use job::tally::{Count, Counts, Tally};

use crate::budget::{Budget, Spent};
use crate::spending::Spending;

/// Why the crawl of a domain ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// There was nothing more.
    Completed,
    /// The bound of objects was met.
    ObjectLimit,
    /// The bound of bytes was met.
    SizeLimit,
    /// The bound of time was met.
    TimeLimit,
    /// It was stopped, or the whole job met a bound.
    Unfinished,
}

impl StopReason {
    /// The word in the reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            StopReason::Completed => "completed",
            StopReason::ObjectLimit => "object-limit",
            StopReason::SizeLimit => "size-limit",
            StopReason::TimeLimit => "time-limit",
            StopReason::Unfinished => "unfinished",
        }
    }
}

impl From<Spent> for StopReason {
    fn from(spent: Spent) -> StopReason {
        match spent {
            Spent::Objects => StopReason::ObjectLimit,
            Spent::Bytes => StopReason::SizeLimit,
            Spent::Time => StopReason::TimeLimit,
        }
    }
}

/// What became of a seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedFate {
    /// The seed.
    pub url: String,
    /// What was answered; 0 if it was not asked.
    pub status: i32,
    /// Where it sent us.
    pub redirect: Option<String>,
}

/// What the reports are made from.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The job's name.
    pub job: &'a str,
    /// In a word or two.
    pub ended: &'a str,
    /// When it began.
    pub started: Timestamp,
    /// When the reports are made.
    pub now: Timestamp,
    /// How long it fetched.
    pub duration: Duration,
    /// The counts.
    pub tally: &'a Tally,
    /// What is queued still, by host.
    pub queued: &'a BTreeMap<String, u64>,
    /// Why each domain ended.
    pub stops: &'a BTreeMap<String, StopReason>,
    /// What became of the seeds.
    pub seeds: &'a [SeedFate],
    /// URLs that were refused by which rule of the scope.
    pub refused: &'a BTreeMap<String, u64>,
    /// What looked like a trap, and other remarks.
    pub remarks: &'a [String],
}

/// All reports: names and texts.
#[must_use]
pub fn reports(facts: &Facts<'_>) -> Vec<(&'static str, String)> {
    vec![
        ("crawl-report.txt", crawl(facts)),
        ("domains-report.txt", domains(facts)),
        ("hosts-report.txt", hosts(facts)),
        ("mimetype-report.txt", types(facts)),
        ("responsecode-report.txt", statuses(facts)),
        ("scope-report.txt", refused(facts)),
        ("seeds-report.txt", seeds(facts)),
        ("remarks-report.txt", facts.remarks.iter().map(|remark| format!("{remark}\n")).collect()),
    ]
}

/// The limits of a job at its end, and how they came to be other ones than at its beginning.
pub(crate) fn limits(spending: &Spending, changes: &[(Timestamp, LimitChange)]) -> String {
    let mut text = String::from("[limits of] [documents] [bytes] [seconds]\n");
    let limit = |limit: Option<u64>| limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string());
    let mut row = |name: &str, Budget { objects, bytes, time }: Budget| {
        let seconds = time.map(|time| time.as_secs());
        let _ = writeln!(text, "{name} {} {} {}", limit(objects), limit(bytes), limit(seconds));
    };
    row("job", spending.budgets.job);
    row("each-domain", spending.budgets.domain);
    row("each-host", spending.budgets.host);
    for (name, budget) in spending.own() {
        row(name, budget);
    }
    text.push_str("\n[changed] [limits of] [documents] [bytes] [seconds]\n");
    for (at, LimitChange { domain, objects, bytes, seconds }) in changes {
        let name = match domain.as_deref() {
            None => "job",
            Some("*") => "each-domain",
            Some(name) => name,
        };
        let _ = writeln!(text, "{at} {name} {} {} {}", limit(*objects), limit(*bytes), limit(*seconds));
    }
    text
}

fn crawl(facts: &Facts<'_>) -> String {
    let Counts { got, novel, duplicate, not_modified, gone, filtered, failed, robots, over_budget } =
        facts.tally.total;
    let queued: u64 = facts.queued.values().sum();
    let seconds = facts.duration.as_secs_f64().max(0.001);
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "{name}: {value}");
    };
    row("Crawl Name", facts.job.to_owned());
    row("Crawl Status", facts.ended.to_owned());
    row("Started", facts.started.to_string());
    row("Reported", facts.now.to_string());
    row("Duration Time", format!("{seconds:.3} s"));
    row("Total Seeds", facts.seeds.len().to_string());
    let is_crawled = |seed: &&SeedFate| seed.status > 0;
    row("Seeds Crawled", facts.seeds.iter().filter(is_crawled).count().to_string());
    row("Total Hosts Visited", facts.tally.hosts.len().to_string());
    row("Total URIs Processed", (got.urls + failed + robots + over_budget).to_string());
    row("URIs Successfully Processed", got.urls.to_string());
    row("URIs Failed to Process", failed.to_string());
    row("URIs Disregarded", (robots + over_budget).to_string());
    row("URIs Queued", queued.to_string());
    row("Novel URIs", novel.urls.to_string());
    row("Duplicate-by-hash URIs", duplicate.urls.to_string());
    row("Not-modified URIs", not_modified.urls.to_string());
    row("Filtered URIs", filtered.urls.to_string());
    row("Gone URIs", gone.to_string());
    row("Total Crawled Bytes", got.bytes.to_string());
    row("Novel Crawled Bytes", novel.bytes.to_string());
    row("Duplicate-by-hash Crawled Bytes", duplicate.bytes.to_string());
    row("Processed Docs/sec", format!("{:.2}", got.urls as f64 / seconds));
    row("Bandwidth in Kbytes/sec", format!("{:.0}", got.bytes as f64 / seconds / 1024.0));
    text
}

fn domains(facts: &Facts<'_>) -> String {
    let mut text = String::from("[#urls] [#bytes] [domain] [stop-reason] [#failed] [#gone]\n");
    for (domain, counts) in facts.tally.domains() {
        let stop = facts.stops.get(&domain).copied().unwrap_or(StopReason::Completed);
        let Count { urls, bytes } = counts.got;
        let (failed, gone) = (counts.failed, counts.gone);
        let _ = writeln!(text, "{urls} {bytes} {domain} {} {failed} {gone}", stop.word());
    }
    text
}

fn hosts(facts: &Facts<'_>) -> String {
    let mut text = String::from(
        "[#urls] [#bytes] [host] [#robots] [#remaining] [#novel-urls] [#novel-bytes] [#dup-by-hash-urls] \
         [#dup-by-hash-bytes] [#not-modified-urls] [#not-modified-bytes]\n",
    );
    let mut hosts: Vec<_> = facts.tally.hosts.iter().collect();
    hosts.sort_by(|a, b| (b.1.got.urls, a.0).cmp(&(a.1.got.urls, b.0)));
    for (host, counts) in hosts {
        let Counts { got, novel, duplicate, not_modified, robots, .. } = counts;
        let left = facts.queued.get(host).copied().unwrap_or_default();
        let _ =
            write!(text, "{} {} {host} {robots} {left} {} {}", got.urls, got.bytes, novel.urls, novel.bytes);
        let _ = write!(text, " {} {}", duplicate.urls, duplicate.bytes);
        let _ = writeln!(text, " {} {}", not_modified.urls, not_modified.bytes);
    }
    text
}

fn types(facts: &Facts<'_>) -> String {
    let mut text = String::from("[#urls] [#bytes] [mime-types]\n");
    let mut types: Vec<_> = facts.tally.types.iter().collect();
    types.sort_by(|a, b| (b.1.urls, a.0).cmp(&(a.1.urls, b.0)));
    for (mime, Count { urls, bytes }) in types {
        let _ = writeln!(text, "{urls} {bytes} {mime}");
    }
    text
}

fn statuses(facts: &Facts<'_>) -> String {
    let mut text = String::from("[#urls] [rescode]\n");
    let mut statuses: Vec<_> = facts.tally.statuses.iter().collect();
    statuses.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
    for (status, urls) in statuses {
        let _ = writeln!(text, "{urls} {status}");
    }
    text
}

fn refused(facts: &Facts<'_>) -> String {
    let mut text = String::from("[#links] [rule]\n");
    for (rule, links) in facts.refused {
        let _ = writeln!(text, "{links} {rule}");
    }
    text
}

fn seeds(facts: &Facts<'_>) -> String {
    let mut text = String::from("[code] [status] [seed] [redirect]\n");
    for seed in facts.seeds {
        let word = if seed.status > 0 { "CRAWLED" } else { "NOTCRAWLED" };
        let redirect = seed.redirect.as_deref().unwrap_or_default();
        let row = format!("{} {word} {} {redirect}", seed.status, seed.url);
        let _ = writeln!(text, "{}", row.trim_end());
    }
    text
}
