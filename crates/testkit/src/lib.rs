#![doc = include_str!("../README.md")]
// A test that cannot go on panics: that is how it tells.
#![allow(clippy::panic)]

pub mod corpus;
pub mod peers;
pub mod seeds;
pub mod vectors;
