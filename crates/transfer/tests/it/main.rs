//! Whole files on their way in and out, by the crate's public face.
// Tests fail by panicking, and their files are small.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::panic,
    clippy::indexing_slicing
)]

// What the files need that are shared with the tests of `archive`.
use {fetch as _, rustix as _};

#[path = "../../../archive/tests/it/disks.rs"]
#[allow(dead_code, reason = "the tests of `archive` use more of it")]
mod disks;
mod exporting;
mod failing_disks;
mod importing;
mod imports;
mod packages;
#[allow(dead_code, reason = "the tests of `archive` use more of it")]
#[path = "../../../archive/tests/it/world.rs"]
mod world;
