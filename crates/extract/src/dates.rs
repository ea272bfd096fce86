//! Dates as documents and headers write them, to one instant.
//!
//! The notations themselves are read by [`urlkey::time`]; here they are tried in the order of how much can be relied on
//! them, and what cannot be read is kept, because somebody may still make sense of it.

use std::fmt;

use jiff::Timestamp;
use urlkey::time::{self, Precision};

/// A date that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    /// The instant, in UTC; the earliest that the text may mean.
    pub timestamp: Timestamp,
    /// How much of it was said.
    pub precision: Precision,
    /// In which notation.
    pub form: Form,
}

/// The notation of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// One of the three of HTTP: RFC 1123, RFC 850, or C's `asctime`.
    Http,
    /// ISO 8601, as the W3C profiles it.
    Iso,
    /// Something that people and programs write nevertheless.
    Loose,
}

/// A date that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The text, shortened.
    pub text: String,
    /// It has the form of a date that the calendar does not have, such as the 30th of February.
    pub impossible: bool,
}

/// Reads a date in any notation we know.
///
/// # Errors
/// [`Unread`] where no date can be made out.
pub fn read(text: &str) -> Result<Date, Unread> {
    let text = text.trim();
    if let Ok(timestamp) = time::parse_http_date(text) {
        return Ok(Date { timestamp, precision: Precision::Second, form: Form::Http });
    }
    if let Ok(date) = time::parse_iso(text) {
        return Ok(Date { timestamp: date.timestamp, precision: date.precision, form: Form::Iso });
    }
    match time::parse_lenient(text) {
        Ok(timestamp) => Ok(Date { timestamp, precision: Precision::Second, form: Form::Loose }),
        Err(error) => Err(Unread {
            text: text.chars().take(100).collect(),
            impossible: matches!(error, urlkey::Error::NoSuchDate { .. }),
        }),
    }
}

/// In ISO 8601, as exact as it was written: `2014`, `2014-12-26`, `2014-12-26T09:50:10Z`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = time::to_warc_date_precise(self.timestamp);
        let short = match self.precision {
            Precision::Year => whole.get(..4),
            Precision::Month => whole.get(..7),
            Precision::Day => whole.get(..10),
            _ => None,
        };
        f.write_str(short.unwrap_or(&whole))
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.impossible { "there is no such date" } else { "this is no date that we can read" };
        write!(f, "{what}: `{}`", self.text)
    }
}
