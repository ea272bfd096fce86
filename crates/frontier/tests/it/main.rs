//! The frontier from outside.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::disallowed_methods
)]

mod damage;
mod full;
mod killed;
mod log;
mod model;
mod ordinary;
mod together;
mod version;
mod width;
