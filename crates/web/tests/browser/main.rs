//! The pages on watches in a real browser: what moves moves, nothing is wider than its screen, and all can be read by day and by night.
//!
//! Where no Chromium is installed, one line says so and the tests pass. Pictures are left in `screenshots/` beside cargo's folder for the
//! files of tests, to be looked at.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout
)]

// The same small archive and server as of the tests without a browser.
#[allow(dead_code)]
#[path = "../it/archived.rs"]
mod archived;
mod look;
#[path = "../../../api/tests/it/pretended/mod.rs"]
mod pretended;
#[allow(dead_code)]
#[path = "../it/served.rs"]
mod served;
mod sign_in;
#[allow(dead_code)]
#[path = "../it/watched.rs"]
mod watched;
mod watches;
