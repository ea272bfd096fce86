//! The crate's public face, tried on the world's files and on our own.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods
)]

mod peers;
mod sitemaps;
mod time;
