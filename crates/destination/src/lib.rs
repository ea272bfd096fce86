#![doc = include_str!("../README.md")]

mod addresses;
mod error;

pub use addresses::{Allowed, Kind, Network};
pub use error::Error;
