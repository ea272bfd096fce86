//! How fast a crawl is just now.

use std::time::Duration;

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
