//! A version of a document: what it was from one time on.

use ::db::Row;
use jiff::Timestamp;

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
    pub(crate) fn of(row: &Row) -> Result<Version, Error> {
        Ok(Version {
            number: number("number", get(row, "number")?)?,
            at: moment::parse("at", get(row, "at")?)?,
            digest: Sha256::parse("digest", &get::<Vec<u8>>(row, "digest")?)?,
            length: number("length", get(row, "length")?)?,
            media_type: get(row, "media_type")?,
            last_modified: get(row, "last_modified")?,
            url: get(row, "url")?,
            payload: get(row, "payload")?,
            job: get(row, "job")?,
            charset: get(row, "charset")?,
        })
    }
}
