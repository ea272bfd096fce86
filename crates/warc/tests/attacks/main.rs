//! Hostile bytes against the crate: each file has an `attack`, which says what must hold of any bytes at all.
//!
//! Here the attacks run over the stored seeds; `fuzz/fuzz_targets` takes in the same files by their path, so that they
//! stand beside the code they attack and are written once. `fuzz/README.md` has the rest.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, clippy::panic)]

mod arc;
mod chunked;
mod http_head;
mod quick_deflate;
mod records;
mod rewritten;
mod warc_file;

use testkit::seeds;

#[test]
fn warc_seeds_hold() {
    seeds::each("warc", warc_file::attack);
}

#[test]
fn arc_seeds_hold() {
    seeds::each("arc", arc::attack);
}

#[test]
fn http_head_seeds_hold() {
    seeds::each("http_head", http_head::attack);
}

#[test]
fn chunked_seeds_hold() {
    seeds::each("chunked", chunked::attack);
}

#[test]
fn quick_deflate_seeds_hold() {
    seeds::each("quick_deflate", quick_deflate::attack);
}
