//! The rows of several segments as one sorted stream: by key, then time, then commit.
//!
//! Rows of commits that were withdrawn are left out. Holds one leaf of each segment in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Error;
use crate::segment::{Row, RowCursor, Segment};
use crate::snapshot::Live;

/// Rows of segments, in order: call [`advance`](Merged::advance), then [`row`](Merged::row).
pub(crate) struct Merged {
    inputs: Vec<Input>,
    heads: BinaryHeap<Reverse<Head>>,
    /// The row handed out last, whose room is used for the next one of its input.
    current: Option<Head>,
    /// Rows from here on are not wanted; `None` where all are.
    end: Option<Vec<u8>>,
}

struct Input {
    live: Live,
    cursor: RowCursor,
}

/// The next row of an input. Fields are in the order in which they decide.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Head {
    order: Vec<u8>,
    commit: u64,
    input: usize,
}

impl Merged {
    /// Rows from one `key time`, or a start of it, up to but without another.
    pub(crate) fn new(segments: &[Live], start: &[u8], end: Option<&[u8]>) -> Result<Merged, Error> {
        let mut merged = Merged {
            inputs: Vec::new(),
            heads: BinaryHeap::new(),
            current: None,
            end: end.map(<[u8]>::to_vec),
        };
        for live in segments {
            let cursor = RowCursor::seek(&live.segment, start)?;
            merged.inputs.push(Input { live: live.clone(), cursor });
            merged.refill(Head { order: Vec::new(), commit: 0, input: merged.inputs.len() - 1 })?;
        }
        Ok(merged)
    }

    /// Goes to the next row; `false` at the end.
    pub(crate) fn advance(&mut self) -> Result<bool, Error> {
        if let Some(last) = self.current.take() {
            if let Some(input) = self.inputs.get_mut(last.input) {
                input.cursor.advance()?;
            }
            self.refill(last)?;
        }
        self.current = self.heads.pop().map(|Reverse(head)| head);
        Ok(self.current.is_some())
    }

    /// The row, and the segment that it is of.
    pub(crate) fn row(&self) -> Option<(Row<'_>, &Segment)> {
        let cursor = &self.inputs.get(self.current.as_ref()?.input)?.cursor;
        Some((cursor.row()?, cursor.segment()))
    }

    /// Where the leaf of the current row begins, for an error.
    pub(crate) fn offset(&self) -> u64 {
        let input = self.current.as_ref().and_then(|head| self.inputs.get(head.input));
        input.map_or(0, |input| input.cursor.offset())
    }

    /// Puts the next row of an input among the heads, if it has one that is wanted.
    fn refill(&mut self, mut head: Head) -> Result<(), Error> {
        let Some(Input { live, cursor }) = self.inputs.get_mut(head.input) else { return Ok(()) };
        while cursor.row().is_some_and(|row| !live.has(row.commit)) {
            cursor.advance()?;
        }
        let Some(row) = cursor.row() else { return Ok(()) };
        if self.end.as_ref().is_some_and(|end| row.order >= end.as_slice()) {
            return Ok(());
        }
        head.order.clear();
        head.order.extend_from_slice(row.order);
        head.commit = live.segment.commit(row.commit).unwrap_or_default();
        self.heads.push(Reverse(head));
        Ok(())
    }
}
