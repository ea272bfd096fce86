//! The captures of one key and of its aliases, however many there are.
//!
//! Few are read once and answer everything; where there are many, each question is a seek of its own.

use std::iter::Peekable;
use std::sync::Arc;

use cdx::{Capture, Timestamp};
use index::Snapshot;

use crate::error::Error;

/// One row of the index.
pub(crate) type Row = Capture<'static>;

/// Rows, one after another.
pub(crate) type Rows = Box<dyn Iterator<Item = Result<Row, Error>>>;

/// All captures of a key.
#[derive(Debug, Clone)]
pub(crate) struct Versions {
    pub(crate) snapshot: Snapshot,
    pub(crate) key: String,
    /// All of them, in their order, where they are few.
    whole: Option<Arc<[Row]>>,
}

impl Versions {
    /// Reads those of a key, if they are not more than `at_once`.
    pub(crate) fn read(snapshot: &Snapshot, key: &str, at_once: usize) -> Result<Versions, Error> {
        let mut whole = Vec::new();
        for row in snapshot.versions_with_aliases(key, None).take(at_once + 1) {
            whole.push(row?);
        }
        let whole = Some(whole).filter(|rows| rows.len() <= at_once).map(Arc::from);
        Ok(Versions { snapshot: snapshot.clone(), key: key.to_owned(), whole })
    }

    /// Reads nothing yet.
    pub(crate) fn unread(snapshot: &Snapshot, key: &str) -> Versions {
        Versions { snapshot: snapshot.clone(), key: key.to_owned(), whole: None }
    }

    /// All of them, if they are few and were read.
    pub(crate) fn whole(&self) -> Option<&[Row]> {
        self.whole.as_deref()
    }

    /// Those from a time on.
    pub(crate) fn from(&self, at: Timestamp) -> Rows {
        if let Some(whole) = &self.whole {
            let start = whole.partition_point(|row| row.timestamp < Some(at));
            return some_of(whole, start..whole.len());
        }
        let rows = self.snapshot.versions_with_aliases(&self.key, Some(at));
        Box::new(rows.map(|row| row.map_err(Error::from)))
    }

    /// Those before a time, the last first.
    pub(crate) fn before(&self, at: Timestamp) -> Rows {
        if let Some(whole) = &self.whole {
            let end = whole.partition_point(|row| row.timestamp < Some(at));
            return some_of(whole, (0..end).rev());
        }
        let rows = self.snapshot.versions_with_aliases_backwards(&self.key, Some(at));
        Box::new(rows.map(|row| row.map_err(Error::from)))
    }

    /// All of them.
    pub(crate) fn all(&self) -> Rows {
        if let Some(whole) = &self.whole {
            return some_of(whole, 0..whole.len());
        }
        let rows = self.snapshot.versions_with_aliases(&self.key, None);
        Box::new(rows.map(|row| row.map_err(Error::from)))
    }

    /// All of them, the last first.
    pub(crate) fn all_backwards(&self) -> Rows {
        if let Some(whole) = &self.whole {
            return some_of(whole, (0..whole.len()).rev());
        }
        let rows = self.snapshot.versions_with_aliases_backwards(&self.key, None);
        Box::new(rows.map(|row| row.map_err(Error::from)))
    }

    /// All of them, those nearest to a time first; of two as near the earlier, and of one second those of this very URL first.
    pub(crate) fn around(&self, at: Timestamp, url: &str) -> Around {
        let (from, before) = (self.from(at).peekable(), self.before(at).peekable());
        Around { at: at.seconds(), url: url.to_owned(), from, before, second: Vec::new() }
    }
}

/// Some of the rows that were read, by their numbers; each is copied when its turn comes.
fn some_of(rows: &Arc<[Row]>, numbers: impl Iterator<Item = usize> + 'static) -> Rows {
    let rows = Arc::clone(rows);
    Box::new(numbers.filter_map(move |number| rows.get(number).cloned()).map(Ok))
}

/// Captures by their distance to a time.
pub(crate) struct Around {
    at: i64,
    url: String,
    from: Peekable<Rows>,
    before: Peekable<Rows>,
    /// Those of one second that are still to be handed out, the first last.
    second: Vec<Row>,
}

impl Around {
    fn next_second(&mut self) -> Result<(), Error> {
        let (from, before) = (distance(self.at, self.from.peek()), distance(self.at, self.before.peek()));
        let is_before = match (from, before) {
            (Some(from), Some(before)) => before <= from,
            (None, before) => before.is_some(),
            (Some(_), None) => false,
        };
        let rows = if is_before { &mut self.before } else { &mut self.from };
        let Some(first) = rows.next().transpose()? else { return Ok(()) };
        let time = first.timestamp;
        let mut second = vec![first];
        while second.len() < SECOND_MAX
            && let Some(row) = rows.next_if(|row| row.as_ref().is_ok_and(|row| row.timestamp == time))
        {
            second.push(row?);
        }
        if is_before {
            second.reverse();
        }
        second.sort_by_key(|row| row.url.as_deref() != Some(&self.url));
        second.reverse();
        self.second = second;
        Ok(())
    }
}

/// Captures of one second that are put in order. Thousands of them are no page that somebody looked at.
const SECOND_MAX: usize = 100;

/// How far the next row is from a time. What could not be read is told at once.
fn distance(at: i64, row: Option<&Result<Row, Error>>) -> Option<u64> {
    row.map(|row| row.as_ref().map_or(0, |row| seconds(row).abs_diff(at)))
}

impl Iterator for Around {
    type Item = Result<Row, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.second.is_empty()
            && let Err(error) = self.next_second()
        {
            return Some(Err(error));
        }
        self.second.pop().map(Ok)
    }
}

/// When, in seconds; what has no time lies at the start of all.
pub(crate) fn seconds(row: &Row) -> i64 {
    row.timestamp.map_or(i64::MIN / 2, Timestamp::seconds)
}
