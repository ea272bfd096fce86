//! A job's way in: captures are packed by any number of threads, and appended to its files by one.

mod claims;
mod digests;
mod folder;
mod growing;
mod intake;
mod known;
mod lines;
mod mark;
mod member;
mod mending;
mod packed;
mod packer;
mod records;
mod settle;
mod spool;
mod worth;

pub use folder::{JobFolder, make_folders, sync_folder};
pub use intake::Intake;
pub use lines::CAPTURES_HEAD;
pub use mark::Mark;
pub use packed::Packed;
pub use packer::Packer;

pub(crate) use folder::make_work_folders;
pub(crate) use spool::warcinfo;
