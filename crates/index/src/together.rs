//! The captures of a key and of its aliases, as if they were of one.

use cdx::{Capture, Timestamp};

use crate::{Captures, Error, Snapshot};

/// Captures of several keys in the order of their times, or backwards. Each has the key that it was published with.
///
/// Holds the next capture of each key and no more, and ends behind the first error.
#[derive(Debug)]
pub struct Together {
    streams: Vec<Stream>,
    is_backward: bool,
}

#[derive(Debug)]
struct Stream {
    rows: Captures,
    next: Option<Result<Capture<'static>, Error>>,
}

impl Snapshot {
    /// All captures of a key and of those that are aliases of it, from a time on if one is given.
    #[must_use]
    pub fn versions_with_aliases(&self, key: &str, from: Option<Timestamp>) -> Together {
        self.together(key, false, |key| match from {
            Some(from) => self.versions_from(key, from),
            None => self.versions(key),
        })
    }

    /// The same captures, the last first, before a time if one is given.
    #[must_use]
    pub fn versions_with_aliases_backwards(&self, key: &str, before: Option<Timestamp>) -> Together {
        self.together(key, true, |key| match before {
            Some(before) => self.versions_before(key, before),
            None => self.versions_backwards(key),
        })
    }

    fn together(&self, key: &str, is_backward: bool, read: impl Fn(&str) -> Captures) -> Together {
        let keys = std::iter::once(key).chain(self.aliases_of(key));
        let streams = keys.map(|key| Stream { rows: read(key), next: None });
        let mut together = Together { streams: streams.collect(), is_backward };
        together.streams.iter_mut().for_each(Stream::advance);
        together
    }
}

impl Stream {
    fn advance(&mut self) {
        self.next = self.rows.next();
    }

    /// What comes first; an error before all.
    fn rank(&self, is_backward: bool) -> Option<u64> {
        let time = self.next.as_ref()?.as_ref().ok().and_then(|row| row.timestamp);
        Some(match time {
            None => 0,
            Some(time) if is_backward => u64::MAX - time.as_number(),
            Some(time) => time.as_number(),
        })
    }
}

impl Iterator for Together {
    type Item = Result<Capture<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_backward = self.is_backward;
        let ranked = self.streams.iter_mut().filter_map(|stream| Some((stream.rank(is_backward)?, stream)));
        let (_, first) = ranked.min_by_key(|(rank, _)| *rank)?;
        let row = first.next.take();
        first.advance();
        if matches!(row, Some(Err(_))) {
            self.streams.clear();
        }
        row
    }
}
