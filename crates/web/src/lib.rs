#![doc = include_str!("../README.md")]

// What all pages share.
mod assets;
mod error;
mod filters;
mod frame;
mod router;
mod security;
mod state;
// The pages.
mod file;
mod job;
mod jobs;
mod log;
mod search;
mod sign_in;
mod start;
mod vault;
mod watches;
// Parts of pages.
mod bars;
mod chart;

pub use router::router;
pub use state::{Pages, Settings};
