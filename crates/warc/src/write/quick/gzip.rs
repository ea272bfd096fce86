//! One gzip member (RFC 1952) of an input that lies in memory.

use super::bits::{Bits, STAGE_BYTES, Stage};
use super::block::{Blocks, store};
use super::matches::Finder;
use super::sample;
use super::symbol::Symbols;
use crate::member::crc32;

/// As libdeflate writes it at its first level: no time, packed for speed, by a system that is not told.
pub(super) const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255];

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
        let (mut finder, mut symbols) = (Finder::new(), Symbols::new());
        for record in sample::RECORDS {
            finder.begin(record.as_bytes());
            finder.find(false, &mut symbols);
        }
        let blocks = Blocks::new(&symbols);
        Quick { finder, symbols, blocks, stage }
    }

    /// Makes one member of all of `input`: how many bytes of `out` it takes; `None` when these do not suffice.
    pub(in crate::write) fn gzip(&mut self, input: &[u8], out: &mut [u8]) -> Option<usize> {
        let (header, rest) = out.split_first_chunk_mut()?;
        *header = HEADER;
        let length = self.deflate(input, true, rest)?;
        let place = rest.get_mut(length..)?.first_chunk_mut()?;
        *place = trailer(crc32(0, input), input.len() as u64);
        Some(HEADER.len() + length + TRAILER_BYTES)
    }

    /// Makes the blocks of a part of a member, which ends at a whole byte: how many bytes of `out` they take.
    pub(super) fn deflate(&mut self, input: &[u8], is_last: bool, out: &mut [u8]) -> Option<usize> {
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
            let is_through = at >= input.len();
            let part = input.get(from..at).unwrap_or_default();
            self.blocks.write(part, &self.symbols, is_last && is_through, &mut bits);
            if is_through {
                if !is_last {
                    // Only what is stored begins at a whole byte.
                    store(&[], false, &mut bits);
                }
                return bits.finish();
            }
            from = at;
            self.symbols.clear();
        }
    }
}

/// What stands at the end of a member: the checksum of its bytes, and the last 32 bits of how many they are.
pub(super) fn trailer(checksum: u32, length: u64) -> [u8; TRAILER_BYTES] {
    (u64::from(checksum) | length << 32).to_le_bytes()
}
