//! Dates as documents and headers write them, to one instant.

use jiff::Timestamp;

/// A date that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Date {
    /// The instant, in UTC; the earliest that the text may mean.
    pub timestamp: Timestamp,
}

/// A date that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The text, shortened.
    pub text: String,
}

/// Reads a date in any notation we know.
///
/// # Errors
/// [`Unread`] where no date can be made out.
pub fn read(text: &str) -> Result<Date, Unread> {
    match urlkey::time::parse_lenient(text) {
        Ok(timestamp) => Ok(Date { timestamp }),
        Err(_) => Err(Unread { text: text.chars().take(100).collect() }),
    }
}
