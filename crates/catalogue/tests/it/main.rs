//! The public face of the catalogue.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods
)]

mod copies;
mod events;
mod opening;
mod world;
