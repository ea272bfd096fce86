//! The CDX servers, by requests and answers.
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
mod bad_input;
mod busy;
mod differences;
mod exchanges;
mod outback;
mod pages;
mod pywb;
mod recorded;
mod scans;
mod scenarios;
mod streaming;
mod vectors;
mod wayback;
#[allow(dead_code, reason = "the tests of `api` use more of it")]
#[path = "../../../api/tests/it/world.rs"]
mod world;
