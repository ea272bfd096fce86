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
mod clock;
mod crashes;
mod liars;
mod logins;
mod many;
mod news;
mod opening;
mod people;
mod posting;
mod remaking;
mod rounds;
mod use_cases;
mod watches;
mod week;
mod world;
