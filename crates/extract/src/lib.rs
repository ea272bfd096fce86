#![doc = include_str!("../README.md")]

pub mod css;
pub mod json;
mod limits;
mod link;
pub mod script;

pub use limits::Limits;
pub use link::{Hop, Link, Links, Rule};
