//! Replay by its public face: requests over a socket, and what comes back.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr
)]

mod access;
mod attacks;
mod choosing;
mod media_types;
mod mementos;
mod pages;
mod ranges;
mod vectors;
mod world;
