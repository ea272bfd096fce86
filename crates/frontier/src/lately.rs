//! The URLs that were met lately, asked before the disk is: most links of a page lead to pages that the page before it
//! linked to as well.
//!
//! A table of fixed size. Each fingerprint has eight places, side by side as the processor's cache has them; the newest stays.
//! Nobody waits for anybody: a place is one atomic word. The place's number and its word are different bits of the
//! fingerprint, so some eighty bits must agree.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::fingerprint::Fingerprint;

const WAYS: usize = 8;

/// Fingerprints of URLs that are on disk for certain.
#[derive(Debug)]
pub(crate) struct Lately {
    rows: Box<[[AtomicU64; WAYS]]>,
}

impl Lately {
    /// A table of about so many bytes.
    pub(crate) fn new(bytes: usize) -> Lately {
        let rows = (bytes / size_of::<[AtomicU64; WAYS]>()).max(1);
        Lately { rows: (0..rows).map(|_| Default::default()).collect() }
    }

    pub(crate) fn has(&self, fingerprint: Fingerprint) -> bool {
        let (row, word) = self.row(fingerprint);
        // Zero is an empty place; the one URL in 2⁶⁴ whose word it is asks the disk.
        word != 0 && row.iter().any(|place| place.load(Ordering::Relaxed) == word)
    }

    pub(crate) fn add(&self, fingerprint: Fingerprint) {
        let (row, word) = self.row(fingerprint);
        let holds = |other: u64| row.iter().find(|place| place.load(Ordering::Relaxed) == other);
        if holds(word).is_some() {
            return;
        }
        // Where all are taken, bits that are as good as random say which of them goes.
        let any = row.get((word >> 32) as usize % WAYS);
        if let Some(place) = holds(0).or(any) {
            place.store(word, Ordering::Relaxed);
        }
    }

    fn row(&self, fingerprint: Fingerprint) -> (&[AtomicU64], u64) {
        let (upper, word) = fingerprint.halves();
        // The upper part of a product spreads evenly over any number of rows, not only over powers of two.
        let row = (u128::from(upper) * self.rows.len() as u128) >> 64;
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        (row.map(<[AtomicU64; WAYS]>::as_slice).unwrap_or_default(), word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_stays_and_what_was_never_added_is_never_had() {
        let lately = Lately::new(8 * 800);
        let url = |n: u32| Fingerprint::of(&format!("http://example.org/{n}"));
        for n in 0..5000 {
            assert!(!lately.has(url(n)), "{n}");
            lately.add(url(n));
            lately.add(url(n));
            assert!(lately.has(url(n)), "{n}");
        }
        assert_eq!((0..5000).filter(|n| lately.has(url(*n))).count(), 800);
    }

    #[test]
    fn nearly_all_is_kept_while_there_is_room() {
        let lately = Lately::new(8 * 10_000);
        let url = |n: u32| Fingerprint::of(&format!("http://example.org/{n}"));
        (0..5000).for_each(|n| lately.add(url(n)));
        let kept = (0..5000).filter(|n| lately.has(url(*n))).count();
        assert!(kept > 4850, "{kept}");
    }

    #[test]
    fn a_table_without_room_still_works() {
        let lately = Lately::new(0);
        lately.add(Fingerprint::of("a"));
        assert!(!lately.has(Fingerprint::of("b")));
    }
}
