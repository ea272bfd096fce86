#![doc = include_str!("../README.md")]

// Bytes alone.
mod key;
mod sealed;
// Files.
mod key_file;
mod schema;
mod store;
mod table;
// What can go wrong with any of them.
mod error;

pub use error::Error;
pub use key::{Key, KeyId};
pub use key_file::NEXT_SUFFIX;
pub use sealed::{LOGIN_BYTES_MAX, Sealed};
pub use store::{Entry, EntryState, Rotated, Secrets, Stage};
