//! The crate's public face, tried on the world's cases and on our own.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    missing_docs
)]

mod css;
mod describing;
mod formats;
mod html;
mod linear;
mod reading;
mod scripts;
mod vectors;
