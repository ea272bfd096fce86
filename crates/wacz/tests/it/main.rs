//! Packages by the crate's public face: what is read, what is refused, what is told, and what is written.
// Tests fail by panicking, and their files are small.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::panic,
    clippy::indexing_slicing
)]

mod hostile;
mod raw;
mod reading;
mod validating;
mod vectors;
mod writing;
