//! What can go wrong with secrets.

use std::io;
use std::path::PathBuf;

/// Why it could not be done. No message contains a secret or a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("cannot read or write {}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The key file is not one, or is damaged.
    #[error("{}: {why}", .path.display())]
    KeyFile {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
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
    #[error("the database of secrets cannot {what}")]
    Database {
        /// What was asked of it.
        what: &'static str,
        /// What it said.
        source: sqlx::Error,
    },
    /// A user name or password is longer than any that a server takes.
    #[error("user name and password together have more than {most} bytes")]
    TooLong {
        /// The limit.
        most: usize,
    },
    /// The system has no random numbers, or the key cannot be used.
    #[error("cannot {0}")]
    Crypto(&'static str),
    /// A thread could not be started, or ended early.
    #[error("cannot start a thread for the database of secrets")]
    Thread(#[source] io::Error),
}

impl Error {
    pub(crate) fn database(what: &'static str) -> impl FnOnce(sqlx::Error) -> Error {
        move |source| Error::Database { what, source }
    }

    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(io::Error) -> Error + '_ {
        |source| Error::File { path: path.to_owned(), source }
    }
}
