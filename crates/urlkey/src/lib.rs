#![doc = include_str!("../README.md")]

mod error;
pub mod time;

pub use error::Error;
