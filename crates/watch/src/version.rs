//! A version of a document: what it was from one time on.

use jiff::Timestamp;
use sqlx::sqlite::SqliteRow;

use crate::db::{get, number};
use crate::error::Error;
use crate::moment;
use crate::sha256::Sha256;

/// A document as it was from a time on, until the next version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Counts from 1 for each URL.
    pub number: u32,
    /// When it was first seen: the time of its capture.
    pub at: Timestamp,
    /// Its digest.
    pub digest: Sha256,
    /// Bytes of it, unpacked.
    pub length: u64,
    /// What it is, as found out; may be empty.
    pub media_type: String,
    /// What the server said of its age; never trusted.
    pub last_modified: Option<String>,
    /// The URL of the capture: where redirects led, or the URL itself.
    pub url: String,
    /// Digest of the payload as sent, as the archive's index has it.
    pub(crate) payload: Option<String>,
    /// The job that took it.
    pub(crate) job: i64,
    /// How its bytes are characters; empty if it is no text.
    pub(crate) charset: String,
}

/// Which version is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The one that held at this time.
    At(Timestamp),
    /// The one of this number.
    Number(u32),
}

impl From<Timestamp> for Wanted {
    fn from(at: Timestamp) -> Wanted {
        Wanted::At(at)
    }
}

impl From<u32> for Wanted {
    fn from(number: u32) -> Wanted {
        Wanted::Number(number)
    }
}

impl Version {
    pub(crate) fn of(row: &SqliteRow) -> Result<Version, Error> {
        Ok(Version {
            number: number("number", get(row, 0)?)?,
            at: moment::parse("at", get(row, 1)?)?,
            digest: Sha256::parse("digest", &get::<Vec<u8>>(row, 2)?)?,
            length: number("length", get(row, 3)?)?,
            media_type: get(row, 4)?,
            last_modified: get(row, 5)?,
            url: get(row, 6)?,
            payload: get(row, 7)?,
            job: get(row, 8)?,
            charset: get(row, 9)?,
        })
    }
}
