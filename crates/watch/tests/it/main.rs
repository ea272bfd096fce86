//! The public face of the monitor.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods
)]

mod archived;
mod asking;
mod crashes;
mod liars;
mod many;
mod opening;
mod people;
mod use_cases;
mod watches;
mod world;
