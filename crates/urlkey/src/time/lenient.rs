//! Dates as servers, file listings and old archives really write them.

use jiff::Timestamp;

use super::http_date::{century, month};
use super::iso::zone;
use super::scan::{Scanner, decimal, nanoseconds};
use super::{digits, instant, iso};
use crate::Error;

/// Reads a date in about any notation found in HTTP headers, log files and directory listings, and in damaged WARC
/// headers: the HTTP forms with anything missing or doubled, `03/Feb/1994:01:00:00 +0100`, `Feb  3 1994`,
/// `02-03-94  12:00AM`, ISO 8601, bare digits, and ISO dates cut off in the middle (`2011-03-05T10:1`), which mean the
/// earliest instant that still fits. Without a zone it is UTC. Texts over 100 bytes are refused.
///
/// # Errors
/// [`Error::NotADate`] where no date can be made out, [`Error::NoSuchDate`] where it can but does not exist.
pub fn parse_lenient(text: &str) -> Result<Timestamp, Error> {
    let trimmed = text.trim();
    if trimmed.len() > 100 {
        return Err(Error::not_a_date(text));
    }
    match iso::parse(trimmed, iso::Strictness::Iso) {
        Ok(date) => return Ok(date.timestamp),
        Err(error @ Error::NoSuchDate { .. }) => return Err(error),
        Err(_) => {}
    }
    if let Some(digits) = cut_off_iso(trimmed) {
        return digits::parse_14(&digits);
    }
    let found = Found::read(trimmed).ok_or_else(|| Error::not_a_date(text))?;
    found.instant().ok_or_else(|| Error::no_such_date(text))
}

/// The whole pairs of digits of a text that begins like an ISO date and then breaks off, or of digits alone.
fn cut_off_iso(text: &str) -> Option<String> {
    let shape = b"0000-00-00T00:00:00Z";
    let fits = |text: &[u8]| {
        text.iter().zip(shape).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b't' | b' '),
            form => byte == form,
        })
    };
    let only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() < 4 || text.len() > shape.len() || !(only_digits || fits(text.as_bytes())) {
        return None;
    }
    let mut digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if digits.len() % 2 == 1 && digits.len() < 14 {
        digits.pop();
    }
    Some(digits)
}

/// The parts of a date, found in whatever order.
#[derive(Debug, Default)]
struct Found {
    year: Option<i16>,
    month: Option<i16>,
    day: Option<i16>,
    time: Option<[i16; 3]>,
    nanosecond: i32,
    offset_seconds: Option<i32>,
    afternoon: Option<bool>,
}

impl Found {
    fn read(text: &str) -> Option<Found> {
        let mut found = Found::default();
        let mut words = text.split([' ', '\t', ',', '(', ')']).filter(|word| !word.is_empty());
        words.try_for_each(|word| found.word(word))?;
        (found.day.is_some() && found.month.is_some() && found.year.is_some()).then_some(found)
    }

    fn instant(&self) -> Option<Timestamp> {
        let [mut hour, minute, second] = self.time.unwrap_or_default();
        if let Some(afternoon) = self.afternoon {
            if !(1..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + if afternoon { 12 } else { 0 };
        }
        let fields = [self.year?, self.month?, self.day?, hour, minute, second];
        instant(fields, self.nanosecond, self.offset_seconds.unwrap_or_default())
    }

    /// Takes in one word. `None` where it cannot be part of a date.
    fn word(&mut self, word: &str) -> Option<()> {
        let colon = word.find(':');
        let slash_date = word.contains(['/', '-']) && word.starts_with(|first: char| first.is_ascii_digit());
        if slash_date {
            // `03/Feb/1994:01:00:00`: the common log format ties the time to the date with a colon.
            let (date, time) = colon.and_then(|at| word.split_at_checked(at)).unwrap_or((word, ""));
            self.date(date)?;
            return if time.is_empty() { Some(()) } else { self.clock(time.trim_start_matches(':')) };
        }
        match word.as_bytes().first()? {
            b'+' | b'-' => self.zone(word),
            b'0'..=b'9' if colon.is_some() => self.clock(word),
            b'0'..=b'9' => self.number(word),
            _ => self.name(word),
        }
    }

    /// `03-Feb-94`, `03/Feb/1994`, `1994/02/03`, and month first where all are numbers: `02-03-94`.
    fn date(&mut self, word: &str) -> Option<()> {
        let mut parts = word.split(['/', '-']);
        let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || self.day.is_some() {
            return None;
        }
        let number = |part: &str| i16::try_from(decimal(part.as_bytes())?).ok();
        let (day, month_number, year) = match (first.len(), month(second.as_bytes())) {
            (4, Some(month)) => (number(third)?, month, first),
            (4, None) => (number(third)?, number(second)?, first),
            (_, Some(month)) => (number(first)?, month, third),
            (_, None) => (number(second)?, number(first)?, third),
        };
        self.day = Some(day);
        self.month = Some(month_number);
        self.set_year(year)
    }

    /// `04:56`, `04:56:01.5`, `12:00AM`.
    fn clock(&mut self, word: &str) -> Option<()> {
        let mut scanner = Scanner::new(word);
        let part = |scanner: &mut Scanner<'_>| i16::try_from(decimal(scanner.digits())?).ok();
        let hour = part(&mut scanner)?;
        scanner.take(b':').then_some(())?;
        let minute = part(&mut scanner)?;
        let second = if scanner.take(b':') { part(&mut scanner)? } else { 0 };
        if scanner.take(b'.') {
            self.nanosecond = nanoseconds(scanner.digits());
        }
        let suffix = scanner.letters();
        if self.time.is_some() || !scanner.is_done() {
            return None;
        }
        self.time = Some([hour, minute, second]);
        if suffix.is_empty() { Some(()) } else { self.name(std::str::from_utf8(suffix).ok()?) }
    }

    fn zone(&mut self, word: &str) -> Option<()> {
        let mut scanner = Scanner::new(word);
        let offset = zone(&mut scanner)?;
        scanner.is_done().then_some(())?;
        self.offset_seconds = Some(offset);
        Some(())
    }

    /// A number alone is the day first, then the year; four digits are always the year.
    fn number(&mut self, word: &str) -> Option<()> {
        let value = i16::try_from(decimal(word.as_bytes())?).ok()?;
        // Log files have been seen whose zone lost its sign: `03/Feb/1994:00:00:00 0000`.
        if word.len() == 4 && self.year.is_some() && self.time.is_some() {
            return self.zone(&format!("+{word}"));
        }
        if word.len() >= 3 || self.day.is_some() {
            return self.set_year(word);
        }
        self.day = Some(value);
        Some(())
    }

    fn set_year(&mut self, digits: &str) -> Option<()> {
        let value = i16::try_from(decimal(digits.as_bytes())?).ok()?;
        let year = match digits.len() {
            2 => century(value),
            4 => value,
            _ => return None,
        };
        self.year.replace(year).is_none().then_some(())
    }

    /// A month, a day of the week, a zone, or half of the day.
    fn name(&mut self, word: &str) -> Option<()> {
        let lower = word.trim_end_matches('.').to_ascii_lowercase();
        let zone_hours = match lower.as_str() {
            "gmt" | "utc" | "ut" | "z" => Some(0),
            "est" | "cdt" => Some(-5),
            "edt" => Some(-4),
            "cst" | "mdt" => Some(-6),
            "mst" | "pdt" => Some(-7),
            "pst" => Some(-8),
            "cet" => Some(1),
            "cest" => Some(2),
            _ => None,
        };
        if let Some(hours) = zone_hours {
            // `+0000 GMT` says it twice; the number said it better.
            self.offset_seconds.get_or_insert(hours * 3600);
            return Some(());
        }
        if lower == "am" || lower == "pm" {
            self.afternoon = Some(lower == "pm");
            return Some(());
        }
        let weekday = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
        if weekday.iter().any(|day| lower.starts_with(day)) {
            return Some(());
        }
        self.month.replace(month(lower.as_bytes())?).is_none().then_some(())
    }
}
