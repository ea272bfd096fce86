//! Hostile bytes: the attacks of the fuzz target, run over its stored seeds (see `fuzz/README.md`).
// Tests fail by panicking.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod folders;

#[test]
fn seeds_of_package() {
    testkit::seeds::each("package", folders::attack);
}
