//! The errors of a database, and which of them may be gone at the next try.

use std::io;
use std::path::{Path, PathBuf};

/// Why the database could not do it. No message contains a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address of a database is not understood.
    #[error("the address of the database is not understood: {why}")]
    Address {
        /// What is wrong with it.
        why: String,
    },
    /// The database could not be opened.
    #[error("cannot open {place}")]
    Open {
        /// Which.
        place: String,
        /// What it said.
        source: sqlx::Error,
    },
    /// A later version of the program made the tables.
    #[error(
        "{place}: made by a later version of this program: tables of version {found}, known up to {known}"
    )]
    Later {
        /// Which database.
        place: String,
        /// The version of its tables.
        found: i64,
        /// The newest version that this program knows.
        known: i64,
    },
    /// The steps to a version ran, and the database is of another one.
    #[error("{place}: after the migration to version {wanted} its tables are of version {found}")]
    Migration {
        /// Which database.
        place: String,
        /// The version that the steps lead to.
        wanted: i64,
        /// The version that the database has.
        found: i64,
    },
    /// The database refused a statement, or could not be reached.
    #[error(transparent)]
    Statement(#[from] sqlx::Error),
    /// A column holds something that the caller cannot use.
    #[error("the column `{column}` holds no {wanted}")]
    Column {
        /// Which.
        column: String,
        /// What was expected.
        wanted: &'static str,
    },
    /// The database was opened for reading only.
    #[error("{place} was opened for reading only")]
    ReadOnly {
        /// Which.
        place: String,
    },
    /// A backup of another dialect, or none.
    #[error("{}: {why}", .path.display())]
    Dump {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A database that is restored into must be empty.
    #[error("{place} has rows already; a backup is restored only into an empty database")]
    NotEmpty {
        /// Which database.
        place: String,
    },
    /// A file could not be read or written.
    #[error("cannot read or write {}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file exists and is not replaced.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
}

impl Error {
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        |source| Error::File { path: path.to_owned(), source }
    }

    /// What the driver said, if it was asked.
    fn cause(&self) -> Option<&sqlx::Error> {
        match self {
            Error::Open { source, .. } | Error::Statement(source) => Some(source),
            _ => None,
        }
    }

    /// The code of a refusal.
    fn code(&self) -> Option<Code> {
        let sqlx::Error::Database(refusal) = self.cause()? else { return None };
        let code = refusal.code()?;
        // SQLSTATE has five characters; SQLite's codes are numbers whose low byte says the kind.
        match refusal.try_downcast_ref::<sqlx::postgres::PgDatabaseError>() {
            Some(_) => Some(Code::Postgres(code.into_owned())),
            None => code.parse::<u32>().ok().map(|code| Code::Sqlite(code & 0xff)),
        }
    }

    fn has_code(&self, sqlite: &[u32], postgres: &[&str]) -> bool {
        match self.code() {
            Some(Code::Sqlite(code)) => sqlite.contains(&code),
            Some(Code::Postgres(code)) => postgres.iter().any(|begin| code.starts_with(begin)),
            None => false,
        }
    }

    /// Whether the database itself is damaged, or is none at all; `false` if it only could not be reached.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        // SQLITE_CORRUPT and SQLITE_NOTADB; data_corrupted and index_corrupted.
        self.has_code(&[11, 26], &["XX001", "XX002"])
    }

    /// Whether somebody else holds a lock for longer than a change waits.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        // SQLITE_BUSY; lock_not_available.
        self.has_code(&[5], &["55P03"])
    }

    /// Whether the same change may succeed when it is made again from its beginning.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        // SQLITE_BUSY and SQLITE_LOCKED; serialization_failure, deadlock_detected, lock_not_available.
        self.has_code(&[5, 6], &["40001", "40P01", "55P03"])
    }

    /// Whether the disk has no space left: the same may succeed later.
    #[must_use]
    pub fn is_full(&self) -> bool {
        // SQLITE_FULL; disk_full.
        self.has_code(&[13], &["53100"])
    }

    /// Whether the server is away: it does not answer, closes connections, or accepts no more of them. The same may succeed later.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        // Class 08 is about connections; too_many_connections, admin_shutdown, crash_shutdown, cannot_connect_now.
        if self.has_code(&[], &["08", "53300", "57P01", "57P02", "57P03"]) {
            return true;
        }
        matches!(
            self.cause(),
            Some(
                sqlx::Error::Io(_)
                    | sqlx::Error::Tls(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::Protocol(_)
            )
        )
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Later { .. } => Some("use the version of varve that made it, or a later one"),
            Error::NotEmpty { .. } => Some("name an empty database, or an empty folder"),
            _ if self.is_unreachable() => {
                Some("check that the database server runs and that its address is right")
            }
            _ => None,
        }
    }
}

enum Code {
    Sqlite(u32),
    Postgres(String),
}
