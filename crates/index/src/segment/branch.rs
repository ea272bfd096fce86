//! Branches: where up to 32 neighbouring leaves lie, and what each may hold. Version 1 had up to 128.
//!
//! ```text
//! count │ place of the first leaf │ for each leaf: bytes, separator, filter
//! ```
//! A separator is the shortest start of a leaf's first key that sorts behind all keys of the leaf before it.

use super::bytes::{Bytes, put_run, put_varint};
use super::heads::Heads;
use super::page::Place;

/// Leaves of one branch.
pub(crate) const LEAVES_MAX: usize = 32;
/// A branch is closed when it is so long, however few leaves it has: some keys are very long.
pub(crate) const BYTES_MAX: usize = 64 << 10;

/// A branch as read.
#[derive(Debug)]
pub(crate) struct Branch {
    bytes: Vec<u8>,
    /// Place of the first leaf.
    first_at: u64,
    leaves: Vec<Leaf>,
    /// Of the separators.
    heads: Heads,
}

/// One leaf, in as few bytes as will do: of all branches of a large index many megabytes are held in memory.
#[derive(Debug)]
struct Leaf {
    /// Where it begins behind the first.
    at: u32,
    length: u32,
    /// Where in the page separator and filter begin and end.
    separator: (u32, u32),
    filter: (u32, u32),
}

impl Branch {
    /// What the bytes of a page say; `None` where they make no sense.
    pub(crate) fn parse(bytes: Vec<u8>) -> Option<Branch> {
        let mut rest = Bytes(&bytes);
        let count = rest.size()?;
        let first_at = rest.varint()?;
        let mut at = 0_u32;
        // Each leaf takes three bytes at least, so a wrong count cannot ask for more room than the page has.
        let mut leaves = Vec::with_capacity(count.min(bytes.len() / 3));
        for _ in 0..count {
            let length = u32::try_from(rest.varint()?).ok()?;
            let separator = run(&mut rest, bytes.len())?;
            let filter = run(&mut rest, bytes.len())?;
            leaves.push(Leaf { at, length, separator, filter });
            at = at.checked_add(length)?;
        }
        first_at.checked_add(u64::from(at))?;
        if leaves.is_empty() || !rest.0.is_empty() {
            return None;
        }
        let mut branch = Branch { bytes, first_at, leaves, heads: Heads::default() };
        branch.heads = Heads::of(branch.len(), |leaf| branch.separator(leaf).unwrap_or_default());
        Some(branch)
    }

    pub(crate) fn len(&self) -> usize {
        self.leaves.len()
    }

    pub(crate) fn place(&self, leaf: usize) -> Option<Place> {
        let leaf = self.leaves.get(leaf)?;
        Some(Place { at: self.first_at + u64::from(leaf.at), bytes: leaf.length as usize })
    }

    pub(crate) fn separator(&self, leaf: usize) -> Option<&[u8]> {
        self.part(self.leaves.get(leaf)?.separator)
    }

    pub(crate) fn filter(&self, leaf: usize) -> Option<&[u8]> {
        self.part(self.leaves.get(leaf)?.filter)
    }

    /// The last leaf whose separator sorts before the key: the first that may hold the key or what sorts behind it.
    pub(crate) fn find(&self, key: &[u8]) -> usize {
        let before = self.heads.count_before(key, |leaf| self.separator(leaf).unwrap_or_default());
        before.saturating_sub(1)
    }

    fn part(&self, (start, end): (u32, u32)) -> Option<&[u8]> {
        self.bytes.get(start as usize..end as usize)
    }

    /// Bytes that it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        self.bytes.len() + self.leaves.len() * size_of::<Leaf>() + self.heads.weight()
    }
}

/// Where in the page the next run lies.
fn run(rest: &mut Bytes<'_>, whole: usize) -> Option<(u32, u32)> {
    let length = rest.run()?.len();
    let end = whole - rest.0.len();
    Some((u32::try_from(end - length).ok()?, u32::try_from(end).ok()?))
}

/// A branch that is being written.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    first_at: u64,
    count: usize,
    leaves: Vec<u8>,
    /// Separator of the first leaf, which becomes that of the branch.
    pub(crate) separator: Vec<u8>,
}

impl Growing {
    pub(crate) fn push(&mut self, place: Place, separator: &[u8], filter: &[u8]) {
        if self.count == 0 {
            self.first_at = place.at;
            self.separator = separator.to_vec();
        }
        put_varint(&mut self.leaves, place.bytes as u64);
        put_run(&mut self.leaves, separator);
        put_run(&mut self.leaves, filter);
        self.count += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn is_full(&self) -> bool {
        self.count >= LEAVES_MAX || self.leaves.len() >= BYTES_MAX
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.leaves.len() + 20);
        put_varint(&mut bytes, self.count as u64);
        put_varint(&mut bytes, self.first_at);
        bytes.extend_from_slice(&self.leaves);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_found_by_their_separators() {
        let mut growing = Growing::default();
        for (at, separator) in ["", "b", "bb", "d"].into_iter().enumerate() {
            growing.push(Place { at: 100 + 10 * at as u64, bytes: 10 }, separator.as_bytes(), b"f");
        }
        let branch = Branch::parse(growing.to_bytes()).unwrap();
        assert_eq!(branch.len(), 4);
        assert_eq!(branch.place(2), Some(Place { at: 120, bytes: 10 }));
        assert_eq!((branch.separator(2), branch.filter(2)), (Some(b"bb".as_slice()), Some(b"f".as_slice())));
        for (key, leaf) in [("", 0), ("a", 0), ("b", 0), ("b ", 1), ("bb", 1), ("c", 2), ("d", 2), ("dd", 3)]
        {
            assert_eq!(branch.find(key.as_bytes()), leaf, "{key}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        let mut growing = Growing::default();
        growing.push(Place { at: 1, bytes: 10 }, b"a", b"");
        let bytes = growing.to_bytes();
        for cut in 0..bytes.len() {
            assert!(Branch::parse(bytes.get(..cut).unwrap().to_vec()).is_none());
        }
        assert!(Branch::parse([bytes.as_slice(), &[0]].concat()).is_none());
        assert!(Branch::parse(Growing::default().to_bytes()).is_none());
        assert!(Branch::parse(vec![0xff, 0xff, 0xff, 0xff, 0x7f, 0]).is_none());
    }
}
