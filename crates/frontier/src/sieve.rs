//! What was certainly never seen, told without asking the disk.
//!
//! A Bloom filter of fixed size. A URL has seven bits in one block of 512, so a look costs one miss of the processor's cache. Up
//! to ten bits for each URL, some ten million in the usual size, it errs at one in a hundred; far beyond, it says "perhaps" of
//! everything, and the disk is asked as if it were not there.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::fingerprint::Fingerprint;

const BITS: u32 = 7;
const BLOCK_WORDS: usize = 8;
const BLOCK_BITS: u64 = 512;

/// A set of fingerprints that never forgets one, and now and then has one that was not added.
#[derive(Debug)]
pub(crate) struct Sieve {
    blocks: Box<[[AtomicU64; BLOCK_WORDS]]>,
}

impl Sieve {
    /// A sieve of about so many bytes.
    pub(crate) fn new(bytes: usize) -> Sieve {
        let blocks = (bytes / size_of::<[AtomicU64; BLOCK_WORDS]>()).max(1);
        Sieve { blocks: (0..blocks).map(|_| Default::default()).collect() }
    }

    /// Whether it is worth anything with so many fingerprints in it.
    pub(crate) fn holds(&self, fingerprints: u64) -> bool {
        self.blocks.len() as u64 * BLOCK_BITS / 4 >= fingerprints
    }

    /// `false` if it was certainly never added.
    pub(crate) fn may_have(&self, fingerprint: Fingerprint) -> bool {
        let Some(block) = self.block(fingerprint) else { return true };
        bits(fingerprint)
            .all(|(word, bit)| block.get(word).is_none_or(|word| word.load(Ordering::Relaxed) & bit != 0))
    }

    pub(crate) fn add(&self, fingerprint: Fingerprint) {
        let Some(block) = self.block(fingerprint) else { return };
        for (word, bit) in bits(fingerprint) {
            if let Some(word) = block.get(word) {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    fn block(&self, fingerprint: Fingerprint) -> Option<&[AtomicU64; BLOCK_WORDS]> {
        let (upper, _) = fingerprint.halves();
        let place = (u128::from(upper) * self.blocks.len() as u128) >> 64;
        self.blocks.get(usize::try_from(place).ok()?)
    }
}

/// The bits of a fingerprint in its block: nine bits of its lower half for each, six for the bit and three for the word.
fn bits(fingerprint: Fingerprint) -> impl Iterator<Item = (usize, u64)> {
    let (_, lower) = fingerprint.halves();
    (0..BITS).map(move |n| {
        let nine = lower >> (9 * n);
        (((nine >> 6) & 7) as usize, 1 << (nine & 63))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(n: u32) -> Fingerprint {
        Fingerprint::of(&format!("http://example.org/{n}"))
    }

    #[test]
    fn what_was_added_is_always_had_and_little_else() {
        // Ten bits for each.
        let sieve = Sieve::new(20_000 * 10 / 8);
        (0..20_000).for_each(|n| sieve.add(url(n)));
        assert!((0..20_000).all(|n| sieve.may_have(url(n))));
        let wrong = (20_000..40_000).filter(|n| sieve.may_have(url(*n))).count();
        assert!(wrong < 500, "{wrong}");
        assert!(sieve.holds(20_000) && !sieve.holds(100_000));
    }

    #[test]
    fn a_sieve_that_is_full_holds_everything_back() {
        let sieve = Sieve::new(0);
        (0..1000).for_each(|n| sieve.add(url(n)));
        assert!(sieve.may_have(url(5000)));
    }
}
