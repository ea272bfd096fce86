//! The rows of several segments as one sorted stream: by key, then time, then commit; or the same backwards.
//!
//! Rows of commits that were withdrawn are left out, and so is what `hiding` finds to be replaced or deleted. Holds one leaf of each
//! segment in memory.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

use crate::Error;
use crate::hiding;
use crate::manifest::Kind;
use crate::segment::{Row, RowCursor, Segment};
use crate::snapshot::Live;

/// Which way to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the first to the last.
    Forward,
    /// From the last to the first.
    Backward,
}

/// Rows of segments, in order: call [`advance`](Merged::advance), then [`row`](Merged::row).
pub(crate) struct Merged {
    inputs: Vec<Input>,
    heads: BinaryHeap<Head>,
    direction: Direction,
    /// The row handed out last, whose room is used for the next one of its input.
    current: Option<Head>,
    /// Rows from here on, or before here when going backwards, are not wanted; `None` where all are.
    bound: Option<Vec<u8>>,
    /// Rows of one key and time, where one of them may hide another.
    group: Option<Group>,
}

struct Input {
    live: Live,
    cursor: RowCursor,
}

/// Rows of one key and time that are still to be handed out.
#[derive(Default)]
struct Group {
    waiting: VecDeque<Held>,
    current: Option<Held>,
    /// Whether rows that say that others are gone are handed out too.
    with_deletes: bool,
}

/// A row that is held while others of its key and time are looked at.
pub(crate) struct Held {
    pub(crate) cursor: RowCursor,
    pub(crate) commit: u64,
    pub(crate) kind: Kind,
}

/// The next row of an input.
#[derive(PartialEq, Eq)]
struct Head {
    order: Vec<u8>,
    commit: u64,
    input: usize,
    direction: Direction,
}

impl Ord for Head {
    /// The greatest is handed out first.
    fn cmp(&self, other: &Head) -> Ordering {
        let ordering = (&self.order, self.commit, self.input).cmp(&(&other.order, other.commit, other.input));
        match self.direction {
            Direction::Forward => ordering.reverse(),
            Direction::Backward => ordering,
        }
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Merged {
    /// Rows from one `key time`, or a start of it, up to but without another.
    pub(crate) fn new(segments: &[Live], start: &[u8], end: Option<&[u8]>) -> Result<Merged, Error> {
        let mut merged = Merged::empty(segments, Direction::Forward, end);
        for live in segments {
            let cursor = RowCursor::seek(&live.segment, start)?;
            merged.take_input(live, cursor)?;
        }
        Ok(merged)
    }

    /// The same rows, the last first.
    pub(crate) fn backwards(segments: &[Live], start: &[u8], end: Option<&[u8]>) -> Result<Merged, Error> {
        let mut merged = Merged::empty(segments, Direction::Backward, Some(start));
        for live in segments {
            let cursor = match end {
                Some(end) => RowCursor::seek_before(&live.segment, end)?,
                None => RowCursor::last(&live.segment)?,
            };
            if let Some(cursor) = cursor {
                merged.take_input(live, cursor)?;
            }
        }
        Ok(merged)
    }

    /// All rows for a merge of segments: with those that say that others are gone.
    pub(crate) fn with_deletes(segments: &[Live]) -> Result<Merged, Error> {
        let mut merged = Merged::new(segments, &[], None)?;
        if let Some(group) = &mut merged.group {
            group.with_deletes = true;
        }
        Ok(merged)
    }

    fn empty(segments: &[Live], direction: Direction, bound: Option<&[u8]>) -> Merged {
        Merged {
            inputs: Vec::with_capacity(segments.len()),
            heads: BinaryHeap::with_capacity(segments.len()),
            direction,
            current: None,
            bound: bound.map(<[u8]>::to_vec),
            group: segments.iter().any(Live::hides).then(Group::default),
        }
    }

    fn take_input(&mut self, live: &Live, cursor: RowCursor) -> Result<(), Error> {
        self.inputs.push(Input { live: live.clone(), cursor });
        let (input, direction) = (self.inputs.len() - 1, self.direction);
        self.refill(Head { order: Vec::new(), commit: 0, input, direction })
    }

    /// Goes to the next row; `false` at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, Error> {
        let Some(mut group) = self.group.take() else { return self.step() };
        while group.waiting.is_empty() && self.gather(&mut group)? {}
        group.current = group.waiting.pop_front();
        let is_one = group.current.is_some();
        self.group = Some(group);
        Ok(is_one)
    }

    /// The row, and the segment that it is of.
    pub(crate) fn row(&self) -> Option<(Row<'_>, &Segment)> {
        let cursor = self.cursor()?;
        Some((cursor.row()?, cursor.segment()))
    }

    /// Number of the commit of the current row, and what it means for others.
    pub(crate) fn commit(&self) -> Option<(u64, Kind)> {
        if let Some(group) = &self.group {
            return group.current.as_ref().map(|held| (held.commit, held.kind));
        }
        self.current.as_ref().map(|head| (head.commit, Kind::Named))
    }

    /// Where the leaf of the current row begins, for an error.
    pub(crate) fn offset(&self) -> u64 {
        self.cursor().map_or(0, RowCursor::offset)
    }

    /// Where the current row lies.
    pub(crate) fn cursor(&self) -> Option<&RowCursor> {
        match &self.group {
            Some(group) => group.current.as_ref().map(|held| &held.cursor),
            None => self.inputs.get(self.current.as_ref()?.input).map(|input| &input.cursor),
        }
    }

    /// Takes the rows of the next key and time, and keeps those that nothing hides; `false` at the end.
    fn gather(&mut self, group: &mut Group) -> Result<bool, Error> {
        let Some(order) = self.heads.peek().map(|head| head.order.clone()) else { return Ok(false) };
        let mut held = Vec::new();
        while self.heads.peek().is_some_and(|head| head.order == order) {
            self.current = self.heads.pop();
            if let Some((head, input)) = self.current_input()
                && let Some(kind) = input.cursor.row().and_then(|row| input.live.kind(row.commit))
            {
                held.push(Held { cursor: input.cursor.clone(), commit: head.commit, kind });
            }
            self.go_on()?;
        }
        let (direction, with_deletes) = (self.direction, group.with_deletes);
        group.waiting.extend(hiding::survivors(held, direction, with_deletes)?);
        Ok(true)
    }

    fn current_input(&self) -> Option<(&Head, &Input)> {
        let head = self.current.as_ref()?;
        Some((head, self.inputs.get(head.input)?))
    }

    /// Goes to the next row of any kind.
    fn step(&mut self) -> Result<bool, Error> {
        self.go_on()?;
        self.current = self.heads.pop();
        Ok(self.current.is_some())
    }

    /// Leaves the current row, and finds the next one of its input.
    fn go_on(&mut self) -> Result<(), Error> {
        let Some(last) = self.current.take() else { return Ok(()) };
        if let Some(input) = self.inputs.get_mut(last.input) {
            input.go_on(self.direction)?;
        }
        self.refill(last)
    }

    /// Puts the next row of an input among the heads, if it has one that is wanted.
    fn refill(&mut self, mut head: Head) -> Result<(), Error> {
        let direction = self.direction;
        let Some(input) = self.inputs.get_mut(head.input) else { return Ok(()) };
        while input.cursor.row().is_some_and(|row| !input.live.has(row.commit)) {
            input.go_on(direction)?;
        }
        let Some(row) = input.cursor.row() else { return Ok(()) };
        let is_out = |bound: &Vec<u8>| match direction {
            Direction::Forward => row.order >= bound.as_slice(),
            Direction::Backward => row.order < bound.as_slice(),
        };
        if self.bound.as_ref().is_some_and(is_out) {
            return Ok(());
        }
        head.order.clear();
        head.order.extend_from_slice(row.order);
        head.commit = input.live.segment.commit(row.commit).unwrap_or_default();
        self.heads.push(head);
        Ok(())
    }
}

impl Input {
    fn go_on(&mut self, direction: Direction) -> Result<(), Error> {
        match direction {
            Direction::Forward => self.cursor.advance(),
            Direction::Backward => self.cursor.retreat_out(),
        }
    }
}
