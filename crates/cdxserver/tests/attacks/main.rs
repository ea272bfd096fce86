//! Hostile bytes against the crate: each file has an `attack`, which says what must hold of any bytes at all.
//!
//! Here the attacks run over the stored seeds; `fuzz/fuzz_targets` takes in the same files by their path, so that they
//! stand beside the code they attack and are written once. `fuzz/README.md` has the rest.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod questions;

use testkit::seeds;

#[test]
fn cdx_server_seeds_hold() {
    seeds::each("cdx_server", questions::attack);
}
