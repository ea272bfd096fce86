//! The secrets of an archive from outside: kept, listed, lost with their key, and encrypted with a new one, whatever kills the process.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods
)]

mod keeping;
mod rotating;
mod world;
