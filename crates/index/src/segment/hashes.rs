//! Leaves of short hashes: from the hash of a digest to the leaves of rows that have it.
//!
//! ```text
//! count │ for each: 40 bits of the hash, less those of the one before │ for each: number of the leaf │ for each: number of the row
//! ```
//! Sorted by hash, then time, commit, and place; so the first of a hash is the earliest. What they lead to is compared with what was
//! asked: a collision costs time and nothing else.

use super::bytes::{Bytes, put_varint};

/// Bits that are left out.
const CUT_BITS: u32 = 24;
/// Of one leaf.
pub(crate) const LEAF_HASHES: usize = 128;

/// The upper bits of a hash.
pub(crate) fn cut(hash: u64) -> u64 {
    hash >> CUT_BITS
}

/// The same as a key of the tree.
pub(crate) fn key(hash: u64) -> [u8; 5] {
    let [_, _, _, a, b, c, d, e] = cut(hash).to_be_bytes();
    [a, b, c, d, e]
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortHash {
    /// 40 bits.
    pub(crate) hash: u64,
    /// Number of the leaf that holds the row.
    pub(crate) leaf: u32,
    /// Number of the row in the leaf.
    pub(crate) row: u8,
}

/// Appends a leaf.
pub(crate) fn put(out: &mut Vec<u8>, hashes: &[ShortHash]) {
    put_varint(out, hashes.len() as u64);
    let mut before = 0;
    for hash in hashes {
        put_varint(out, hash.hash - before);
        before = hash.hash;
    }
    hashes.iter().for_each(|hash| put_varint(out, u64::from(hash.leaf)));
    out.extend(hashes.iter().map(|hash| hash.row));
}

/// A leaf as read.
#[derive(Debug)]
pub(crate) struct ShortHashes(Vec<ShortHash>);

impl ShortHashes {
    /// What the bytes of a page say; `None` where they make no sense.
    pub(crate) fn parse(bytes: &[u8]) -> Option<ShortHashes> {
        let mut rest = Bytes(bytes);
        // Each takes three bytes at least, so a wrong count cannot ask for more room than the page has.
        let count = rest.size().filter(|count| *count > 0 && *count <= bytes.len() / 3)?;
        let mut hashes = Vec::with_capacity(count);
        let mut hash = 0_u64;
        for _ in 0..count {
            hash = hash.checked_add(rest.varint()?)?;
            hashes.push(ShortHash { hash, leaf: 0, row: 0 });
        }
        for entry in &mut hashes {
            entry.leaf = u32::try_from(rest.varint()?).ok()?;
        }
        for (entry, row) in hashes.iter_mut().zip(rest.take(count)?) {
            entry.row = *row;
        }
        rest.0.is_empty().then_some(ShortHashes(hashes))
    }

    pub(crate) fn get(&self, at: usize) -> Option<ShortHash> {
        self.0.get(at).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many are smaller.
    pub(crate) fn count_before(&self, hash: u64) -> usize {
        self.0.partition_point(|other| other.hash < hash)
    }

    /// Bytes that it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        self.0.len() * size_of::<ShortHash>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_come_back_and_nonsense_is_refused() {
        let hashes: Vec<ShortHash> = (0..300_u64)
            .map(|number| ShortHash {
                hash: number / 2 * 77_777_777,
                leaf: (number * number) as u32,
                row: number as u8,
            })
            .collect();
        let mut page = Vec::new();
        put(&mut page, &hashes);
        let read = ShortHashes::parse(&page).unwrap();
        assert!((0..300).all(|at| read.get(at) == Some(hashes[at])));
        assert_eq!((read.len(), read.count_before(77_777_777), read.count_before(0)), (300, 2, 0));
        for cut in 0..page.len() {
            assert!(ShortHashes::parse(&page[..cut]).is_none());
        }
        assert!(ShortHashes::parse(&[0xff, 0xff, 0xff, 0x7f, 1, 1]).is_none());
    }

    #[test]
    fn keys_sort_as_hashes_do() {
        assert_eq!(key(0x0102_0304_0506_0708), [1, 2, 3, 4, 5]);
        assert_eq!(cut(0x0102_0304_0506_0708), 0x01_0203_0405);
    }
}
