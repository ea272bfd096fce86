//! What can go wrong with the catalogue.

use std::io;

/// Why the catalogue could not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database could not be opened or restored.
    #[error(transparent)]
    Open(db::Error),
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
    #[error("the catalogue cannot {what}")]
    Database {
        /// What was asked of it.
        what: &'static str,
        /// What it said.
        source: db::Error,
    },
    /// A thread for it could not be had.
    #[error("the catalogue cannot start its thread")]
    Thread(#[source] io::Error),
    /// Another file of this name is kept already.
    #[error("`{0}` is in the catalogue already, with other content")]
    Taken(String),
    /// There is no such file.
    #[error("there is no file `{0}` in the catalogue")]
    NoFile(String),
    /// There is no such replica.
    #[error("there is no replica `{0}`")]
    NoReplica(String),
    /// A replica is called what another of another kind was called.
    #[error("replica `{0}` was of another kind before")]
    OtherKind(String),
    /// A row holds what this version does not know, or cannot be.
    #[error("the catalogue holds a `{what}` that makes no sense: `{found}`")]
    Damaged {
        /// Which field.
        what: &'static str,
        /// What it holds.
        found: String,
    },
    /// A backup could not be written.
    #[error(transparent)]
    BackUp(db::Error),
}

impl Error {
    pub(crate) fn database(what: &'static str) -> impl FnOnce(db::Error) -> Error {
        move |source| Error::Database { what, source }
    }

    pub(crate) fn opening(error: db::Error) -> Error {
        match error {
            db::Error::Later { place, found, known } => Error::Later { place, found, known },
            error => Error::Open(error),
        }
    }

    /// What the database said, if it was asked.
    fn cause(&self) -> Option<&db::Error> {
        match self {
            Error::Open(error) | Error::BackUp(error) | Error::Database { source: error, .. } => Some(error),
            _ => None,
        }
    }

    /// Whether the database itself is damaged, or none at all; not if it only could not be had just now.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.cause().is_some_and(db::Error::is_damaged)
    }

    /// Whether another process holds the database so that nothing can be written to it just now.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, Error::Database { source, .. } if source.is_busy())
    }

    /// Whether there was no space left: the same may succeed later.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.cause().is_some_and(db::Error::is_full)
    }

    /// Whether the database server is away: the same may succeed later.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        self.cause().is_some_and(db::Error::is_unreachable)
    }
}
