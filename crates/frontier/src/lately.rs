//! The URLs that were met lately, asked before the disk is: most links of a page lead to pages that the page before it
//! linked to as well.
//!
//! A table of fixed size in which each fingerprint has one place and the newest stays. Nobody waits for anybody: a place is one
//! atomic word. A place's number and its word are different bits of the fingerprint, so some eighty bits must agree.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::fingerprint::Fingerprint;

/// Fingerprints of URLs that are on disk for certain.
#[derive(Debug)]
pub(crate) struct Lately {
    places: Box<[AtomicU64]>,
}

impl Lately {
    /// A table of about so many bytes.
    pub(crate) fn new(bytes: usize) -> Lately {
        let places = (bytes / size_of::<AtomicU64>()).max(1);
        Lately { places: (0..places).map(|_| AtomicU64::new(0)).collect() }
    }

    pub(crate) fn has(&self, fingerprint: Fingerprint) -> bool {
        let (place, word) = self.place(fingerprint);
        // Zero is an empty place; the one URL in 2⁶⁴ whose word it is asks the disk.
        word != 0 && place.is_some_and(|place| place.load(Ordering::Relaxed) == word)
    }

    pub(crate) fn add(&self, fingerprint: Fingerprint) {
        if let (Some(place), word) = self.place(fingerprint) {
            place.store(word, Ordering::Relaxed);
        }
    }

    fn place(&self, fingerprint: Fingerprint) -> (Option<&AtomicU64>, u64) {
        let (upper, word) = fingerprint.halves();
        // The upper part of a product spreads evenly over any number of places, not only over powers of two.
        let place = (u128::from(upper) * self.places.len() as u128) >> 64;
        (usize::try_from(place).ok().and_then(|place| self.places.get(place)), word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_stays_and_what_was_never_added_is_never_had() {
        let lately = Lately::new(8 * 100);
        let url = |n: u32| Fingerprint::of(&format!("http://example.org/{n}"));
        for n in 0..1000 {
            assert!(!lately.has(url(n)), "{n}");
            lately.add(url(n));
            assert!(lately.has(url(n)), "{n}");
        }
        let kept = (0..1000).filter(|n| lately.has(url(*n))).count();
        assert!((60..=100).contains(&kept), "{kept}");
    }

    #[test]
    fn a_table_without_room_still_works() {
        let lately = Lately::new(0);
        lately.add(Fingerprint::of("a"));
        assert!(!lately.has(Fingerprint::of("b")));
    }
}
