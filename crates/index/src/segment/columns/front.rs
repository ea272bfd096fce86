//! Texts one behind the other, each without what it has in common with the start of the one before.
//!
//! ```text
//! for each: bytes in common │ for each: bytes that are new │ those bytes
//! ```

use super::super::bytes::{Bytes, put_varint};

/// Appends texts.
pub(super) fn put<'a>(out: &mut Vec<u8>, texts: impl Iterator<Item = &'a [u8]> + Clone) {
    let mut before: &[u8] = &[];
    let mut lengths = Vec::new();
    let mut ends = Vec::new();
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

/// Texts as read: all of them in a row, and where each ends.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub(super) bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Texts {
    pub(super) fn get(&self, at: usize) -> Option<&[u8]> {
        let start = match at.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.bytes.get(start..*self.ends.get(at)? as usize)
    }

    /// Bytes that they take in memory.
    pub(super) fn weight(&self) -> usize {
        self.bytes.len() + self.ends.len() * 4
    }
}

/// Reads so many texts, which unfold to no more bytes than there is room for. `behind` gives what is to stand behind each.
pub(super) fn read<'a>(
    rest: &mut Bytes<'a>,
    count: usize,
    room: &mut usize,
    mut behind: impl FnMut(usize, &mut Vec<u8>) -> Option<()>,
) -> Option<Texts> {
    let mut commons = Vec::with_capacity(count);
    for _ in 0..count {
        commons.push(rest.size()?);
    }
    let mut lengths = Vec::with_capacity(count);
    let (mut total, mut fresh) = (0_usize, 0_usize);
    for common in &commons {
        let length = rest.size()?;
        total = total.checked_add(common.checked_add(length)?)?;
        fresh = fresh.checked_add(length)?;
        lengths.push(length);
    }
    *room = room.checked_sub(total)?;
    let mut fresh = Bytes(rest.take(fresh)?);
    let mut texts = Texts { bytes: Vec::with_capacity(total + count * 15), ends: Vec::with_capacity(count) };
    let (mut start, mut end) = (0, 0);
    for (at, (common, length)) in commons.into_iter().zip(lengths).enumerate() {
        if common > end - start {
            return None;
        }
        let from = start;
        start = texts.bytes.len();
        texts.bytes.extend_from_within(from..from + common);
        texts.bytes.extend_from_slice(fresh.take(length)?);
        end = texts.bytes.len();
        behind(at, &mut texts.bytes)?;
        texts.ends.push(u32::try_from(texts.bytes.len()).ok()?);
    }
    Some(texts)
}
