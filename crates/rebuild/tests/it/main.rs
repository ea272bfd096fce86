//! Indexes that are made again, by the crate's public face.
// Tests fail by panicking, and their files are small.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::panic,
    clippy::indexing_slicing
)]

// What the files need that are shared with the tests of `transfer`.
use wacz as _;

#[allow(dead_code, reason = "the tests of `transfer` use more of it")]
#[path = "../../../transfer/tests/it/imports.rs"]
mod imports;
mod lost_index;
mod rebuilding;
mod removing;
#[allow(dead_code, reason = "the tests of `archive` use more of it")]
#[path = "../../../archive/tests/it/world.rs"]
mod world;
