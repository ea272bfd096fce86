//! What can go wrong with the catalogue.

use std::io;
use std::path::PathBuf;

/// Why the catalogue could not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The database could not be opened.
    #[error("cannot open {}", .path.display())]
    Open {
        /// Which.
        path: PathBuf,
        /// What it said.
        source: sqlx::Error,
    },
    /// The database was made by a later version of this program.
    #[error("{}: made by a later version of this program: tables of version {found}, known up to {known}", .path.display())]
    Later {
        /// Which.
        path: PathBuf,
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
        source: sqlx::Error,
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
    #[error("cannot write {}", .path.display())]
    BackUp {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The copy of a backup is there already.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
}

impl Error {
    pub(crate) fn database(what: &'static str) -> impl FnOnce(sqlx::Error) -> Error {
        move |source| Error::Database { what, source }
    }

    /// Whether the database itself is damaged, or none at all; not if it only could not be had just now.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        let (Error::Open { source, .. } | Error::Database { source, .. }) = self else { return false };
        let sqlx::Error::Database(refusal) = source else { return false };
        // SQLITE_CORRUPT and SQLITE_NOTADB, and their extended forms.
        let code = refusal.code().and_then(|code| code.parse::<u32>().ok());
        code.is_some_and(|code| [11, 26].contains(&(code & 0xff)))
    }

    /// Whether another process holds the database so that nothing can be written to it just now.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let Error::Database { source: sqlx::Error::Database(refusal), .. } = self else { return false };
        // SQLITE_BUSY, and its extended forms.
        refusal.code().and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xff == 5)
    }

    /// Whether there was no space left: the same may succeed later.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let Error::Database { source: sqlx::Error::Database(refusal), .. } = self else { return false };
        // SQLITE_FULL.
        refusal.code().and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| code & 0xff == 13)
    }
}
