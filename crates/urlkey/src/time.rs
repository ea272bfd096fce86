//! Times as archives write them: `WARC-Date`, 14 digits, HTTP dates.
//!
//! Everything is UTC and nobody asks what time it is now. A text that names no possible instant is an [`Error`], never
//! a panic. The strict readers accept what the standards allow; [`parse_lenient`] accepts what the web really sends.

mod digits;
pub mod http_date;
mod iso;
mod lenient;
mod scan;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::Error;

pub use digits::{pad_earliest, pad_latest, parse_14, parse_14_clamped, parse_14_latest, to_14, to_17};
pub use http_date::{parse_http_date, to_http_date};
pub use lenient::parse_lenient;

/// The value of a `WARC-Date` field: the earliest instant it may mean, and how exact it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WarcDate {
    /// The instant; where the text was less precise, the first one of the year, month, day or minute named.
    pub timestamp: Timestamp,
    /// How much of it was said.
    pub precision: Precision,
}

/// How exact a date was written, coarsest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// `2014`
    Year,
    /// `2014-12`
    Month,
    /// `2014-12-26`
    Day,
    /// `2014-12-26T09:50Z`
    Minute,
    /// `2014-12-26T09:50:10Z`, the only form of WARC 1.0.
    Second,
    /// `2014-12-26T09:50:10.25Z`, with this many digits after the point, one to nine.
    Fraction(u8),
}

/// Reads a `WARC-Date` as WARC 1.1 allows it: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, `YYYY-MM-DDThh:mmZ`,
/// `YYYY-MM-DDThh:mm:ssZ` and the last with one to nine digits of fraction.
///
/// WARC 1.0 only knows the form with seconds: [`WarcDate::precision`] tells. Dates seen in the wild that are none of
/// these are for [`parse_lenient`].
///
/// # Errors
/// [`Error::NotADate`] for any other form, [`Error::NoSuchDate`] for the 30th of February.
pub fn parse_warc_date(text: &str) -> Result<WarcDate, Error> {
    iso::parse(text, iso::Strictness::Warc)
}

/// Reads an ISO 8601 or W3C date as people write it: besides what [`parse_warc_date`] takes, a blank or lower case `t`
/// for the `T`, offsets (`+01:00`, `-0100`, `+01`), no zone at all (taken as UTC), hours without minutes, and the
/// compact form `20141226T095010Z`.
///
/// # Errors
/// As [`parse_warc_date`].
pub fn parse_iso(text: &str) -> Result<WarcDate, Error> {
    iso::parse(text, iso::Strictness::Iso)
}

/// `2014-12-26T09:50:10Z`: whole seconds, good for WARC 1.0 and 1.1. Fractions are cut off, not rounded.
pub fn to_warc_date(timestamp: Timestamp) -> String {
    iso::to_seconds(timestamp)
}

/// `2014-12-26T09:50:10.25Z`: as many digits after the point as are needed, none for a whole second. WARC 1.1 only.
pub fn to_warc_date_precise(timestamp: Timestamp) -> String {
    iso::to_fraction(timestamp)
}

/// Calendar fields to an instant. `None` where the calendar has no such day or the instant is out of range.
fn instant(fields: [i16; 6], nanosecond: i32, offset_seconds: i32) -> Option<Timestamp> {
    let [year, month, day, hour, minute, second] = fields;
    let small = |value: i16| i8::try_from(value).ok();
    // A leap second has no place on the scale of Unix time; the second before it is the nearest that has.
    let (second, nanosecond) = if second == 60 { (59, 999_999_999) } else { (second, nanosecond) };
    let civil = DateTime::new(
        year,
        small(month)?,
        small(day)?,
        small(hour)?,
        small(minute)?,
        small(second)?,
        nanosecond,
    )
    .ok()?;
    let timestamp = Offset::from_seconds(offset_seconds).ok()?.to_timestamp(civil).ok()?;
    // East of Greenwich the year 0 began in the year before it, which none of the notations can write.
    (self::civil(timestamp).year() >= 0).then_some(timestamp)
}

/// Appends a number of so many digits.
fn push(text: &mut String, number: u32, digits: u32) {
    for place in (0..digits).rev() {
        // The remainder by ten is a digit.
        let digit = number / 10_u32.pow(place) % 10;
        text.push(char::from(b'0' + digit as u8));
    }
}

/// Appends a year; years before the first have a sign.
fn push_year(text: &mut String, year: i16) {
    match u32::try_from(year) {
        Ok(year) => push(text, year, 4),
        Err(_) => text.push_str(&format!("{year:04}")),
    }
}

/// The calendar fields of an instant, in UTC.
fn civil(timestamp: Timestamp) -> DateTime {
    Offset::UTC.to_datetime(timestamp)
}
