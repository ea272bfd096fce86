//! What can go wrong with a file that is kept, or is to be kept.

use std::io;
use std::path::{Path, PathBuf};

/// What another library said of a failure.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why the store could not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
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
    /// The disk is full.
    #[error("no space left for {}", .path.display())]
    Full {
        /// What there was no space for.
        path: PathBuf,
    },
    /// A name that is none of ours.
    #[error("`{0}` is no name of a job or file: letters, digits, `.`, `-` and `_`, the first not a `.`")]
    Name(String),
    /// A name that the store itself uses.
    #[error("`{0}` is a name of the store's own, and no file can be called so")]
    Reserved(String),
    /// The folder was made by a later version of this program, or is something else.
    #[error("{}: not a store that this version can read: `{found}`", .path.display())]
    Format {
        /// The file that says what it is.
        path: PathBuf,
        /// What it says.
        found: String,
    },
    /// A list of checksums that cannot be understood.
    #[error("{}: line {line} is no checksum and name", .path.display())]
    Sums {
        /// The list.
        path: PathBuf,
        /// Number of the line, counted from 1.
        line: u64,
    },
    /// There is no such file.
    #[error("there is no file `{0}` in the store")]
    Missing(String),
    /// A file that lies elsewhere is not what it was.
    #[error("`{name}` is kept at {}, and {what}", .path.display())]
    Elsewhere {
        /// What it is called here.
        name: String,
        /// Where it should lie.
        path: PathBuf,
        /// What became of it.
        what: &'static str,
    },
    /// Another file of the same name is sealed already, and what is sealed is never changed.
    #[error("`{0}` is in the store already, with other content")]
    Taken(String),
    /// What was to be copied is not what it should be, or breaks off.
    #[error("`{0}` is not what it was where it was to be copied from")]
    Source(String),
    /// What was to be copied cannot be read.
    #[error("cannot read `{name}` to copy it")]
    Copy {
        /// Which.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file has another checksum than was said.
    #[error("`{name}` has the checksum {found}, which is not the one that was named")]
    Other {
        /// Which.
        name: String,
        /// The checksum it has.
        found: String,
    },
    /// A copy cannot be moved without reading it.
    #[error("`{0}` cannot be taken out of its place here without reading it")]
    Unmovable(String),
    /// Files cannot be had from where only checksums are.
    #[error("of `{0}` there is only the checksum here")]
    OnlyChecksums(String),
    /// A bucket that cannot be what was said of it.
    #[error("{place}: {what}")]
    Bucket {
        /// Which.
        place: String,
        /// Why not.
        what: String,
    },
    /// A server did not answer, or not in time.
    #[error("cannot reach {place}")]
    Unreachable {
        /// What was asked for.
        place: String,
        /// What went wrong.
        source: Cause,
    },
    /// A server knows us and does not let us, or does not know us.
    #[error("{place}: access denied")]
    Denied {
        /// What was asked for.
        place: String,
        /// What the server said.
        source: Cause,
    },
    /// A server answered something that is of no use.
    #[error("{place}: the server failed, or its answer makes no sense")]
    Answer {
        /// What was asked for.
        place: String,
        /// What it was.
        source: Cause,
    },
    /// Whoever asked for it has had enough.
    #[error("stopped")]
    Stopped,
}

impl Error {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::Full { path },
            _ => Error::Write { path, source },
        }
    }

    /// Of something that is read to be copied.
    pub(crate) fn copy(name: &str) -> impl FnOnce(io::Error) -> Error {
        let name = name.to_owned();
        move |source| Error::Copy { name, source }
    }

    /// A sync that failed: whatever the system calls it, nobody knows what is on the disk, so it is never [`Error::Full`], which
    /// promises that the same may succeed later.
    pub(crate) fn sync(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Write { path, source }
    }

    /// Whether what was to be read is not there at all.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        let absent = |source: &io::Error| {
            matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        };
        matches!(self, Error::Read { source, .. } if absent(source))
    }

    /// Whether a server was not to be had: the same may succeed later.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        matches!(self, Error::Unreachable { .. } | Error::Answer { .. })
    }

    /// Whether there was no space left: the same may succeed later.
    #[must_use]
    pub fn is_full(&self) -> bool {
        matches!(self, Error::Full { .. })
    }
}
