//! Hostile bytes against the crate: each file has an `attack`, which says what must hold of any bytes at all.
//!
//! Here the attacks run over the stored seeds; `fuzz/fuzz_targets` takes in the same files by their path, so that they
//! stand beside the code they attack and are written once. `fuzz/README.md` has the rest.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod segment;

use testkit::seeds;

#[test]
fn segment_seeds_hold() {
    seeds::each("index_segment", segment::attack);
}

/// Seeds with each byte changed: what the fuzzer does first.
#[test]
fn changed_segment_seeds_hold() {
    seeds::each("index_segment", |bytes| {
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 60) {
            let mut bytes = bytes.to_vec();
            bytes[at] = bytes[at].wrapping_add(1 + u8::try_from(at % 200).unwrap());
            segment::attack(&bytes);
        }
    });
}
