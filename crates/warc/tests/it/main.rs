//! The crate's public face, tried on the world's files and on our own.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::type_complexity
)]

mod damage;
mod parallel;
mod peers;
mod vectors;
mod writing;
