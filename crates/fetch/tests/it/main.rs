//! The crate's public face against servers that behave, and servers that do not.
//!
//! All of them are testkit's and run on loopback; nothing leaves this machine.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::disallowed_methods
)]

mod arrivals;
mod connections;
mod digests;
mod expected;
mod fetcher;
#[cfg(target_os = "linux")]
mod memory;
mod misbehaviour;
mod names;
mod ordinary;
mod proxies;
mod records;
mod redirects;
mod refused;
mod timeouts;
mod tls;
