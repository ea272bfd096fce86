//! How long memory that is free stays with the program.
//!
//! A crawl gives back and takes again the same few megabytes many times a second. When the system gets them in between, it has to
//! empty them before they are used again, which was a fiftieth of a crawl's processor time.

#![allow(unsafe_code)]

use std::ffi::c_long;

use libmimalloc_sys::{mi_option_set, mi_option_t};

/// `mi_option_purge_delay`, which the bindings leave out between 14 and 16.
const PURGE_DELAY: mi_option_t = 15;

/// In milliseconds. The allocator takes ten times as long for large areas.
const DELAY: c_long = 5_000;

/// Lets the allocator wait for some seconds before the system gets back what is free. To be called before there are other threads.
pub(crate) fn keep_for_a_while() {
    // SAFETY: sets a number in a table of the allocator, which checks that there is such a place; no other thread reads it yet.
    unsafe { mi_option_set(PURGE_DELAY, DELAY) }
}
