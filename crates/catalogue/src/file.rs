//! Files that are kept.

use db::Row;
use jiff::Timestamp;

use crate::error::Error;

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
    pub(crate) fn of(row: &Row) -> Result<File, Error> {
        let failed = || Error::database("read a file's row");
        Ok(File {
            id: row.get("id").map_err(failed())?,
            name: row.get("name").map_err(failed())?,
            bytes: row.get("bytes").map_err(failed())?,
            sha256: row.get("sha256").map_err(failed())?,
            accepted_at: row.get("accepted_us").map_err(failed())?,
        })
    }
}

/// A number as the database has them.
pub(crate) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
