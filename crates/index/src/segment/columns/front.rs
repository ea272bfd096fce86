//! Texts one behind the other, each without what it has in common with the start of the one before.
//!
//! ```text
//! for each: bytes in common │ for each: bytes that are new │ those bytes
//! ```

use super::super::bytes::{Bytes, put_varint};
use super::arena::{Arena, Marks, Source};

/// Appends texts.
pub(super) fn put<'a>(out: &mut Vec<u8>, texts: impl Iterator<Item = &'a [u8]> + Clone) {
    let mut before: &[u8] = &[];
    let mut lengths = Vec::with_capacity(64);
    let mut ends = Vec::with_capacity(1 << 10);
    for text in texts {
        let common = common(before, text);
        put_varint(out, common as u64);
        put_varint(&mut lengths, (text.len() - common) as u64);
        ends.extend_from_slice(text.get(common..).unwrap_or_default());
        before = text;
    }
    out.extend_from_slice(&lengths);
    out.extend_from_slice(&ends);
}

/// Bytes that two texts begin with alike.
pub(super) fn common(left: &[u8], right: &[u8]) -> usize {
    let (left_words, _) = left.as_chunks::<8>();
    let (right_words, _) = right.as_chunks::<8>();
    let alike = left_words.iter().zip(right_words).take_while(|(left, right)| left == right).count() * 8;
    let rest = |text| <[u8]>::get(text, alike..).unwrap_or_default();
    alike + rest(left).iter().zip(rest(right)).take_while(|(left, right)| left == right).count()
}

/// Texts as read: one behind the other in the bytes of the leaf.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Texts {
    first: usize,
    ends: Marks,
}

impl Texts {
    pub(super) fn get(self, arena: &Arena, at: usize) -> Option<&[u8]> {
        let start = match at.checked_sub(1) {
            Some(before) => arena.mark(self.ends, before)? as usize,
            None => self.first,
        };
        arena.bytes.get(start..arena.mark(self.ends, at)? as usize)
    }
}

/// Reads so many texts, which unfold to no more bytes than there is room for. `behind` gives what is to stand behind each.
pub(super) fn read(
    source: &mut Source<'_>,
    arena: &mut Arena,
    count: usize,
    mut behind: impl FnMut(usize, &mut Vec<u8>) -> Option<()>,
) -> Option<Texts> {
    // Three places at once: what is in common, how much is new, and that itself.
    let mut commons = source.text;
    for _ in 0..count {
        source.text.varint()?;
    }
    let mut lengths = source.text;
    let mut fresh_bytes = 0_usize;
    for _ in 0..count {
        fresh_bytes = fresh_bytes.checked_add(source.text.size()?)?;
    }
    let mut fresh = Bytes(source.text.take(fresh_bytes)?);
    let texts = Texts { first: arena.bytes.len(), ends: arena.marks_begin() };
    let (mut start, mut end) = (arena.bytes.len(), arena.bytes.len());
    for at in 0..count {
        let (common, length) = (commons.size()?, lengths.size()?);
        if common > end - start {
            return None;
        }
        source.room = source.room.checked_sub(common)?.checked_sub(length)?;
        let from = start;
        start = arena.bytes.len();
        arena.bytes.extend_from_within(from..from + common);
        arena.bytes.extend_from_slice(fresh.take(length)?);
        end = arena.bytes.len();
        behind(at, &mut arena.bytes)?;
        arena.push_mark(arena.bytes.len())?;
    }
    Some(texts)
}
