//! What is to be crawled, as far as its turn depends on it.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// A shorter interval is taken for this one, so that nothing is due all the time.
const EVERY_MIN: Duration = Duration::from_secs(1);

/// A crawl, and how often it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crawl {
    domains: BTreeSet<String>,
    every: Option<Duration>,
}

impl Crawl {
    /// A crawl of these domains, once. Case, and a dot at the end, are no difference; where there is no domain, an address or a
    /// whole host will do.
    #[must_use]
    pub fn of<Name: AsRef<str>>(domains: impl IntoIterator<Item = Name>) -> Crawl {
        let plain = |name: Name| name.as_ref().trim_end_matches('.').to_ascii_lowercase();
        Crawl { domains: domains.into_iter().map(plain).collect(), every: None }
    }

    /// The same, again and again.
    #[must_use]
    pub fn every(self, interval: Duration) -> Crawl {
        Crawl { every: Some(interval.max(EVERY_MIN)), ..self }
    }

    /// Its domains.
    pub fn domains(&self) -> impl Iterator<Item = &str> {
        self.domains.iter().map(String::as_str)
    }

    /// The pause between two turns; none without an interval.
    pub(crate) fn interval(&self) -> SignedDuration {
        let interval = self.every.unwrap_or_default();
        SignedDuration::try_from(interval).unwrap_or(SignedDuration::MAX)
    }

    /// When it comes again, after a turn that was due then and has ended now: at the next of its times that is still to come. A turn
    /// that was due later than now was set by a clock that was ahead; then the times count from now.
    pub(crate) fn next_due(&self, due: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let every = SignedDuration::try_from(self.every?).ok()?;
        let due = due.min(now);
        let passed = now.duration_since(due);
        let turns = passed.as_nanos() / every.as_nanos() + 1;
        let until = every.as_nanos().checked_mul(turns)?;
        due.checked_add(SignedDuration::try_from_nanos_i128(until)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(every_s: u64, due_s: i64, now_s: i64, expected_s: Option<i64>) {
        let crawl = Crawl::of(["example.org"]).every(Duration::from_secs(every_s));
        let at = |seconds| Timestamp::from_second(seconds).unwrap();
        assert_eq!(crawl.next_due(at(due_s), at(now_s)), expected_s.map(at), "{every_s} {due_s} {now_s}");
    }

    #[test]
    fn turns_come_at_fixed_times() {
        check(10, 100, 101, Some(110));
        check(10, 100, 109, Some(110));
    }

    #[test]
    fn missed_turns_are_not_piled_up() {
        check(10, 100, 110, Some(120));
        check(10, 100, 135, Some(140));
    }

    #[test]
    fn a_clock_that_went_back_delays_no_turn_beyond_its_interval() {
        check(10, 100, 50, Some(60));
        check(10, 100, 100, Some(110));
    }

    #[test]
    fn intervals_beyond_the_calendar_never_come() {
        check(u64::MAX, 100, 101, None);
        check(400_000_000_000, 100, 101, None);
    }

    #[test]
    fn no_interval_is_too_short_for_anything_else() {
        check(0, 100, 100, Some(101));
    }

    #[test]
    fn once_is_once() {
        let at = Timestamp::UNIX_EPOCH;
        assert_eq!(Crawl::of(["example.org"]).next_due(at, at), None);
    }
}
