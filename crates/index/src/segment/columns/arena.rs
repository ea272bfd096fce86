//! What a leaf as read consists of: its two parts as they are, and what was unfolded of them, each kind in one piece.
//!
//! A leaf has a dozen columns and is read for the sake of one row, so most of what reading it could cost is asking for memory.
//! Columns are places in here.

use super::super::bytes::Bytes;

/// The memory of a leaf.
#[derive(Debug, Default)]
pub(super) struct Arena {
    /// The part that was packed.
    pub(super) text: Vec<u8>,
    /// Texts that were put together.
    pub(super) bytes: Vec<u8>,
    /// Places, numbers of places.
    pub(super) marks: Vec<u32>,
    /// Numbers of columns of numbers.
    pub(super) numbers: Vec<u64>,
}

/// Some marks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Marks {
    start: usize,
}

impl Arena {
    /// From here on marks are pushed.
    pub(super) fn marks_begin(&self) -> Marks {
        Marks { start: self.marks.len() }
    }

    pub(super) fn mark(&self, marks: Marks, at: usize) -> Option<u32> {
        self.marks.get(marks.start.checked_add(at)?).copied()
    }

    pub(super) fn push_mark(&mut self, place: usize) -> Option<()> {
        self.marks.push(u32::try_from(place).ok()?);
        Some(())
    }

    /// Bytes that it takes in memory.
    pub(super) fn weight(&self) -> usize {
        self.text.len() + self.bytes.len() + self.marks.len() * 4 + self.numbers.len() * 8
    }
}

/// A leaf that is being read.
pub(super) struct Source<'a> {
    pub(super) random: Bytes<'a>,
    pub(super) text: Bytes<'a>,
    /// All of the text, to know places in it.
    pub(super) text_bytes: usize,
    /// Bytes that texts may still unfold to.
    pub(super) room: usize,
}

impl Source<'_> {
    /// Where in the text we are.
    pub(super) fn place(&self) -> usize {
        self.text_bytes - self.text.0.len()
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.text.take(1)?.first().copied()
    }

    /// Passes over bytes of the text; where they begin.
    pub(super) fn skip(&mut self, count: usize) -> Option<usize> {
        let place = self.place();
        self.text.take(count).map(|_| place)
    }
}
