//! What can go wrong on the way in and out.

use std::io;
use std::path::{Path, PathBuf};

/// Why the archive could not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no archive in this folder.
    #[error("there is no archive in {}", .path.display())]
    NoArchive {
        /// The folder.
        path: PathBuf,
        /// What the store said.
        source: Box<store::Error>,
    },
    /// Jobs were committed to a collection, and its index is not there.
    #[error("the index of collection `{collection}` is gone: there is nothing at {}", .path.display())]
    IndexLost {
        /// Which collection.
        collection: String,
        /// Where its index was.
        path: PathBuf,
    },
    /// A part of the program has failed in a way that was not foreseen.
    #[error("a thread has panicked, which is a fault of the program")]
    Panicked,
    /// A file or folder could not be read.
    #[error("cannot read {}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file or folder could not be written.
    #[error("cannot write {}", .path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The disk is full. What was flushed is there; the rest can be appended again once there is room.
    #[error("no space left for {}", .path.display())]
    Full {
        /// What there was no space for.
        path: PathBuf,
    },
    /// There is less room than is to be kept free, so nothing was begun.
    #[error("there is too little room for it at {} ({free})", .path.display())]
    NoRoom {
        /// A folder on the disk.
        path: PathBuf,
        /// What is free there, for people.
        free: String,
    },
    /// An earlier write or sync failed, and nobody knows what is on the disk.
    #[error("an earlier write failed; the job has to be resumed from its last mark")]
    Poisoned,
    /// A job of this name is there already, running, left behind or committed.
    #[error("there is a job `{0}` already")]
    JobExists(String),
    /// There is no such job in the work folder.
    #[error("there is no job `{0}` to go on with")]
    NoJob(String),
    /// The job's commit has begun, and must come to its end first.
    #[error("the commit of `{0}` has begun; commit it again to bring it to its end")]
    Committing(String),
    /// The job is part of the archive, and nothing is taken out of that.
    #[error("`{0}` is committed and stays in the archive")]
    IsCommitted(String),
    /// There is no such collection.
    #[error("there is no collection `{0}`")]
    NoCollection(String),
    /// A mark that this version did not write.
    #[error("not a mark that this version understands")]
    BadMark,
    /// A file is shorter than its mark says: the disk has lost what it had.
    #[error("{} has {found} bytes where {expected} were written", .path.display())]
    Lost {
        /// The file.
        path: PathBuf,
        /// Bytes that the mark says.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// A file that waits for its commit is not what was checked: the disk has lost or changed some of it. It is not taken.
    #[error("{} is not what was checked before the power failed, or somebody changed it", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else makes the indexes of this archive again.
    #[error("somebody rebuilds the archive in {} already", .path.display())]
    Rebuilding {
        /// The archive.
        path: PathBuf,
    },
    /// Somebody wanted it to end.
    #[error("stopped")]
    Stopped,
    /// The payload of a revisit was not among the captures that one request may examine.
    #[error(
        "the payload of a revisit of {url} was not found among {limit} captures, the most that one request examines"
    )]
    TooManyCaptures {
        /// The URL of the payload.
        url: String,
        /// Index lines that a request may examine.
        limit: usize,
    },
    /// A URL longer than the limit.
    #[error("the URL has {bytes} bytes, more than are kept")]
    UrlTooLong {
        /// How many.
        bytes: usize,
    },
    /// The store said no.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The index said no.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// A record could not be read or written.
    #[error(transparent)]
    Record(#[from] warc::Error),
    /// A line about a capture could not be read or written.
    #[error(transparent)]
    Line(#[from] cdx::Error),
    /// A record could not be described.
    #[error(transparent)]
    Described(#[from] cdx_indexer::Error),
}

impl Error {
    /// That this could not be read.
    pub fn read(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Read { path, source }
    }

    /// That this could not be written: [`Error::Full`] if there was no space.
    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| {
            if crate::disk::is_full(&source) { Error::Full { path } } else { Error::Write { path, source } }
        }
    }

    /// A sync that failed, whatever the system calls it: nobody knows what is on the disk, so it is never [`Error::Full`].
    pub fn sync(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Write { path, source }
    }

    /// Whether a file that lies elsewhere is gone from there, or is not what it was.
    #[must_use]
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Error::Store(store::Error::Elsewhere { .. }))
    }

    /// That a disk has too little room.
    #[must_use]
    pub fn no_room(found: &crate::room::Found) -> Error {
        Error::NoRoom { path: found.folder.clone(), free: found.free_shown() }
    }

    /// Whether there was no space left: the same may succeed later.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            Error::Full { .. } | Error::NoRoom { .. } => true,
            Error::Store(error) => error.is_full(),
            Error::Index(error) => error.is_disk_full(),
            _ => false,
        }
    }
}
