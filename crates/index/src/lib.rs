#![doc = include_str!("../README.md")]

// What is asked and said.
mod commit;
mod error;
mod limits;
mod settings;
// The index as a whole.
mod index;
mod snapshot;
// Questions.
mod aliases;
mod captures;
mod hiding;
mod lookup;
mod merging;
mod together;
// Writing.
mod backup;
mod batch;
mod folder;
mod labels;
mod loading;
mod tiers;
mod writer;
mod writing;
// On disk.
mod manifest;
#[doc(hidden)]
pub mod segment;

#[cfg(test)]
mod crashes;

pub use backup::Backup;
pub use captures::Captures;
pub use commit::Commit;
pub use error::Error;
pub use index::Index;
pub use limits::Limits;
pub use loading::{BadLine, BadLines, Input, Loaded};
pub use settings::Settings;
pub use snapshot::Snapshot;
pub use together::Together;
pub use writer::Writer;
