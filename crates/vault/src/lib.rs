#![doc = include_str!("../README.md")]

mod error;
// What there is to look after.
mod place;
mod vault;
// What is done about it.
mod audit;
mod bring;
mod judge;
mod repair;
// What is told of it.
pub mod notices;

pub use audit::{Extent, Look};
pub use bring::Brought;
pub use error::Error;
pub use place::Place;
pub use repair::{Outcome, Remedy};
pub use vault::{Clock, Status, Vault};
