#![doc = include_str!("../README.md")]

// What there is to say beforehand, and what can go wrong.
mod about;
pub mod disk;
mod error;
mod limits;
pub mod room;
mod stop;
// In.
mod archive;
mod capture;
mod collection;
mod collection_list;
mod commit;
mod job;
mod kind;
mod notes;
mod original;
mod removal;
// Out.
mod read;
// For workers that handle whole files.
pub mod job_files;

pub use about::{About, Dedup, DedupTypes, Ids};
pub use archive::Archive;
pub use capture::{Capture, Last, Outcome, Outlink, Placed};
pub use collection::{Collection, WEB};
pub use commit::Committed;
pub use error::Error;
pub use job::{Intake, Mark, Packed, Packer};
pub use kind::{WATCH, is_watch};
pub use limits::Limits;
pub use notes::{Content, Note, note_uri};
pub use original::Original;
pub use read::{Form, Found, OnFault, Payload, ReadFault};
pub use removal::{Removal, Removed, is_removal};
pub use stop::Stop;
