//! Hostile bytes: the attacks of the fuzz target, run over its stored seeds (see `fuzz/README.md`).
// Tests fail by panicking.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod package;

#[test]
fn seeds_of_wacz() {
    testkit::seeds::each("wacz", package::attack);
}
