//! The CDX servers.

mod access;
mod bad_input;
mod differences;
mod exchanges;
mod outback;
mod pages;
mod pywb;
mod recorded;
mod scans;
mod scenarios;
mod streaming;
mod vectors;
mod wayback;
pub(crate) mod world;
