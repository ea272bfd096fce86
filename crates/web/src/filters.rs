//! How numbers, times and names are written on pages.
//!
//! The attribute makes methods of them that are public within private types.

#![allow(unreachable_pub)]

use askama::{Result, Values, filter_fn};

/// A number with its thousands set apart: `1,234,567`.
#[filter_fn]
pub(crate) fn grouped(count: &u64, _: &dyn Values) -> Result<String> {
    Ok(number(*count))
}

/// A number that may not be known.
#[filter_fn]
pub(crate) fn known(count: &Option<u64>, _: &dyn Values) -> Result<String> {
    Ok(count.map_or_else(|| "–".to_owned(), number))
}

/// A number of bytes: `1.4 MB`.
#[filter_fn]
pub(crate) fn bytes(count: &u64, _: &dyn Values) -> Result<String> {
    Ok(size(*count))
}

/// A number of bytes that may not be known.
#[filter_fn]
pub(crate) fn known_bytes(count: &Option<u64>, _: &dyn Values) -> Result<String> {
    Ok(count.map_or_else(|| "–".to_owned(), size))
}

/// A text that ends as a sentence does: with a full stop, unless it has an end of its own.
#[filter_fn]
pub(crate) fn sentence(text: &str, _: &dyn Values) -> Result<String> {
    Ok(ended(text))
}

/// A number of things: `1 harvest`, `1,234 harvests`.
#[filter_fn]
pub(crate) fn counted(count: &u64, _: &dyn Values, thing: &str) -> Result<String> {
    let plural = if *count == 1 { "" } else { "s" };
    Ok(format!("{} {thing}{plural}", number(*count)))
}

/// So many in a second.
#[filter_fn]
pub(crate) fn rate(rate: &f64, _: &dyn Values) -> Result<String> {
    Ok(format!("{rate:.1}"))
}

/// A time span as people say it.
#[filter_fn]
pub(crate) fn duration(seconds: &f64, _: &dyn Values) -> Result<String> {
    Ok(span(*seconds))
}

/// A moment to the minute.
#[filter_fn]
pub(crate) fn moment(time: &str, _: &dyn Values) -> Result<String> {
    Ok(written(time, "%-d %b %Y, %H:%M"))
}

/// A moment to the day.
#[filter_fn]
pub(crate) fn day(time: &str, _: &dyn Values) -> Result<String> {
    Ok(written(time, "%-d %b %Y"))
}

/// A moment to the second, without its day.
#[filter_fn]
pub(crate) fn clock(time: &str, _: &dyn Values) -> Result<String> {
    Ok(written(time, "%H:%M:%S"))
}

/// A moment as it stands in an address of replay.
#[filter_fn]
pub(crate) fn digits(time: &str, _: &dyn Values) -> Result<String> {
    Ok(written(time, "%Y%m%d%H%M%S"))
}

/// The name of a job without the time behind it: what was harvested.
#[filter_fn]
pub(crate) fn site(job: &str, _: &dyn Values) -> Result<String> {
    Ok(site_of(job).to_owned())
}

/// A name as it stands in an address, between its slashes or behind its question mark.
#[filter_fn]
pub(crate) fn address(name: &str, _: &dyn Values) -> Result<String> {
    Ok(encoded(name))
}

/// A name as it stands between two slashes of an address.
#[filter_fn]
pub(crate) fn segment(name: &str, _: &dyn Values) -> Result<String> {
    Ok(encoded(name).replace('/', "%2F"))
}

/// What was answered.
#[filter_fn]
pub(crate) fn status(status: &Option<i32>, _: &dyn Values) -> Result<String> {
    Ok(match status {
        None => "not known yet".to_owned(),
        Some(status) => answered(*status),
    })
}

fn ended(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(['.', '?', '!']) { text.to_owned() } else { format!("{text}.") }
}

pub(crate) fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Powers of ten; tenths are cut, not rounded.
pub(crate) fn size(count: u64) -> String {
    if count < 1000 {
        return format!("{count} B");
    }
    let (mut tenths, mut unit) = (u128::from(count) * 10, "B");
    for next in ["kB", "MB", "GB", "TB", "PB", "EB"] {
        if tenths < 10_000 {
            break;
        }
        (tenths, unit) = (tenths / 1000, next);
    }
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// Every byte but those that mean nothing in an address, and slashes.
pub(crate) fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

pub(crate) fn span(seconds: f64) -> String {
    if seconds < 9.95 {
        return format!("{:.1} s", seconds.max(0.0));
    }
    let seconds = seconds.clamp(0.0, 1e9) as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

fn written(time: &str, format: &str) -> String {
    match time.parse::<jiff::Timestamp>() {
        Ok(time) => time.strftime(format).to_string(),
        Err(_) => time.to_owned(),
    }
}

/// `example.org-20261116040000` is of `example.org`; what has no time behind it is its own name.
pub(crate) fn site_of(job: &str) -> &str {
    let is_time = |text: &str| text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit());
    match job.rsplit_once('-') {
        Some((name, time)) if is_time(time) => name,
        // A second one within the same second has a number behind that.
        Some((name, again)) if again.bytes().all(|byte| byte.is_ascii_digit()) => match name.rsplit_once('-')
        {
            Some((name, time)) if is_time(time) => name,
            _ => job,
        },
        _ => job,
    }
}

/// A status in words where it has no number that people know.
pub(crate) fn answered(status: i32) -> String {
    match status {
        0 => "not asked".to_owned(),
        -1 | -6 => "host not found".to_owned(),
        -2 => "nobody answered".to_owned(),
        -61 => "robots.txt unknown".to_owned(),
        -5001 => "not allowed".to_owned(),
        -5003 => "over the limit".to_owned(),
        -9998 => "robots.txt forbids it".to_owned(),
        status if status < 0 => format!("failed ({status})"),
        status => status.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 999, 1000, 999_999].map(size), ["0 B", "999 B", "1.0 kB", "999.9 kB"]);
        assert_eq!([0.4, 75.0, 7300.0].map(span), ["0.4 s", "1 min 15 s", "2 h 01 min"]);
        assert_eq!(written("2026-11-09T06:00:00Z", "%-d %b %Y, %H:%M"), "9 Nov 2026, 06:00");
        assert_eq!(written("some day", "%Y"), "some day");
    }

    #[test]
    fn a_sentence_has_one_end() {
        assert_eq!(ended("3 copies repaired"), "3 copies repaired.");
        assert_eq!(ended("is its disk mounted?"), "is its disk mounted?");
    }

    #[test]
    fn a_job_is_called_by_its_site() {
        for (job, site) in [
            ("example.org-20261116040000", "example.org"),
            ("my-crawl-20261116040000-2", "my-crawl"),
            ("my-crawl", "my-crawl"),
            ("import-2", "import-2"),
        ] {
            assert_eq!(site_of(job), site);
        }
    }
}
