//! The pages as a browser gets them: a server on this machine, requests in, answers out.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

mod archived;
mod forms;
mod guarded;
mod kept;
mod pages;
// The watcher of the API's tests.
#[path = "../../../api/tests/it/pretended/mod.rs"]
mod pretended;
mod served;
mod signing_in;
mod vault;
mod watched;
mod watches;
