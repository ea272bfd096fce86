#![doc = include_str!("../README.md")]

mod error;
mod folder;
mod name;
mod reference;
mod seal;
mod store;
mod sums;
mod verify;

pub use error::Error;
pub use name::is_name;
pub use reference::{REFERENCE_ENDING, Reference};
pub use seal::Digested;
pub use store::{Opened, Sealed, Store};
pub use verify::Verdict;
