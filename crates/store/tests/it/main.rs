//! The store by its public face: what is sealed stays, and a crash at any point is mended by sealing again.
// Tests fail by panicking, and their files are small.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bucket;
mod references;
mod replicas;
mod sealing;
mod verifying;
