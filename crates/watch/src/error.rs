//! What can go wrong with watching.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fetch::Failure;

use crate::check::Check;

/// Why it could not be done. That a server does not answer is an outcome of a check; it is an error only where a document was asked for.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database could not be opened.
    #[error(transparent)]
    Open(Arc<::db::Error>),
    /// The database was made by a later version of this program.
    #[error(
        "{place}: made by a later version of this program: tables of version {found}, known up to {known}"
    )]
    Later {
        /// Which.
        place: String,
        /// Its version.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// The database refused, or its disk did.
    #[error("the watch database cannot {what}")]
    Database {
        /// What was asked of it.
        what: &'static str,
        /// What it said.
        source: Arc<::db::Error>,
    },
    /// A row holds what this version does not know, or cannot be.
    #[error("the watch database holds a `{what}` that makes no sense: `{found}`")]
    Damaged {
        /// Which field.
        what: &'static str,
        /// What it holds.
        found: String,
    },
    /// The archive said no.
    #[error(transparent)]
    Archive(Arc<archive::Error>),
    /// The fetcher cannot be had.
    #[error(transparent)]
    Fetch(Arc<fetch::Error>),
    /// A lock could not be had.
    #[error(transparent)]
    Lock(Arc<job::Error>),
    /// A file could not be read or written.
    #[error("cannot read or write {}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// Not the URL of something on the web.
    #[error("`{0}` is no URL that can be watched")]
    Url(String),
    /// Not a name that a person can have.
    #[error("`{0}` is no name: it is empty, too long, or has control characters")]
    Name(String),
    /// There is no such person.
    #[error("nobody is called `{0}`")]
    NoPerson(String),
    /// The person watches this URL already.
    #[error("`{owner}` watches {url} already")]
    Watched {
        /// Who.
        owner: String,
        /// What.
        url: String,
    },
    /// There is no such watch.
    #[error("there is no watch {0}")]
    NoWatch(i64),
    /// The URL was never checked.
    #[error("{0} was never checked")]
    Unknown(String),
    /// The URL was checked, and there has never been a document, or none of this number.
    #[error("there is no such version of {0}")]
    NoVersion(String),
    /// A check was made, and the document is not to be had.
    #[error("{}", .0.not_had())]
    NotHad(Box<Check>),
    /// The payload of a version is neither in the cache nor in the archive, or is not what it was.
    #[error("version {number} of {url} cannot be read")]
    Lost {
        /// Whose.
        url: String,
        /// Which.
        number: u32,
    },
    /// A rule makes no sense, or takes too long.
    #[error(transparent)]
    Rule(Arc<diff::Error>),
    /// The versions are longer than is compared.
    #[error("the versions of {0} are too long to be compared")]
    TooLong(String),
    /// We ourselves did not ask, so that nothing is known of the server, and nothing is written down.
    #[error("{why}")]
    NotAsked {
        /// Whom.
        url: String,
        /// Why not.
        why: Failure,
    },
    /// The archive cannot be written, so nothing can be checked or changed.
    #[error(
        "the archive is read-only: what is known of watched pages can be read, and nothing can be checked or changed"
    )]
    ReadOnly,
    /// What writes checks down has ended.
    #[error("checks are not written down any more: the monitor is closed")]
    Closed,
}

impl Error {
    pub(crate) fn database(what: &'static str) -> impl FnOnce(::db::Error) -> Error {
        move |source| Error::Database { what, source: Arc::new(source) }
    }

    pub(crate) fn opening(error: ::db::Error) -> Error {
        match error {
            ::db::Error::Later { place, found, known } => Error::Later { place, found, known },
            error => Error::Open(Arc::new(error)),
        }
    }

    /// What the database said, if it was asked.
    fn cause(&self) -> Option<&::db::Error> {
        match self {
            Error::Open(source) | Error::Database { source, .. } => Some(source),
            _ => None,
        }
    }

    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::File { path, source: Arc::new(source) }
    }

    pub(crate) fn rule(error: diff::Error) -> Error {
        Error::Rule(Arc::new(error))
    }

    /// Whether the database itself is damaged, or none at all; not if it only could not be had just now.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        matches!(self, Error::Damaged { .. }) || self.cause().is_some_and(::db::Error::is_damaged)
    }

    /// Whether the database server is away: the same may succeed later.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        self.cause().is_some_and(::db::Error::is_unreachable)
    }

    /// Whether there was no space left: the same may succeed later.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            Error::Archive(error) => error.is_full(),
            Error::File { source, .. } => {
                matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            _ => self.cause().is_some_and(::db::Error::is_full),
        }
    }
}

impl From<archive::Error> for Error {
    fn from(error: archive::Error) -> Error {
        Error::Archive(Arc::new(error))
    }
}

impl From<fetch::Error> for Error {
    fn from(error: fetch::Error) -> Error {
        Error::Fetch(Arc::new(error))
    }
}

impl From<job::Error> for Error {
    fn from(error: job::Error) -> Error {
        Error::Lock(Arc::new(error))
    }
}
