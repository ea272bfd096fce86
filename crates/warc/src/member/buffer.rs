//! Large buffers, used again by the next reader of the same thread.
//!
//! A file that is read in sections needs a reader for each; fresh memory for every one of them costs a twentieth of the time.

use std::cell::RefCell;

/// Buffers of each thread that are kept: one reader's.
const KEPT_MAX: usize = 2;

thread_local! {
    static KEPT: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// A buffer of this length; what is in it is of no meaning.
pub(super) fn take(length: usize) -> Vec<u8> {
    let kept = KEPT.try_with(|kept| {
        let mut kept = kept.try_borrow_mut().ok()?;
        let place = kept.iter().position(|buffer| buffer.len() == length)?;
        Some(kept.swap_remove(place))
    });
    kept.ok().flatten().unwrap_or_else(|| vec![0; length])
}

/// Keeps a buffer for the next reader.
pub(super) fn give_back(buffer: Vec<u8>) {
    // A thread that is ending has no place to keep it: then it is freed.
    let _ = KEPT.try_with(|kept| {
        if let Ok(mut kept) = kept.try_borrow_mut()
            && kept.len() < KEPT_MAX
            && !buffer.is_empty()
        {
            kept.push(buffer);
        }
    });
}
