//! Times as they are kept: milliseconds since 1970, as the archive's lines tell them.

use jiff::Timestamp;

use crate::error::Error;

pub(crate) fn to_number(at: Timestamp) -> i64 {
    at.as_millisecond()
}

pub(crate) fn parse(what: &'static str, number: i64) -> Result<Timestamp, Error> {
    Timestamp::from_millisecond(number).map_err(|_| Error::Damaged { what, found: number.to_string() })
}

/// To the millisecond: no more is kept.
pub(crate) fn rounded(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}
