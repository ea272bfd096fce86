//! A piece of a script that is being read: looking ahead in it, and writing it out with changes.

use crate::Place;

/// Not enough bytes to decide.
pub(super) struct More;

/// Bytes of a script, and how far they are read and written.
pub(super) struct Piece<'a> {
    pub(super) code: &'a [u8],
    pub(super) at: usize,
    /// From here on nothing is written yet.
    from: usize,
    pub(super) last: bool,
    pub(super) place: &'a Place,
    pub(super) out: &'a mut Vec<u8>,
}

impl<'a> Piece<'a> {
    pub(super) fn new(code: &'a [u8], last: bool, place: &'a Place, out: &'a mut Vec<u8>) -> Piece<'a> {
        Piece { code, at: 0, from: 0, last, place, out }
    }

    /// All from so far ahead on.
    pub(super) fn rest(&self, behind: usize) -> &'a [u8] {
        self.code.get(self.at + behind..).unwrap_or_default()
    }

    /// A byte ahead, if it is there.
    pub(super) fn byte(&self, behind: usize) -> Option<u8> {
        self.code.get(self.at + behind).copied()
    }

    /// A byte ahead; zero behind the end of the script.
    pub(super) fn ahead(&self, behind: usize) -> Result<u8, More> {
        match self.byte(behind) {
            Some(byte) => Ok(byte),
            None if self.last => Ok(0),
            None => Err(More),
        }
    }

    /// Writes all up to a place, then something else for the bytes up to another.
    pub(super) fn put(&mut self, start: usize, end: usize, text: &str) {
        self.out.extend_from_slice(self.code.get(self.from..start).unwrap_or_default());
        self.out.extend_from_slice(text.as_bytes());
        self.from = end;
    }
}
