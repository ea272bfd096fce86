//! Times as fourteen digits, `20141226095010`: the notation of CDX lines, replay addresses and ARC files.
//!
//! People shorten them from the right. A shortened one stands for a span, so there are two ways to complete it: to its
//! first instant and to its last.

use jiff::Timestamp;

use super::scan::decimal;
use super::{civil, instant, push, push_year};
use crate::Error;

/// Completes digits to fourteen so that they name the earliest instant they may mean: `2014` is `20140101000000`.
///
/// Only the digits count that are there; what is beyond fourteen is cut off and anything but a digit ends the text.
pub fn pad_earliest(digits: &str) -> String {
    pad(digits, "00000101000000")
}

/// Completes digits to fourteen so that nothing they may mean sorts after them: `201402` is `20140231235959`.
///
/// Made to be compared as text, as the upper end of a range: the day need not exist.
pub fn pad_latest(digits: &str) -> String {
    pad(digits, "29991231235959")
}

/// Reads four to fourteen digits as the earliest instant they may mean. With seventeen, the last three are
/// milliseconds, as in names that Heritrix makes.
///
/// # Errors
/// [`Error::NotADate`] unless there are digits only, an even number of them; [`Error::NoSuchDate`] where the calendar
/// has no such time.
pub fn parse_14(digits: &str) -> Result<Timestamp, Error> {
    let bytes = digits.as_bytes();
    let whole = matches!(bytes.len(), 4 | 6 | 8 | 10 | 12 | 14 | 17);
    if !whole || !bytes.iter().all(u8::is_ascii_digit) {
        return Err(Error::not_a_date(digits));
    }
    let milliseconds = bytes.get(14..).and_then(decimal).unwrap_or_default();
    let nanosecond = i32::try_from(milliseconds * 1_000_000).unwrap_or_default();
    fields(pad_earliest(digits).as_bytes())
        .and_then(|fields| instant(fields, nanosecond, 0))
        .ok_or_else(|| Error::no_such_date(digits))
}

/// Reads four to fourteen digits as the last second they may mean: `201402` is the end of the 28th of February.
///
/// # Errors
/// As [`parse_14`].
pub fn parse_14_latest(digits: &str) -> Result<Timestamp, Error> {
    if digits.len() > 14 {
        return Err(Error::not_a_date(digits));
    }
    parse_14(digits)?;
    Ok(parse_14_clamped(digits))
}

/// Reads any text as a time, the way pywb and warcio read the time in a replay address: parts that are missing or
/// incomplete become the last they can be, parts out of range the nearest that exists. Never fails.
///
/// `2014122` is the end of December 2014, `20131709005601` has month 12, and nothing at all is the end of 2999.
pub fn parse_14_clamped(digits: &str) -> Timestamp {
    let count = digits.bytes().take_while(u8::is_ascii_digit).count().min(14);
    let given = digits.get(..count).unwrap_or_default();
    // Up to the month a missing digit is filled in, so that `20` is 2099 rather than nothing.
    let padded =
        if count < 6 { pad_latest(given).get(..6).unwrap_or_default().to_owned() } else { given.to_owned() };
    let part = |from: usize, to: usize, least: i16, most: i16| {
        let value = padded.as_bytes().get(from..to).and_then(decimal);
        value.and_then(|value| i16::try_from(value).ok()).map_or(most, |value| value.clamp(least, most))
    };
    let (year, month) = (part(0, 4, 1, 2999), part(4, 6, 1, 12));
    let day = part(6, 8, 1, days_in(year, month));
    let fields = [year, month, day, part(8, 10, 0, 23), part(10, 12, 0, 59), part(12, 14, 0, 59)];
    instant(fields, 0, 0).unwrap_or_default()
}

/// The instant as fourteen digits. Fractions of a second are cut off.
pub fn to_14(timestamp: Timestamp) -> String {
    let time = civil(timestamp);
    let mut text = String::with_capacity(20);
    push_year(&mut text, time.year());
    for field in [time.month(), time.day(), time.hour(), time.minute(), time.second()] {
        push(&mut text, field.unsigned_abs().into(), 2);
    }
    text
}

/// The instant as seventeen digits, with milliseconds: what Heritrix puts into file names.
pub fn to_17(timestamp: Timestamp) -> String {
    let mut text = to_14(timestamp);
    push(&mut text, civil(timestamp).millisecond().unsigned_abs().into(), 3);
    text
}

fn pad(digits: &str, template: &str) -> String {
    let count = digits.bytes().take_while(u8::is_ascii_digit).count().min(template.len());
    let given = digits.get(..count).unwrap_or_default();
    let mut padded = String::with_capacity(template.len());
    padded.push_str(given);
    padded.push_str(template.get(count..).unwrap_or_default());
    padded
}

fn fields(digits: &[u8]) -> Option<[i16; 6]> {
    let part = |from: usize, to: usize| i16::try_from(decimal(digits.get(from..to)?)?).ok();
    Some([part(0, 4)?, part(4, 6)?, part(6, 8)?, part(8, 10)?, part(10, 12)?, part(12, 14)?])
}

fn days_in(year: i16, month: i16) -> i16 {
    let month = i8::try_from(month).unwrap_or(1);
    jiff::civil::Date::new(year, month, 1).map_or(31, |date| i16::from(date.days_in_month()))
}
