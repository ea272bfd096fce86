//! Hostile bytes against the crate: each file has an `attack`, which says what must hold of any bytes at all.
//!
//! Here the attacks run over the stored seeds; `fuzz/fuzz_targets` takes in the same files by their path, so that they
//! stand beside the code they attack and are written once. `fuzz/README.md` has the rest.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod kept;
mod pages;
mod patches;
mod rules;
mod texts;

use testkit::seeds;

#[test]
fn diff_patch_seeds_hold() {
    seeds::each("diff_patch", patches::attack);
}

#[test]
fn diff_page_seeds_hold() {
    seeds::each("diff_page", pages::attack);
    seeds::each("html", pages::attack);
}

#[test]
fn diff_rules_seeds_hold() {
    seeds::each("diff_rules", rules::attack);
}

#[test]
fn diff_text_seeds_hold() {
    seeds::each("diff_page", texts::attack);
    seeds::each("diff_rules", texts::attack);
}

#[test]
fn diff_kept_seeds_hold() {
    seeds::each("diff_kept", kept::attack);
}
