//! How a crawl gets on, for those who look at it.

use serde::{Deserialize, Serialize};

/// A look at a crawl.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Name of the job.
    pub job: String,
    /// `running`, `paused`, `stopping`, `finishing`, …
    pub state: String,
    /// Why it does not run.
    pub why: Option<String>,
    /// How long it has been fetching.
    pub seconds: f64,
    /// Answers.
    pub documents: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Answers per second, over the last seconds.
    pub per_second: f64,
    /// URLs that wait.
    pub queued: u64,
    /// URLs that wait for another try.
    pub postponed: u64,
    /// URLs under way.
    pub active: u64,
    /// Hosts that something is wanted of.
    pub hosts: u64,
    /// The host whose requests take longest just now, and since when.
    pub slowest: Option<(String, f64)>,
    /// Answers with new content.
    pub novel: u64,
    /// Answers with known content.
    pub duplicates: u64,
    /// Documents that are gone.
    pub gone: u64,
    /// Documents dropped by filters.
    pub filtered: u64,
    /// URLs that nobody answered for.
    pub failed: u64,
    /// URLs that robots.txt forbids.
    pub robots: u64,
    /// Seconds until a budget of the job will be used up, at this rate.
    pub budget_left: Option<f64>,
}
