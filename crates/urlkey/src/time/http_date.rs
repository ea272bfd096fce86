//! Dates in HTTP headers: the form everybody writes, and the two old ones everybody must still read.
//!
//! <https://www.rfc-editor.org/rfc/rfc9110.html#section-5.6.7>

use jiff::Timestamp;

use super::scan::{Scanner, decimal};
use super::{civil, instant};
use crate::Error;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// Reads any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`,
/// `Sun Nov  6 08:49:37 1994`. The day of the week is not compared with the date.
///
/// Headers in the wild are looser: see [`parse_lenient`](super::parse_lenient).
///
/// # Errors
/// [`Error::NotADate`] for any other form, [`Error::NoSuchDate`] where the calendar has no such time.
pub fn parse_http_date(text: &str) -> Result<Timestamp, Error> {
    let fields = comma_form(text).or_else(|| asctime_form(text)).ok_or_else(|| Error::not_a_date(text))?;
    instant(fields, 0, 0).ok_or_else(|| Error::no_such_date(text))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`. Fractions of a second are cut off.
pub fn to_http_date(timestamp: Timestamp) -> String {
    let time = civil(timestamp);
    let weekday =
        DAYS.get(usize::from(time.weekday().to_monday_zero_offset().unsigned_abs())).unwrap_or(&"Mon");
    let month = MONTHS.get(usize::from(time.month().unsigned_abs()).saturating_sub(1)).unwrap_or(&"Jan");
    let (day, year) = (time.day(), time.year());
    format!(
        "{weekday}, {day:02} {month} {year:04} {:02}:{:02}:{:02} GMT",
        time.hour(),
        time.minute(),
        time.second()
    )
}

/// The number of the month that these letters begin with, in any case: `nov` and `November` are 11.
pub(super) fn month(letters: &[u8]) -> Option<i16> {
    let start = letters.get(..3)?;
    let index = MONTHS.iter().position(|name| name.as_bytes().eq_ignore_ascii_case(start))?;
    i16::try_from(index + 1).ok()
}

/// Two digits of a year: from 70 on they mean the twentieth century, as for cookies (RFC 6265, section 5.1.1).
pub(super) fn century(two_digits: i16) -> i16 {
    if two_digits >= 70 { 1900 + two_digits } else { 2000 + two_digits }
}

fn comma_form(text: &str) -> Option<[i16; 6]> {
    let mut scanner = Scanner::new(text);
    let weekday = scanner.letters();
    if weekday.len() < 3 || !scanner.take(b',') || !scanner.take(b' ') {
        return None;
    }
    let day = scanner.number(2)?;
    let separator = scanner.take_any(b" -")?;
    let month = month_exactly(scanner.letters())?;
    if !scanner.take(separator) {
        return None;
    }
    let year = match scanner.digits() {
        digits @ [_, _] if separator == b'-' => century(i16::try_from(decimal(digits)?).ok()?),
        digits @ [_, _, _, _] if separator == b' ' => i16::try_from(decimal(digits)?).ok()?,
        _ => return None,
    };
    scanner.take(b' ').then_some(())?;
    let [hour, minute, second] = time(&mut scanner)?;
    (scanner.take(b' ') && scanner.letters() == b"GMT" && scanner.is_done())
        .then_some([year, month, day, hour, minute, second])
}

fn asctime_form(text: &str) -> Option<[i16; 6]> {
    let mut scanner = Scanner::new(text);
    (scanner.letters().len() == 3 && scanner.take(b' ')).then_some(())?;
    let month = month_exactly(scanner.letters())?;
    scanner.take(b' ').then_some(())?;
    let day = if scanner.take(b' ') { scanner.number(1)? } else { scanner.number(2)? };
    scanner.take(b' ').then_some(())?;
    let [hour, minute, second] = time(&mut scanner)?;
    scanner.take(b' ').then_some(())?;
    let year = scanner.number(4)?;
    scanner.is_done().then_some([year, month, day, hour, minute, second])
}

fn month_exactly(letters: &[u8]) -> Option<i16> {
    (letters.len() == 3).then(|| month(letters)).flatten()
}

fn time(scanner: &mut Scanner<'_>) -> Option<[i16; 3]> {
    let hour = scanner.number(2)?;
    scanner.take(b':').then_some(())?;
    let minute = scanner.number(2)?;
    scanner.take(b':').then_some(())?;
    Some([hour, minute, scanner.number(2)?])
}
