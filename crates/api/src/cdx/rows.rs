//! The rows that a question is about, streamed from the index in the order that is wanted.
//!
//! Rows of keys that are aliases come among those of the key they stand for, under its name.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cdx::query::TimeRange;
use cdx::{Capture, Timestamp};
use index::{Captures, Snapshot};

use super::mark::Mark;
use super::scope::Scope;

/// Rows, one after another.
pub(crate) type Rows = Box<dyn Iterator<Item = Row> + Send>;
type Row = Result<Capture<'static>, index::Error>;

/// Order of rows that needs no memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// By key, then time.
    Forward,
    /// The last first.
    Backward,
    /// By distance from a time, nearest first. Of one key only.
    Nearest(Timestamp),
}

/// The rows of a scope. The time range only spares reading: what lies outside of it may come all the same.
pub(crate) fn rows(snapshot: &Snapshot, scope: &Scope, order: Order, time: TimeRange) -> Rows {
    match scope {
        Scope::Range(range) => match order {
            Order::Backward => Box::new(snapshot.range_backwards(range)),
            Order::Forward | Order::Nearest(_) => Box::new(snapshot.range(range)),
        },
        Scope::Key(key) => {
            let target = snapshot.resolve_alias(key);
            let mut aliases = snapshot.aliases_of(target).peekable();
            if aliases.peek().is_none() {
                return versions(snapshot, target, order, time);
            }
            let keys = std::iter::once(target).chain(aliases);
            let streams = keys.map(|key| versions(snapshot, key, order, time)).collect();
            Box::new(Together::new(streams, order, target.to_owned()))
        }
    }
}

/// The rows of a scope from a mark on.
pub(crate) fn rows_from(snapshot: &Snapshot, scope: &Scope, mark: &Mark) -> Rows {
    match scope {
        Scope::Range(range) => {
            let rows = snapshot.range_from(range, &mark.key, mark.time);
            Box::new(behind(rows, mark.clone()))
        }
        Scope::Key(_) => {
            let time = TimeRange { from: Some(mark.time), to: None };
            Box::new(behind(rows(snapshot, scope, Order::Forward, time), mark.clone()))
        }
    }
}

/// Leaves out the rows that stand before a mark.
fn behind(rows: impl Iterator<Item = Row> + Send, mark: Mark) -> impl Iterator<Item = Row> + Send {
    let mut left = mark.skip;
    rows.skip_while(move |row| match row {
        Ok(row) if left > 0 && row.timestamp == Some(mark.time) && row.key.as_deref() == Some(&*mark.key) => {
            left -= 1;
            true
        }
        _ => false,
    })
}

fn versions(snapshot: &Snapshot, key: &str, order: Order, time: TimeRange) -> Rows {
    let forward = |from: Option<Timestamp>| match from {
        Some(from) => snapshot.versions_from(key, from),
        None => snapshot.versions(key),
    };
    let backward = |to: Option<Timestamp>| match to.and_then(next) {
        Some(before) => snapshot.versions_before(key, before),
        None => snapshot.versions_backwards(key),
    };
    match order {
        Order::Forward => Box::new(until(forward(time.from), time)),
        Order::Backward => Box::new(until(backward(time.to), time)),
        Order::Nearest(at) => {
            let later = forward(Some(time.from.map_or(at, |from| from.max(at))));
            let earlier = match time.to.and_then(next).filter(|before| *before < at) {
                Some(before) => snapshot.versions_before(key, before),
                None => snapshot.versions_before(key, at),
            };
            let streams: Vec<Rows> = vec![Box::new(until(earlier, time)), Box::new(until(later, time))];
            Box::new(Together::new(streams, order, key.to_owned()))
        }
    }
}

/// The time right behind this one.
fn next(time: Timestamp) -> Option<Timestamp> {
    Timestamp::from_number(time.as_number() + 1)
}

/// Rows up to the first outside of a time range.
fn until(rows: Captures, time: TimeRange) -> impl Iterator<Item = Row> + Send {
    rows.take_while(move |row| row.as_ref().map_or(true, |row| time.contains(row)))
}

/// Streams of rows of several keys, or from both sides of a time, as one.
struct Together {
    streams: Vec<Rows>,
    /// The next row of each stream that has one, the first on top.
    heads: BinaryHeap<Reverse<(u64, usize)>>,
    rows: Vec<Option<Row>>,
    order: Order,
    key: String,
}

impl Together {
    fn new(streams: Vec<Rows>, order: Order, key: String) -> Together {
        let rows = streams.iter().map(|_| None).collect();
        let mut together = Together { streams, heads: BinaryHeap::new(), rows, order, key };
        for stream in 0..together.streams.len() {
            together.refill(stream);
        }
        together
    }

    fn refill(&mut self, stream: usize) {
        let next = self.streams.get_mut(stream).and_then(Iterator::next);
        if let (Some(row), Some(place)) = (next, self.rows.get_mut(stream)) {
            self.heads.push(Reverse((rank(&row, self.order), stream)));
            *place = Some(row);
        }
    }
}

/// Which of two rows comes first; an error before all.
fn rank(row: &Row, order: Order) -> u64 {
    let time = row.as_ref().ok().and_then(|row| row.timestamp);
    match (time, order) {
        (None, _) => 0,
        (Some(time), Order::Forward) => time.as_number(),
        (Some(time), Order::Backward) => u64::MAX - time.as_number(),
        (Some(time), Order::Nearest(at)) => time.seconds().abs_diff(at.seconds()),
    }
}

impl Iterator for Together {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let Reverse((_, stream)) = self.heads.pop()?;
        let row = self.rows.get_mut(stream).and_then(Option::take);
        self.refill(stream);
        row.map(|row| {
            row.map(|mut row| {
                if row.key.as_deref() != Some(&*self.key) {
                    row.key = Some(self.key.clone().into());
                }
                row
            })
        })
    }
}
