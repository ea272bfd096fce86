//! Packages by the crate's public face: what is found sound, what is told, what is never followed, and what is written.
// Tests fail by panicking, and their files are small.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bags;
mod folder;
mod hostile;
mod objects;
mod vectors;
mod writing;
