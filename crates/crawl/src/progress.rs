//! How a crawl gets on, for those who look at it.

use std::time::Duration;

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

/// The rate over the last few seconds.
#[derive(Debug, Default)]
pub(crate) struct Rate {
    /// When, and how many there were.
    points: Vec<(Duration, u64)>,
}

/// How far back it looks.
const WINDOW: Duration = Duration::from_secs(5);

impl Rate {
    /// Notes how many there are now, and says how many come in a second.
    pub(crate) fn note(&mut self, now: Duration, count: u64) -> f64 {
        if self.points.last().is_none_or(|(at, _)| now.saturating_sub(*at) >= WINDOW / 20) {
            self.points.push((now, count));
        }
        self.points.retain(|(at, _)| now.saturating_sub(*at) <= WINDOW);
        let Some((since, before)) = self.points.first() else { return 0.0 };
        let seconds = now.saturating_sub(*since).as_secs_f64();
        if seconds > 0.0 { count.saturating_sub(*before) as f64 / seconds } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let mut rate = Rate::default();
        let second = Duration::from_secs(1);
        assert_eq!(rate.note(Duration::ZERO, 0), 0.0);
        assert_eq!(rate.note(second, 100), 100.0);
        assert_eq!(rate.note(2 * second, 100), 50.0);
        assert_eq!(rate.note(60 * second, 100), 0.0);
        assert_eq!(rate.note(61 * second, 130), 30.0);
    }
}
