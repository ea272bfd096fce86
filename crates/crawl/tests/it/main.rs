//! Whole crawls of small webs that are made up here; nothing leaves this machine.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::disallowed_methods
)]

mod budgets;
mod full;
mod hostile;
mod modes;
mod recrawl;
mod resume;
mod rules;
mod sheets;
mod steering;
mod web;
