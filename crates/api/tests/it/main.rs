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
mod job_files;
mod monitor;
mod news;
mod pretended;
mod vault;
mod watches;
#[allow(dead_code, reason = "the tests of `cdxserver` use more of it")]
mod world;
