#![doc = include_str!("../README.md")]

mod error;
pub mod export;
pub mod import;

pub use error::Error;
