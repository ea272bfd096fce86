//! How documents came over time, counted from the log of a job in one pass.
//!
//! Nobody knows beforehand how long a crawl took, so intervals begin short and become twice as long whenever there are too many.

use jiff::Timestamp;
use serde::Serialize;

/// The most intervals.
const INTERVALS_MAX: usize = 120;

/// The shortest interval.
const INTERVAL_MS_MIN: i64 = 10;

/// Documents over time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timeline {
    /// When the first interval begins.
    pub start: Option<String>,
    /// How long each is.
    pub interval_ms: i64,
    /// Documents that came in each.
    pub documents: Vec<u64>,
    /// Bytes that came in each.
    pub bytes: Vec<u64>,
    #[serde(skip)]
    start_ms: Option<i64>,
}

impl Timeline {
    /// Counts a document.
    pub(super) fn add(&mut self, at: Timestamp, bytes: u64) {
        let at_ms = at.as_millisecond();
        let start_ms = match self.start_ms {
            Some(start_ms) => start_ms,
            None => {
                self.interval_ms = INTERVAL_MS_MIN;
                self.start = Some(at.to_string());
                *self.start_ms.insert(at_ms)
            }
        };
        // Lines stand in the order in which they were written, which is nearly that of their times.
        let passed = at_ms.saturating_sub(start_ms).max(0);
        while passed / self.interval_ms >= INTERVALS_MAX as i64 {
            self.documents = pairs(&self.documents);
            self.bytes = pairs(&self.bytes);
            self.interval_ms *= 2;
        }
        let index = usize::try_from(passed / self.interval_ms).unwrap_or_default();
        if index >= self.documents.len() {
            self.documents.resize(index + 1, 0);
            self.bytes.resize(index + 1, 0);
        }
        if let (Some(count), Some(sum)) = (self.documents.get_mut(index), self.bytes.get_mut(index)) {
            *count += 1;
            *sum += bytes;
        }
    }
}

fn pairs(counts: &[u64]) -> Vec<u64> {
    counts.chunks(2).map(|pair| pair.iter().sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_millisecond(milliseconds).unwrap()
    }

    #[test]
    fn nothing_is_lost_when_intervals_grow() {
        let mut timeline = Timeline::default();
        for document in 0..10_000_i64 {
            timeline.add(at(1_000 + document * 7), 2);
        }
        assert_eq!(timeline.documents.iter().sum::<u64>(), 10_000);
        assert_eq!(timeline.bytes.iter().sum::<u64>(), 20_000);
        assert!((INTERVALS_MAX / 2..=INTERVALS_MAX).contains(&timeline.documents.len()));
        assert_eq!(timeline.interval_ms, 640);
        assert_eq!(timeline.start.as_deref(), Some("1970-01-01T00:00:01Z"));
    }

    #[test]
    fn lines_out_of_order_count_as_well() {
        let mut timeline = Timeline::default();
        timeline.add(at(100), 1);
        timeline.add(at(50), 1);
        assert_eq!(timeline.documents, [2]);
    }

    #[test]
    fn a_clock_at_the_end_of_its_days_does_no_harm() {
        let mut timeline = Timeline::default();
        timeline.add(Timestamp::MIN, 1);
        timeline.add(Timestamp::MAX, 1);
        assert_eq!(timeline.documents.iter().sum::<u64>(), 2);
    }
}
