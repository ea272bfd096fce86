//! The whole system as a person meets it: `varve up --demo` is started, and a real browser walks through what it shows.
//!
//! What the browser saw is kept as pictures in `screenshots` of the target folder. Where there is no browser, one line says so.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::print_stdout
)]

mod cookies;
mod exact;
mod feeds;
mod http;
mod live;
mod look;
mod program;
mod pywb;
mod replayweb;
mod vault;
mod walk;
mod watched;
mod watching;
