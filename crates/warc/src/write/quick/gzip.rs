//! One gzip member (RFC 1952) of an input that lies in memory.

use super::bits::{Bits, STAGE_BYTES, Stage};
use super::block::Blocks;
use super::matches::Finder;
use super::symbol::Symbols;
use crate::member::crc32;

/// As libdeflate writes it at its first level: no time, packed for speed, by a system that is not told.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255];

/// Checksum and length.
const TRAILER_BYTES: usize = 8;

/// Most bytes that a member of so many bytes can take: it is stored when nothing is won by packing it, in blocks of some
/// kilobytes at least.
pub(in crate::write) fn bound(length: usize) -> usize {
    HEADER.len() + length + 6 * (1 + length / (4 << 10)) + TRAILER_BYTES
}

/// Makes one member after another, and keeps its memory (about 200 kB) between them.
#[derive(Debug)]
pub(in crate::write) struct Quick {
    finder: Finder,
    symbols: Symbols,
    blocks: Blocks,
    stage: Box<Stage>,
}

impl Quick {
    pub(in crate::write) fn new() -> Quick {
        let stage = Box::new([0; STAGE_BYTES + 8]);
        Quick { finder: Finder::new(), symbols: Symbols::new(), blocks: Blocks::new(), stage }
    }

    /// Makes one member of all of `input`: how many bytes of `out` it takes; `None` when these do not suffice.
    pub(in crate::write) fn gzip(&mut self, input: &[u8], out: &mut [u8]) -> Option<usize> {
        let (header, rest) = out.split_first_chunk_mut()?;
        *header = HEADER;
        let length = self.deflate(input, rest)?;
        let trailer = rest.get_mut(length..)?.first_chunk_mut::<TRAILER_BYTES>()?;
        // The length is told by its last 32 bits.
        let told = u64::from(crc32(input)) | (input.len() as u64) << 32;
        *trailer = told.to_le_bytes();
        Some(HEADER.len() + length + TRAILER_BYTES)
    }

    fn deflate(&mut self, input: &[u8], out: &mut [u8]) -> Option<usize> {
        let mut bits = Bits::new(out, &mut self.stage);
        let mut rest = self.finder.begin(input);
        let (mut from, mut at) = (0, 0);
        self.symbols.clear();
        loop {
            at += self.finder.find(!rest.is_empty(), &mut self.symbols);
            if !rest.is_empty() && self.finder.is_through() {
                rest = self.finder.go_on(rest);
                continue;
            }
            let is_last = at >= input.len();
            let part = input.get(from..at).unwrap_or_default();
            self.blocks.write(part, &self.symbols, is_last, &mut bits);
            if is_last {
                return bits.finish();
            }
            from = at;
            self.symbols.clear();
        }
    }
}
