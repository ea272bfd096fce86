//! Files that are kept.

use jiff::Timestamp;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use crate::error::Error;
use crate::moment;

/// A file as the catalogue knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub(crate) id: i64,
    /// `<job>/<file>`.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// SHA-256 in lower-case hex.
    pub sha256: String,
    /// When every replica was found to have it.
    pub accepted_at: Option<Timestamp>,
}

/// All files together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// How many.
    pub files: u64,
    /// How long.
    pub bytes: u64,
    /// Of how many every replica was found to have a copy.
    pub accepted: u64,
}

impl File {
    pub(crate) fn of(row: &SqliteRow) -> Result<File, Error> {
        let failed = || Error::database("read a file's row");
        let bytes: i64 = row.try_get(2).map_err(failed())?;
        let accepted: Option<String> = row.try_get(4).map_err(failed())?;
        Ok(File {
            id: row.try_get(0).map_err(failed())?,
            name: row.try_get(1).map_err(failed())?,
            bytes: count("bytes", bytes)?,
            sha256: row.try_get(3).map_err(failed())?,
            accepted_at: accepted.map(|at| moment::parse("accepted_at", &at)).transpose()?,
        })
    }
}

/// A number that cannot be below zero.
pub(crate) fn count(what: &'static str, number: i64) -> Result<u64, Error> {
    u64::try_from(number).map_err(|_| Error::Damaged { what, found: number.to_string() })
}

/// A number as the database has them.
pub(crate) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
