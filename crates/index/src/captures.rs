//! Captures in a range of keys, streamed, either way.

use std::fmt;

use cdx::{Capture, Timestamp};
use urlkey::KeyRange;

use crate::merging::Merged;
use crate::snapshot::Live;
use crate::{Error, Snapshot};

/// Captures in the order of their keys, then times; of equal ones in the order in which they were published. Or all of that
/// backwards, where it was asked for so.
///
/// Owns what it needs, holds a leaf of each file and no more, and ends behind the first error.
pub struct Captures {
    rows: State,
}

enum State {
    /// What could not even be begun.
    Failed(Error),
    Running(Box<Merged>),
    Over,
}

impl Snapshot {
    /// All captures whose keys lie in a range, as [`urlkey::key_range`] makes them. An empty end is no end.
    #[must_use]
    pub fn range(&self, range: &KeyRange) -> Captures {
        let end = Some(range.end.as_bytes()).filter(|end| !end.is_empty());
        Captures::of(Merged::new(self.segments(), range.start.as_bytes(), end))
    }

    /// The same captures, the last first.
    #[must_use]
    pub fn range_backwards(&self, range: &KeyRange) -> Captures {
        let end = Some(range.end.as_bytes()).filter(|end| !end.is_empty());
        Captures::of(Merged::backwards(self.segments(), range.start.as_bytes(), end))
    }

    /// The captures of a range from this key and time on: those of the same key and time come once more.
    #[must_use]
    pub fn range_from(&self, range: &KeyRange, key: &str, from: Timestamp) -> Captures {
        let end = Some(range.end.as_bytes()).filter(|end| !end.is_empty());
        let start = order(key, from).max(range.start.clone().into_bytes());
        Captures::of(Merged::new(self.segments(), &start, end))
    }

    /// All captures of one key.
    #[must_use]
    pub fn versions(&self, key: &str) -> Captures {
        let (start, end) = bounds(key);
        Captures::of(Merged::new(&self.holding(&start), &start, Some(&end)))
    }

    /// All captures of one key, the last first.
    #[must_use]
    pub fn versions_backwards(&self, key: &str) -> Captures {
        let (start, end) = bounds(key);
        Captures::of(Merged::backwards(&self.holding(&start), &start, Some(&end)))
    }

    /// The captures of one key from this time on.
    #[must_use]
    pub fn versions_from(&self, key: &str, from: Timestamp) -> Captures {
        let (start, end) = bounds(key);
        Captures::of(Merged::new(&self.holding(&start), &order(key, from), Some(&end)))
    }

    /// The captures of one key before this time, the last first.
    #[must_use]
    pub fn versions_before(&self, key: &str, before: Timestamp) -> Captures {
        let (start, _) = bounds(key);
        Captures::of(Merged::backwards(&self.holding(&start), &start, Some(&order(key, before))))
    }

    /// The segments that may have rows of this key, given with the space behind it.
    pub(crate) fn holding(&self, key: &[u8]) -> Vec<Live> {
        let holds = |live: &&Live| live.segment.may_hold(key).unwrap_or(true);
        self.segments().iter().filter(holds).cloned().collect()
    }
}

impl Captures {
    pub(crate) fn of(merged: Result<Merged, Error>) -> Captures {
        let rows = match merged {
            Ok(merged) => State::Running(Box::new(merged)),
            Err(error) => State::Failed(error),
        };
        Captures { rows }
    }
}

impl Iterator for Captures {
    type Item = Result<Capture<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match std::mem::replace(&mut self.rows, State::Over) {
            State::Over => return None,
            State::Failed(error) => return Some(Err(error)),
            State::Running(mut merged) => {
                let next = next_capture(&mut merged);
                if let Ok(Some(_)) = next {
                    self.rows = State::Running(merged);
                }
                next
            }
        };
        next.transpose()
    }
}

fn next_capture(merged: &mut Merged) -> Result<Option<Capture<'static>>, Error> {
    if !merged.advance()? {
        return Ok(None);
    }
    let Some((row, segment)) = merged.row() else { return Ok(None) };
    segment.capture(&row, || merged.offset()).map(Some)
}

impl fmt::Debug for Captures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Captures").finish_non_exhaustive()
    }
}

/// A key as lines have it, with the space behind it.
pub(crate) fn key_column(key: &str) -> Vec<u8> {
    let mut line = Vec::with_capacity(key.len() + 8);
    Capture { key: Some(key.into()), ..Capture::default() }.write_cdxj(&mut line);
    let end = memchr::memchr(b' ', &line).map_or(line.len(), |space| space + 1);
    line.truncate(end);
    line
}

/// A key with a time, as rows are sorted by.
fn order(key: &str, time: Timestamp) -> Vec<u8> {
    let mut order = key_column(key);
    order.extend_from_slice(&time.digits());
    order
}

/// Where the rows of a key begin, and what sorts right behind them.
pub(crate) fn bounds(key: &str) -> (Vec<u8>, Vec<u8>) {
    let start = key_column(key);
    let mut end = start.clone();
    // The space behind the key becomes what sorts right behind it.
    end.pop();
    end.push(b'!');
    (start, end)
}
