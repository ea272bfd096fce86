//! Replay in a real browser: difficult pages play as they did when they were live, and hostile ones do no harm.
//!
//! Where no Chromium is installed, one line says so and the tests pass. Pictures of every page, live and replayed, are left in
//! `browser/` of cargo's folder for the files of tests, to be looked at.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr
)]

mod archived;
mod attacks;
mod difficult;
mod media_types;
mod ours;
mod picture;
mod shim;
// The same small archive and server as of the tests without a browser.
#[allow(dead_code)]
#[path = "../it/world.rs"]
mod world;
