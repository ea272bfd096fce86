//! The API by its public face: requests in, answers out.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr
)]

mod admission;
mod busy;
mod cdx;
mod job_files;
mod monitor;
mod news;
mod pretended;
mod vault;
mod watches;
