#![doc = include_str!("../README.md")]

// What can go wrong, and how much is taken.
mod error;
mod limits;
// Where packages lie.
mod memory;
mod tree;
// What both kinds of package need.
mod digest;
mod output;
mod path;
mod report;
mod survey;
// The two kinds.
pub mod bagit;
pub mod ocfl;

pub use digest::{Algorithm, Digest};
pub use error::Error;
pub use limits::Limits;
pub use memory::{Memory, MemoryFile};
pub use report::{Kind, Place, Problem, Report, Verdict};
pub use tree::{Entry, EntryKind, Sink, Tree};
