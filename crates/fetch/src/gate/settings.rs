//! How polite we are, in general and to one host.

use std::time::Duration;

/// Politeness towards every host that has no [`Pace`] of its own, and bounds on what the gate remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Requests to one host at a time.
    pub per_host: u16,
    /// Requests to one address at a time, however many hosts it has.
    pub per_address: u16,
    /// The pause after a request is this many times as long as the request took …
    pub factor: f32,
    /// … but at least this long …
    pub delay_min: Duration,
    /// … and at most this long.
    pub delay_max: Duration,
    /// A longer `Crawl-delay` is taken for this one.
    pub crawl_delay_max: Duration,
    /// A longer `Retry-After` is taken for this one.
    pub retry_after_max: Duration,
    /// The pause after the first failure; it doubles with each further one and halves with each success …
    pub backoff_first: Duration,
    /// … up to this.
    pub backoff_max: Duration,
    /// For how long a host's `Crawl-delay` or failures are remembered when nothing more is wanted of it.
    pub remember: Duration,
    /// Hosts that no user waits for and whose `Crawl-delay` or failures are remembered; beyond that the gate forgets the ones
    /// nearest to their end. It also limits the hosts that are remembered for the longer pause of another user. A host in its own pause is
    /// remembered in any case.
    pub remembered_max: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            per_host: 1,
            per_address: 4,
            factor: 2.0,
            delay_min: Duration::from_millis(500),
            delay_max: Duration::from_secs(30),
            crawl_delay_max: Duration::from_secs(60),
            retry_after_max: Duration::from_secs(3600),
            backoff_first: Duration::from_secs(5),
            backoff_max: Duration::from_secs(1800),
            remember: Duration::from_secs(24 * 3600),
            remembered_max: 100_000,
        }
    }
}

/// What a user has decided for one host. What is `None` is as for every other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pace {
    /// The pause after each request, instead of what its length and `Crawl-delay` would give. Back-off and
    /// `Retry-After` still hold.
    pub delay: Option<Duration>,
    /// Requests at a time.
    pub at_once: Option<u16>,
}

impl Settings {
    /// How long to leave a host alone after a request of this length, by `Crawl-delay` and by its own pace.
    pub(super) fn pause(&self, took: Duration, crawl_delay: Option<Duration>, pace: Pace) -> Duration {
        if let Some(delay) = pace.delay {
            return delay;
        }
        let factor = if self.factor.is_finite() { self.factor.max(0.0) } else { 0.0 };
        let scaled = Duration::try_from_secs_f32(took.as_secs_f32() * factor).unwrap_or(self.delay_max);
        // Not `clamp`, which panics where somebody has set the least above the most.
        let delay = scaled.max(self.delay_min).min(self.delay_max);
        delay.max(crawl_delay.unwrap_or_default().min(self.crawl_delay_max))
    }

    /// How long to leave a host alone after so many failures that no success has made good.
    pub(super) fn backoff(&self, failures: u8) -> Duration {
        match failures {
            0 => Duration::ZERO,
            _ => self.backoff_first.saturating_mul(1 << (failures - 1).min(30)).min(self.backoff_max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_pause_is_a_multiple_of_the_request_within_bounds() {
        let settings = Settings::default();
        let pause = |took, crawl_delay, pace| settings.pause(took, crawl_delay, pace);
        assert_eq!(pause(SECOND, None, Pace::default()), 2 * SECOND);
        assert_eq!(pause(Duration::ZERO, None, Pace::default()), settings.delay_min);
        assert_eq!(pause(100 * SECOND, None, Pace::default()), settings.delay_max);
        assert_eq!(pause(Duration::MAX, None, Pace::default()), settings.delay_max);
        assert_eq!(pause(SECOND, Some(10 * SECOND), Pace::default()), 10 * SECOND);
        assert_eq!(pause(SECOND, Some(1000 * SECOND), Pace::default()), settings.crawl_delay_max);
        let own = Pace { delay: Some(SECOND / 10), at_once: None };
        assert_eq!(pause(SECOND, Some(10 * SECOND), own), SECOND / 10);
    }

    #[test]
    fn back_off_doubles_up_to_its_most() {
        let settings = Settings::default();
        let seconds: Vec<u64> = (0..=10).map(|failures| settings.backoff(failures).as_secs()).collect();
        assert_eq!(seconds, [0, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 1800]);
        assert_eq!(settings.backoff(u8::MAX), settings.backoff_max);
    }
}
