#![doc = include_str!("../README.md")]

mod crawl;
mod turns;

pub use crawl::Crawl;
pub use turns::{Counts, Id, Next, Turns};
