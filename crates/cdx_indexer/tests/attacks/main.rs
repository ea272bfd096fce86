//! Hostile bytes against the crate: each file has an `attack`, which says what must hold of any bytes at all.
//!
//! Here the attack runs over the stored seeds; `fuzz/fuzz_targets` takes in the same file by its path, so that it stands beside the
//! code it attacks and is written once. `fuzz/README.md` has the rest.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod records;

use testkit::seeds;

#[test]
fn describing_warc_seeds_holds() {
    seeds::each("warc", records::attack);
}
