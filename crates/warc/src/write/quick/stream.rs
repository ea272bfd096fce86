//! A member that is made piece by piece, because it may be longer than memory.

use std::io::{self, Write};

use super::gzip::{HEADER, Quick, bound, trailer};
use crate::member::crc32;

/// Bytes that are packed at once. What one piece holds is not looked for in the next, so that it is many times as long as copies
/// reach.
const PIECE_BYTES: usize = 512 << 10;

/// Makes one member after another.
#[derive(Debug)]
pub(in crate::write) struct Stream {
    quick: Box<Quick>,
    /// What is not packed yet.
    piece: Vec<u8>,
    packed: Vec<u8>,
    checksum: u32,
    length: u64,
    has_begun: bool,
}

impl Stream {
    pub(in crate::write) fn new() -> Stream {
        let quick = Box::new(Quick::new());
        Stream { quick, piece: Vec::new(), packed: Vec::new(), checksum: 0, length: 0, has_begun: false }
    }

    /// Forgets what was there of a member.
    pub(in crate::write) fn begin(&mut self) {
        self.piece.clear();
        (self.checksum, self.length, self.has_begun) = (0, 0, false);
    }

    /// Takes further bytes: how many went to the sink.
    pub(in crate::write) fn push(&mut self, mut bytes: &[u8], sink: &mut impl Write) -> io::Result<u64> {
        let mut written = 0;
        while !bytes.is_empty() {
            if self.piece.len() == PIECE_BYTES {
                written += self.pack(false, sink)?;
            }
            let room = PIECE_BYTES - self.piece.len();
            let (taken, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
            self.piece.extend_from_slice(taken);
            bytes = rest;
        }
        Ok(written)
    }

    /// Ends the member: how many bytes went to the sink.
    pub(in crate::write) fn end(&mut self, sink: &mut impl Write) -> io::Result<u64> {
        let written = self.pack(true, sink)?;
        let end = trailer(self.checksum, self.length);
        sink.write_all(&end)?;
        Ok(written + end.len() as u64)
    }

    fn pack(&mut self, is_last: bool, sink: &mut impl Write) -> io::Result<u64> {
        let mut written = 0;
        if !self.has_begun {
            self.has_begun = true;
            sink.write_all(&HEADER)?;
            written = HEADER.len();
        }
        self.checksum = crc32(self.checksum, &self.piece);
        self.length = self.length.wrapping_add(self.piece.len() as u64);
        self.packed.resize(bound(self.piece.len()), 0);
        let packed = self.quick.deflate(&self.piece, is_last, &mut self.packed);
        let packed = packed.and_then(|length| self.packed.get(..length));
        let packed = packed.ok_or_else(|| io::Error::other("a piece became longer than it can"))?;
        sink.write_all(packed)?;
        self.piece.clear();
        Ok((written + packed.len()) as u64)
    }
}
