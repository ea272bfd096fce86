#![doc = include_str!("../README.md")]

mod digest;
mod error;
mod folder;
mod format;
mod name;
mod part;
mod reference;
pub mod replica;
mod seal;
mod store;
mod sums;
mod verify;

pub use digest::Pace;
pub use error::Error;
pub use name::{DEPOSIT, is_deposit, is_file_name, is_name};
pub use reference::{REFERENCE_ENDING, Reference};
pub use seal::{Digested, Sealing};
pub use store::{Opened, Sealed, Store};
pub use verify::Verdict;
