//! ISO 8601 dates in the W3C profile, which `WARC-Date` uses, and their looser relatives.
//!
//! <https://www.w3.org/TR/NOTE-datetime>, <https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#warc-date-mandatory>

use jiff::Timestamp;

use super::scan::{Scanner, nanoseconds};
use super::{Precision, WarcDate, civil, instant, push, push_year};
use crate::Error;

/// How much freedom the text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Only what WARC 1.1 writes.
    Warc,
    /// Offsets, blanks, compact forms, no zone.
    Iso,
}

/// The parts found in the text.
struct Parts {
    fields: [i16; 6],
    nanosecond: i32,
    offset_seconds: i32,
    precision: Precision,
}

pub(super) fn parse(text: &str, strictness: Strictness) -> Result<WarcDate, Error> {
    let trimmed = if strictness == Strictness::Iso { text.trim_ascii() } else { text };
    let parts = parts(trimmed, strictness).ok_or_else(|| Error::not_a_date(text))?;
    let timestamp = instant(parts.fields, parts.nanosecond, parts.offset_seconds)
        .ok_or_else(|| Error::no_such_date(text))?;
    Ok(WarcDate { timestamp, precision: parts.precision })
}

fn parts(text: &str, strictness: Strictness) -> Option<Parts> {
    let mut scanner = Scanner::new(text);
    let mut fields = [0, 1, 1, 0, 0, 0];
    let mut precision = Precision::Year;
    let [year, month, day, ..] = &mut fields;
    *year = scanner.number(4)?;
    // The compact form leaves the hyphens out altogether, and then writes at least a whole day.
    let hyphens = strictness == Strictness::Warc || !scanner.peek().is_some_and(|byte| byte.is_ascii_digit());
    if !scanner.is_done() {
        separator(&mut scanner, hyphens, b'-')?;
        *month = scanner.number(2)?;
        precision = Precision::Month;
    }
    if !scanner.is_done() {
        separator(&mut scanner, hyphens, b'-')?;
        *day = scanner.number(2)?;
        precision = Precision::Day;
    } else if !hyphens {
        return None;
    }
    if scanner.is_done() {
        return Some(Parts { fields, nanosecond: 0, offset_seconds: 0, precision });
    }
    time_of_day(scanner, fields, strictness)
}

/// What follows the day: `T`, the time, the zone, the end.
fn time_of_day(mut scanner: Scanner<'_>, mut fields: [i16; 6], strictness: Strictness) -> Option<Parts> {
    let loose = strictness == Strictness::Iso;
    scanner.take_any(if loose { b"Tt " } else { b"T" })?;
    while loose && scanner.take(b' ') {}
    let [.., hour, minute, second] = &mut fields;
    let mut precision = Precision::Minute;
    let mut nanosecond = 0;
    *hour = scanner.number(2)?;
    let colons = !loose || !scanner.peek().is_some_and(|byte| byte.is_ascii_digit());
    let more = |scanner: &Scanner<'_>| {
        scanner.peek().is_some_and(|byte| if colons { byte == b':' } else { byte.is_ascii_digit() })
    };
    if !loose || more(&scanner) {
        separator(&mut scanner, colons, b':')?;
        *minute = scanner.number(2)?;
        if more(&scanner) {
            separator(&mut scanner, colons, b':')?;
            *second = scanner.number(2)?;
            precision = Precision::Second;
            if scanner.take_any(if loose { b".," } else { b"." }).is_some() {
                let digits = scanner.digits();
                if digits.is_empty() || (!loose && digits.len() > 9) {
                    return None;
                }
                nanosecond = nanoseconds(digits);
                precision = Precision::Fraction(u8::try_from(digits.len().min(9)).unwrap_or(9));
            }
        }
    }
    let offset_seconds = if loose { zone(&mut scanner)? } else { scanner.take(b'Z').then_some(0)? };
    scanner.is_done().then_some(Parts { fields, nanosecond, offset_seconds, precision })
}

fn separator(scanner: &mut Scanner<'_>, written: bool, separator: u8) -> Option<()> {
    (!written || scanner.take(separator)).then_some(())
}

/// `Z`, `+01:00`, `-0100`, `+01`, or nothing, which means UTC.
pub(super) fn zone(scanner: &mut Scanner<'_>) -> Option<i32> {
    while scanner.take(b' ') {}
    if scanner.is_done() || scanner.take_any(b"Zz").is_some() {
        return Some(0);
    }
    let sign = if scanner.take_any(b"+-")? == b'-' { -1 } else { 1 };
    let hours = i32::from(scanner.number(2)?);
    let minutes = if scanner.is_done() {
        0
    } else {
        scanner.take(b':');
        i32::from(scanner.number(2)?)
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

pub(super) fn to_seconds(timestamp: Timestamp) -> String {
    let time = civil(timestamp);
    let fields = [time.month(), time.day(), time.hour(), time.minute(), time.second()];
    let mut text = String::with_capacity(32);
    push_year(&mut text, time.year());
    // Every record and every line of a log has a date: formatting by the book takes ten times as long.
    for (sign, field) in ['-', '-', 'T', ':', ':'].into_iter().zip(fields) {
        text.push(sign);
        push(&mut text, field.unsigned_abs().into(), 2);
    }
    text.push('Z');
    text
}

pub(super) fn to_fraction(timestamp: Timestamp) -> String {
    let nanosecond = civil(timestamp).subsec_nanosecond();
    let mut text = to_seconds(timestamp);
    if nanosecond != 0 {
        text.pop();
        text.push('.');
        push(&mut text, nanosecond.unsigned_abs(), 9);
        text.truncate(text.trim_end_matches('0').len());
        text.push('Z');
    }
    text
}
