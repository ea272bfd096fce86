//! The rows that a question is about, streamed from the index in the order that is wanted.
//!
//! Each has been looked at by the gate, under the key that it has. Rows of keys that are aliases come among those of the key they stand
//! for, under its name.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use cdx::query::TimeRange;
use cdx::{Capture, Timestamp};
use index::{Captures, Snapshot};

use super::gate::Gate;
use super::mark::Mark;
use super::scope::Scope;

/// Rows, one after another.
pub(crate) type Rows = Box<dyn Iterator<Item = Row> + Send>;
type Row = Result<Looked, index::Error>;

/// A row, and whether it may be told of. Those that may not come all the same: who goes through many of them wants to stop now and then.
pub(crate) struct Looked {
    pub(crate) row: Capture<'static>,
    pub(crate) is_admitted: bool,
}

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
pub(crate) fn rows(
    snapshot: &Snapshot,
    scope: &Scope,
    order: Order,
    time: TimeRange,
    gate: &Arc<Gate>,
) -> Rows {
    match scope {
        Scope::Range(range) => match order {
            Order::Backward => looked_at(snapshot.range_backwards(range), None, gate),
            Order::Forward | Order::Nearest(_) => looked_at(snapshot.range(range), None, gate),
        },
        Scope::Key(key) => {
            let target = snapshot.resolve_alias(key);
            let mut aliases = snapshot.aliases_of(target).peekable();
            if aliases.peek().is_none() {
                return versions(snapshot, target, order, time, &|rows| looked_at(rows, None, gate));
            }
            let keys = std::iter::once(target).chain(aliases);
            let look = |rows: Until| looked_at(rows, Some(target), gate);
            let streams = keys.map(|key| versions(snapshot, key, order, time, &look)).collect();
            Box::new(Together::new(streams, order))
        }
    }
}

/// The rows, looked at, and told under another key if one is given.
fn looked_at(
    rows: impl Iterator<Item = Result<Capture<'static>, index::Error>> + Send + 'static,
    told_as: Option<&str>,
    gate: &Arc<Gate>,
) -> Rows {
    let (gate, told_as, scan) = (Arc::clone(gate), told_as.map(str::to_owned), gate.scan().clone());
    // Nobody waits for what a client that is gone has asked for.
    let rows = rows.take_while(move |_| !scan.is_cancelled());
    Box::new(rows.map(move |row| {
        let mut row = row?;
        let is_admitted = gate.admits(&mut row, told_as.as_deref());
        if told_as.is_some() && row.key != told_as.as_deref().map(Into::into) {
            row.key = told_as.clone().map(Into::into);
        }
        Ok(Looked { row, is_admitted })
    }))
}

/// The rows of a scope from a mark on.
pub(crate) fn rows_from(snapshot: &Snapshot, scope: &Scope, mark: &Mark, gate: &Arc<Gate>) -> Rows {
    match scope {
        Scope::Range(range) => {
            let rows = snapshot.range_from(range, &mark.key, mark.time);
            Box::new(behind(looked_at(rows, None, gate), mark.clone()))
        }
        Scope::Key(_) => {
            let time = TimeRange { from: Some(mark.time), to: None };
            Box::new(behind(rows(snapshot, scope, Order::Forward, time, gate), mark.clone()))
        }
    }
}

/// Leaves out the rows that stand before a mark, which counts those that may be told of.
fn behind(rows: Rows, mark: Mark) -> impl Iterator<Item = Row> + Send {
    let mut left = mark.skip;
    rows.skip_while(move |looked| {
        let Ok(Looked { row, is_admitted }) = looked else { return false };
        let is_there = row.timestamp == Some(mark.time) && row.key.as_deref() == Some(&*mark.key);
        let is_before = left > 0 && is_there;
        left -= u64::from(is_before && *is_admitted);
        is_before
    })
}

fn versions(
    snapshot: &Snapshot,
    key: &str,
    order: Order,
    time: TimeRange,
    look: &dyn Fn(Until) -> Rows,
) -> Rows {
    let forward = |from: Option<Timestamp>| match from {
        Some(from) => snapshot.versions_from(key, from),
        None => snapshot.versions(key),
    };
    let backward = |to: Option<Timestamp>| match to.and_then(next) {
        Some(before) => snapshot.versions_before(key, before),
        None => snapshot.versions_backwards(key),
    };
    match order {
        Order::Forward => look(Until { rows: forward(time.from), time }),
        Order::Backward => look(Until { rows: backward(time.to), time }),
        Order::Nearest(at) => {
            let later = forward(Some(time.from.map_or(at, |from| from.max(at))));
            let earlier = match time.to.and_then(next).filter(|before| *before < at) {
                Some(before) => snapshot.versions_before(key, before),
                None => snapshot.versions_before(key, at),
            };
            let streams = [earlier, later].map(|rows| look(Until { rows, time }));
            Box::new(Together::new(streams.into(), order))
        }
    }
}

/// The time right behind this one.
fn next(time: Timestamp) -> Option<Timestamp> {
    Timestamp::from_number(time.as_number() + 1)
}

/// Rows up to the first outside of a time range.
struct Until {
    rows: Captures,
    time: TimeRange,
}

impl Iterator for Until {
    type Item = Result<Capture<'static>, index::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next().filter(|row| row.as_ref().map_or(true, |row| self.time.contains(row)))
    }
}

/// Streams of rows of several keys, or from both sides of a time, as one.
struct Together {
    streams: Vec<Rows>,
    /// The next row of each stream that has one, the first on top.
    heads: BinaryHeap<Reverse<(u64, usize)>>,
    rows: Vec<Option<Row>>,
    order: Order,
}

impl Together {
    fn new(streams: Vec<Rows>, order: Order) -> Together {
        let rows = streams.iter().map(|_| None).collect();
        let mut together = Together { streams, heads: BinaryHeap::new(), rows, order };
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
    let time = row.as_ref().ok().and_then(|looked| looked.row.timestamp);
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
        row
    }
}
