//! Fingerprints: from the hash of a digest to the rows that have it. As version 1 wrote them, and as they are sorted.
//!
//! ```text
//! ┌─────────┬─────────┬─────────┬─────────┬─────────┐
//! │ hash    │ time    │ commit  │ leaf    │ row     │   24 bytes, big-endian, sorted
//! │ 8 bytes │ 6 bytes │ 4 bytes │ 4 bytes │ 2 bytes │
//! └─────────┴─────────┴─────────┴─────────┴─────────┘
//! ```
//! The time is the 14 digits as a number. Of digests the first capture is asked for, of URLs, which had fingerprints in version 1,
//! the newest: therefore all behind the hash is inverted for URLs, and the first fingerprint of a hash is always the one wanted.

/// Bytes of one.
const PRINT_BYTES: usize = 24;

/// Which of the rows with one hash comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The earliest: digests.
    Earliest,
    /// The latest: URLs.
    Latest,
}

/// One fingerprint, as three numbers that sort as its bytes do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Print([u64; 3]);

/// What a fingerprint points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    /// The 14 digits of its time.
    pub(crate) time: u64,
    /// Number of its commit in the segment.
    pub(crate) commit: u32,
    /// Number of the leaf that holds the row.
    pub(crate) leaf: u32,
    /// Number of the row in the leaf.
    pub(crate) row: u16,
}

impl Print {
    /// The one that sorts first.
    pub(crate) const LEAST: Print = Print([0; 3]);

    pub(crate) fn new(hash: u64, target: &Target, wanted: Wanted) -> Print {
        let commit = u64::from(target.commit);
        let middle = target.time << 16 | commit >> 16;
        let last = commit << 48 | u64::from(target.leaf) << 16 | u64::from(target.row);
        match wanted {
            Wanted::Earliest => Print([hash, middle, last]),
            Wanted::Latest => Print([hash, !middle, !last]),
        }
    }

    pub(crate) fn hash(self) -> u64 {
        self.0[0]
    }

    pub(crate) fn target(self, wanted: Wanted) -> Target {
        let [_, middle, last] = self.0;
        let (middle, last) = match wanted {
            Wanted::Earliest => (middle, last),
            Wanted::Latest => (!middle, !last),
        };
        let [_, _, a, b, c, d, e, f] = last.to_be_bytes();
        let [.., g, h] = middle.to_be_bytes();
        let [i, j, ..] = last.to_be_bytes();
        Target {
            time: middle >> 16,
            commit: u32::from_be_bytes([g, h, i, j]),
            leaf: u32::from_be_bytes([a, b, c, d]),
            row: u16::from_be_bytes([e, f]),
        }
    }

    pub(crate) fn to_bytes(self) -> [u8; PRINT_BYTES] {
        let mut bytes = [0; PRINT_BYTES];
        for (part, number) in bytes.chunks_exact_mut(8).zip(self.0) {
            part.copy_from_slice(&number.to_be_bytes());
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; PRINT_BYTES]) -> Print {
        let (parts, _) = bytes.as_chunks::<8>();
        let mut numbers = parts.iter().map(|part| u64::from_be_bytes(*part));
        Print(std::array::from_fn(|_| numbers.next().unwrap_or_default()))
    }
}

/// A leaf as read.
#[derive(Debug)]
pub(crate) struct Prints(Vec<Print>);

impl Prints {
    /// What the bytes of a page say; `None` where they make no sense.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Prints> {
        let (prints, rest) = bytes.as_chunks();
        let is_sound = !prints.is_empty() && rest.is_empty();
        is_sound.then(|| Prints(prints.iter().map(Print::from_bytes).collect()))
    }

    pub(crate) fn get(&self, at: usize) -> Option<Print> {
        self.0.get(at).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many have a smaller hash.
    pub(crate) fn count_before(&self, hash: u64) -> usize {
        self.0.partition_point(|print| print.hash() < hash)
    }

    /// Bytes that it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        self.0.len() * PRINT_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EARLY: Target = Target { time: 20_140_101_000_000, commit: 0x0102_0304, leaf: u32::MAX, row: 9 };
    const LATE: Target = Target { time: 99_999_999_999_999, commit: u32::MAX, leaf: 0, row: u16::MAX };

    #[test]
    fn targets_come_back_and_the_wanted_one_is_first() {
        for (wanted, first) in [(Wanted::Earliest, EARLY), (Wanted::Latest, LATE)] {
            let mut prints = [EARLY, LATE].map(|target| Print::new(77, &target, wanted));
            prints.sort_unstable();
            let bytes = prints.map(Print::to_bytes);
            assert!(bytes.is_sorted(), "bytes and numbers sort differently");
            let leaf = Prints::parse(&bytes.concat()).unwrap();
            assert_eq!(leaf.get(0).unwrap().target(wanted), first);
            assert_eq!((leaf.len(), leaf.count_before(77), leaf.count_before(78)), (2, 0, 2));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Prints::parse(&[]).is_none());
        assert!(Prints::parse(&[0; 25]).is_none());
    }
}
