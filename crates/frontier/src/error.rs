//! What can go wrong: the disk, the files on it, or the caller.

use std::io;
use std::path::PathBuf;

use crate::wish::Id;

/// Why the frontier could not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process has it open.
    #[error("the frontier in `{}` is in use by another process", .folder.display())]
    InUse {
        /// Where it lies.
        folder: PathBuf,
    },
    /// An older or a newer program wrote it.
    #[error("the frontier in `{}` has format {found}; this program knows {known}", .folder.display())]
    Version {
        /// Where it lies.
        folder: PathBuf,
        /// The version on disk.
        found: u16,
        /// The version of this program.
        known: u16,
    },
    /// The files are not what was written.
    #[error("the frontier is damaged: {what}")]
    Damaged {
        /// What was found, or what the database said.
        what: String,
    },
    /// The disk is full. Nothing of what was asked for was done.
    #[error("the disk is full")]
    Full(#[source] io::Error),
    /// The disk failed.
    #[error("cannot read or write the frontier")]
    Disk(#[source] io::Error),
    /// An earlier write failed, so nobody knows what is on disk. Opening it again helps: what was settled is there.
    #[error("an earlier write to the frontier failed; it must be opened again")]
    Poisoned,
    /// What is settled was not taken, or settled before. Nothing of the batch was done.
    #[error("entry {0} is not in flight")]
    NotTaken(Id),
}
