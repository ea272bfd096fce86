//! What holds for a site, by how the fetch of its robots.txt went.
//!
//! RFC 9309, section 2.3.1: a file that is there is obeyed; one that is not there forbids nothing; while nobody can tell
//! whether there is one, everything is forbidden. Section 2.4: a copy is good for a day, longer only while no newer one
//! can be had. Nobody here asks what time it is: it is handed in.

use std::time::Duration;

use jiff::Timestamp;

use crate::Limits;
use crate::txt::{Robots, Verdict, path_of};

/// Threads read the clock one after another, and clocks are corrected by a little: only a copy from a later time than this is from a wrong
/// clock.
const CLOCK_SLACK: Duration = Duration::from_secs(60);

/// How the fetch of a robots.txt went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fetched<'a> {
    /// The server answered, after at most five redirects, with this status and body.
    Status(u16, &'a [u8]),
    /// It sent us on more than five times.
    TooManyRedirects,
    /// It did not answer: no name, no connection, no answer in time.
    Unreachable,
}

/// Why a site is open or closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// There are rules, and they decide.
    Rules,
    /// The rules cannot be had just now; the ones from the last time decide.
    OlderRules,
    /// There is no file (status 4xx, or a redirect to nowhere), so everything is allowed.
    ///
    /// 429 is among them: the standard says 4xx and makes no exception. Whoever gets it should rather slow down.
    NoFile {
        /// What the server said; `None` after too many redirects.
        status: Option<u16>,
    },
    /// Nobody can tell, so everything is forbidden.
    Unreachable,
    /// Nobody has been able to tell for very long, so everything is allowed.
    GivenUp,
}

/// How long we believe what we know, and wait for what we do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How long a copy is good; the standard says at most a day.
    pub keep: Duration,
    /// When to try again after a failure.
    pub retry: Duration,
    /// For how long everything is forbidden while no robots.txt can be had; the standard suggests 30 days.
    pub give_up: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let hour = Duration::from_secs(3600);
        Patience { keep: 24 * hour, retry: hour, give_up: 30 * 24 * hour }
    }
}

/// What is known of a site's wishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The last rules that could be had; empty ones where there is no file.
    rules: Option<Robots>,
    /// What the last answer was, if there was one that said that there is no file.
    no_file: Option<Option<u16>>,
    fetched_at: Timestamp,
    failing_since: Option<Timestamp>,
}

impl Policy {
    /// What the first fetch says.
    #[must_use]
    pub fn from_fetch(fetched: Fetched<'_>, now: Timestamp, limits: &Limits) -> Policy {
        let mut policy = Policy { rules: None, no_file: None, fetched_at: now, failing_since: None };
        policy.renew(fetched, now, limits);
        policy
    }

    /// What a later fetch says. Where it failed, the rules known so far go on to hold.
    pub fn renew(&mut self, fetched: Fetched<'_>, now: Timestamp, limits: &Limits) {
        self.fetched_at = now;
        match fetched {
            Fetched::Status(200..=299, body) => self.know(Robots::parse(body, limits), None),
            // Nothing has changed since the copy that we have.
            Fetched::Status(304, _) if self.rules.is_some() => self.failing_since = None,
            Fetched::Status(status @ 300..=499, _) => self.know(Robots::default(), Some(Some(status))),
            Fetched::TooManyRedirects => self.know(Robots::default(), Some(None)),
            Fetched::Status(..) | Fetched::Unreachable => {
                // A clock that was ahead does not keep a site closed.
                self.failing_since = Some(self.failing_since.map_or(now, |since| since.min(now)));
            }
        }
    }

    /// Forgets the rules for others; see [`Robots::only_for`].
    #[must_use]
    pub fn only_for(mut self, names: &str) -> Policy {
        self.rules = self.rules.map(|rules| rules.only_for(names));
        self
    }

    /// Whether a crawler may fetch a URL now.
    #[must_use]
    pub fn allows(&self, names: &str, url: &str, now: Timestamp, patience: &Patience) -> Verdict {
        match (self.basis(now, patience), &self.rules) {
            (Basis::Unreachable, _) if path_of(url) != "/robots.txt" => Verdict::CLOSED,
            (Basis::Rules | Basis::OlderRules, Some(rules)) => rules.allows(names, url),
            _ => Verdict::FREE,
        }
    }

    /// Why [`Policy::allows`] says what it says.
    #[must_use]
    pub fn basis(&self, now: Timestamp, patience: &Patience) -> Basis {
        match (&self.rules, self.no_file, self.failing_since) {
            (Some(_), Some(status), _) => Basis::NoFile { status },
            (Some(_), None, None) => Basis::Rules,
            (Some(_), None, Some(_)) => Basis::OlderRules,
            (None, _, Some(since)) if later(since, patience.give_up) > now => Basis::Unreachable,
            (None, ..) => Basis::GivenUp,
        }
    }

    /// When robots.txt is to be fetched again.
    #[must_use]
    pub fn fetch_again_at(&self, patience: &Patience) -> Timestamp {
        let pause = if self.failing_since.is_some() { patience.retry } else { patience.keep };
        later(self.fetched_at, pause)
    }

    /// Whether robots.txt is to be fetched again now. A copy from the future was fetched while the clock was ahead.
    #[must_use]
    pub fn is_stale(&self, now: Timestamp, patience: &Patience) -> bool {
        self.fetch_again_at(patience) <= now || self.fetched_at > later(now, CLOCK_SLACK)
    }

    /// The rules, old or new; `None` where nothing was ever heard.
    #[must_use]
    pub fn rules(&self) -> Option<&Robots> {
        self.rules.as_ref()
    }

    fn know(&mut self, rules: Robots, no_file: Option<Option<u16>>) {
        self.rules = Some(rules);
        self.no_file = no_file;
        self.failing_since = None;
    }
}

fn later(time: Timestamp, pause: Duration) -> Timestamp {
    time.saturating_add(pause).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Fetched<'_> = Fetched::Status(200, b"User-agent: *\nDisallow: /a");

    fn day(number: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + number * 86_400).unwrap()
    }

    #[track_caller]
    fn check(fetches: &[(i64, Fetched<'_>)], asked: i64, basis: Basis, allowed: bool) {
        let limits = Limits::default();
        let (first, rest) = fetches.split_first().unwrap();
        let mut policy = Policy::from_fetch(first.1, day(first.0), &limits);
        for (at, fetched) in rest {
            policy.renew(*fetched, day(*at), &limits);
        }
        let patience = Patience::default();
        assert_eq!(policy.basis(day(asked), &patience), basis);
        assert_eq!(policy.allows("varve", "/a", day(asked), &patience).allowed, allowed);
        assert!(policy.allows("varve", "/robots.txt", day(asked), &patience).allowed);
        assert_eq!(
            policy.clone().only_for("varve").allows("varve", "/a", day(asked), &patience).allowed,
            allowed
        );
    }

    #[test]
    fn a_file_is_obeyed_and_none_forbids_nothing() {
        check(&[(0, RULES)], 0, Basis::Rules, false);
        for status in [400, 401, 403, 404, 410, 429, 301] {
            check(&[(0, Fetched::Status(status, b""))], 0, Basis::NoFile { status: Some(status) }, true);
        }
        check(&[(0, Fetched::TooManyRedirects)], 0, Basis::NoFile { status: None }, true);
    }

    #[test]
    fn while_nobody_can_tell_everything_is_forbidden_but_not_for_ever() {
        for fetched in [Fetched::Unreachable, Fetched::Status(500, b""), Fetched::Status(503, b"")] {
            check(&[(0, fetched)], 0, Basis::Unreachable, false);
            check(&[(0, fetched), (10, fetched)], 29, Basis::Unreachable, false);
            check(&[(0, fetched), (10, fetched)], 30, Basis::GivenUp, true);
        }
    }

    #[test]
    fn the_last_good_copy_holds_while_no_newer_can_be_had() {
        check(&[(0, RULES), (1, Fetched::Unreachable)], 90, Basis::OlderRules, false);
        let gone = Fetched::Status(404, b"");
        check(
            &[(0, RULES), (1, Fetched::Unreachable), (2, gone)],
            2,
            Basis::NoFile { status: Some(404) },
            true,
        );
        check(&[(0, gone), (1, Fetched::Unreachable)], 2, Basis::NoFile { status: Some(404) }, true);
        check(&[(0, RULES), (1, Fetched::Status(304, b""))], 1, Basis::Rules, false);
    }

    #[test]
    fn a_copy_is_good_for_a_day_and_a_failure_for_an_hour() {
        let patience = Patience::default();
        let limits = Limits::default();
        let again = |fetched| Policy::from_fetch(fetched, day(0), &limits).fetch_again_at(&patience);
        assert_eq!(again(RULES), day(1));
        assert_eq!(again(Fetched::Status(404, b"")), day(1));
        assert_eq!(again(Fetched::Unreachable), day(0) + Duration::from_secs(3600));
    }

    #[test]
    fn a_copy_that_was_fetched_while_the_clock_was_ahead_is_fetched_again() {
        let (patience, limits) = (Patience::default(), Limits::default());
        let is_stale = |fetched_on, now| {
            Policy::from_fetch(RULES, day(fetched_on), &limits).is_stale(day(now), &patience)
        };
        assert_eq!([(0, 0), (0, 1), (1825, 0)].map(|(then, now)| is_stale(then, now)), [false, true, true]);
        let mut policy = Policy::from_fetch(Fetched::Unreachable, day(1825), &limits);
        policy.renew(Fetched::Unreachable, day(0), &limits);
        assert_eq!(policy.basis(day(29), &patience), Basis::Unreachable);
        assert_eq!(policy.basis(day(30), &patience), Basis::GivenUp);
    }
}
