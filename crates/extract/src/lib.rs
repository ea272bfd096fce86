#![doc = include_str!("../README.md")]

mod limits;
mod link;

pub use limits::Limits;
pub use link::{Hop, Link, Links, Rule};
