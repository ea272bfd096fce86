//! What can go wrong: the caller's rows, the disk, or damage in what lies on it.

use std::io;
use std::path::{Path, PathBuf};

/// Why the index could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder cannot be read.
    #[error("cannot read {}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file or folder cannot be written, synced, renamed or removed.
    #[error("cannot write {}", .path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not as it was written.
    #[error(
        "{}: damaged at byte {offset}: {what}; the index is derived from the WARC files, and `varve rebuild` makes it again from them",
        .path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it the damaged part begins.
        offset: u64,
        /// What ails it.
        what: String,
    },
    /// A file is not there, though the manifest names it, or the manifest itself is gone.
    #[error(
        "{} is gone; the index is derived from the WARC files, and `varve rebuild` makes it again from them",
        .path.display()
    )]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// A newer version of the program wrote this.
    #[error(
        "{} has format version {found}, and this program knows versions up to {known}: use a newer one",
        .path.display()
    )]
    Future {
        /// The file.
        path: PathBuf,
        /// The version that it says.
        found: u64,
        /// The newest version that we know.
        known: u32,
    },
    /// Rows to be published must be sorted by key, then time.
    #[error("row {row}, `{found}`, sorts before the row above it")]
    Unsorted {
        /// Number of the row, counted from 1.
        row: u64,
        /// Its key and time.
        found: String,
    },
    /// A file to be loaded must be sorted by bytes.
    #[error("{name} is not sorted: line {line}, `{found}`, sorts before the line above it")]
    UnsortedFile {
        /// The file.
        name: String,
        /// Number of the line, counted from 1.
        line: u64,
        /// Its key and time.
        found: String,
    },
    /// A file to be loaded cannot be read to its end.
    #[error("cannot read {name}, and nothing was loaded")]
    File {
        /// The file.
        name: String,
        /// Why.
        source: cdx::Error,
    },
    /// Lines that make no sense, where that was not to be.
    #[error("{count} lines make no sense, and nothing was loaded; the first: {first}")]
    BadLines {
        /// How many.
        count: u64,
        /// The first, and what ails it.
        first: String,
    },
    /// A row to be published that no index can hold.
    #[error("row {row} cannot be published: {what}")]
    Row {
        /// Number of the row, counted from 1.
        row: u64,
        /// What ails it.
        what: String,
    },
    /// More rows at once than are sorted in memory.
    #[error("more than {bytes} bytes of rows at once: add fewer at a time, or load them from a sorted file")]
    TooMany {
        /// How many bytes of rows may be added at once.
        bytes: usize,
    },
    /// An alias that no index can hold.
    #[error("{what}")]
    Alias {
        /// What ails it.
        what: String,
    },
    /// The folder for a backup has something in it that is not a backup of this index.
    #[error("{} is not empty, and no backup of this index lies there", .path.display())]
    NotABackup {
        /// The folder.
        path: PathBuf,
    },
    /// The source of the rows to be published failed.
    #[error("the rows to be published cannot be had")]
    Rows(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// For callers of [`Index::publish`](crate::Index::publish): their own error, on its way through.
    pub fn rows(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::Rows(error.into())
    }

    /// Whether the disk is full: then the same may succeed later.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, Error::Write { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded))
    }

    /// Whether the index itself is to blame, so that it has to be built again from the WARC files.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Error::Damaged { .. } | Error::Gone { .. })
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Error {
        Error::Read { path: path.to_owned(), source }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Error {
        Error::Write { path: path.to_owned(), source }
    }

    pub(crate) fn damaged(path: &Path, offset: u64, what: impl Into<String>) -> Error {
        Error::Damaged { path: path.to_owned(), offset, what: what.into() }
    }
}
