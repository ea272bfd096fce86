//! How much longer its links may make a document.
//!
//! A link of one letter becomes an address with the whole base in it, so a small page could be made to fill the memory. What is
//! fed earns an allowance, and what its links gain in length is taken from it; real pages never come near its end.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Each byte that is fed may gain so many on average.
const GAIN: usize = 16;

/// What the links of one document may still gain, shared by all the documents inside of it. Only one thread at a time feeds it.
#[derive(Debug)]
pub(super) struct Allowance {
    left: AtomicUsize,
    saved_max: usize,
    is_overdrawn: AtomicBool,
}

impl Allowance {
    pub(super) fn new(bytes: usize) -> Allowance {
        Allowance { left: AtomicUsize::new(bytes), saved_max: bytes, is_overdrawn: AtomicBool::new(false) }
    }

    /// So many bytes are fed. What was not spent before is saved only so far, so that one piece never becomes too large.
    pub(super) fn earn(&self, bytes: usize) {
        let saved = self.left.load(Ordering::Relaxed).min(self.saved_max);
        self.left.store(saved.saturating_add(bytes.saturating_mul(GAIN)), Ordering::Relaxed);
    }

    /// Takes so many bytes, if so many are left.
    pub(super) fn spend(&self, bytes: usize) -> bool {
        let left = self.left.load(Ordering::Relaxed).checked_sub(bytes);
        match left {
            Some(left) => self.left.store(left, Ordering::Relaxed),
            None => self.is_overdrawn.store(true, Ordering::Relaxed),
        }
        left.is_some()
    }

    pub(super) fn is_overdrawn(&self) -> bool {
        self.is_overdrawn.load(Ordering::Relaxed)
    }
}
