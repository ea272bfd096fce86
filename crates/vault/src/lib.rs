#![doc = include_str!("../README.md")]

mod error;
mod hold;
// What there is to look after.
mod place;
mod vault;
// What is done about it.
mod adopt;
mod audit;
mod bring;
mod careful;
mod checkpoint;
mod commits;
mod deposit;
mod disks;
mod judge;
mod known_bad;
mod reading;
mod repair;
mod unverified;
// What is told of it.
pub mod notices;

pub use adopt::Adopted;
pub use audit::{Extent, Look};
pub use bring::Brought;
pub use checkpoint::{Checkpoint, Key, Refusal};
pub use commits::{Commits, JobFiles};
pub use error::Error;
pub use hold::Hold;
pub use place::Place;
pub use reading::Sound;
pub use repair::{Outcome, Remedies, Remedy};
pub use vault::{Clock, Status, Vault};
