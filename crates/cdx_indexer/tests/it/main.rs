//! Records in, captures out, by the crate's public face.
#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::print_stderr,
    missing_docs
)]

mod odd_records;
mod vectors;
