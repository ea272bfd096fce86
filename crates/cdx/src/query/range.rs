//! Which keys and which times are asked for.

use crate::{Capture, Error, Timestamp};

/// A range of lines: from a first key on, up to but without an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    start: Vec<u8>,
    /// `None` where nothing sorts behind the range.
    end: Option<Vec<u8>>,
}

impl KeyRange {
    /// The captures of one key.
    #[must_use]
    pub fn exact(key: &str) -> KeyRange {
        KeyRange::between(format!("{key} "), format!("{key}!"))
    }

    /// The captures of all keys that begin with this.
    #[must_use]
    pub fn prefix(prefix: &str) -> KeyRange {
        let mut end = prefix.as_bytes().to_vec();
        while let Some(last) = end.pop() {
            if let Some(next) = last.checked_add(1) {
                end.push(next);
                break;
            }
        }
        KeyRange { start: prefix.as_bytes().to_vec(), end: (!end.is_empty()).then_some(end) }
    }

    /// Lines from one up to but without another.
    #[must_use]
    pub fn between(start: impl Into<Vec<u8>>, end: impl Into<Vec<u8>>) -> KeyRange {
        KeyRange { start: start.into(), end: Some(end.into()) }
    }

    /// Lines from one on.
    #[must_use]
    pub fn starting(start: impl Into<Vec<u8>>) -> KeyRange {
        KeyRange { start: start.into(), end: None }
    }

    /// The range sorts behind all lines that are less than this.
    #[must_use]
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The range sorts before this, and all that is not less.
    #[must_use]
    pub fn end(&self) -> Option<&[u8]> {
        self.end.as_deref()
    }

    /// Whether a line lies before the range.
    #[must_use]
    pub fn is_before(&self, line: &[u8]) -> bool {
        line < self.start.as_slice()
    }

    /// Whether a line lies behind the range.
    #[must_use]
    pub fn is_behind(&self, line: &[u8]) -> bool {
        self.end.as_deref().is_some_and(|end| line >= end)
    }
}

/// The lines that [`urlkey::key_range`] finds for a URL and how much around it is meant.
impl From<urlkey::KeyRange> for KeyRange {
    fn from(range: urlkey::KeyRange) -> KeyRange {
        KeyRange::between(range.start, range.end)
    }
}

/// Times from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeRange {
    /// The earliest, or `None` for no bound.
    pub from: Option<Timestamp>,
    /// The latest, or `None` for no bound.
    pub to: Option<Timestamp>,
}

impl TimeRange {
    /// Reads bounds of 1 to 14 digits: `2013` to `2013` is the whole year.
    ///
    /// # Errors
    /// When a bound is not digits.
    pub fn parse(from: Option<&str>, to: Option<&str>) -> Result<TimeRange, Error> {
        Ok(TimeRange {
            from: from.map(Timestamp::earliest).transpose()?,
            to: to.map(Timestamp::latest).transpose()?,
        })
    }

    /// Whether the capture is of this time. One without a time is so only where there are no bounds.
    #[must_use]
    pub fn contains(&self, capture: &Capture<'_>) -> bool {
        let Some(time) = capture.timestamp else { return self.from.is_none() && self.to.is_none() };
        self.from.is_none_or(|from| from <= time) && self.to.is_none_or(|to| time <= to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(range: &KeyRange, line: &str, expect: bool) {
        let line = line.as_bytes();
        assert_eq!(!range.is_before(line) && !range.is_behind(line), expect, "{range:?}");
    }

    #[test]
    fn ranges_hold_what_they_say() {
        let exact = KeyRange::exact("com,a)/b");
        check(&exact, "com,a)/b 2014", true);
        check(&exact, "com,a)/b", false);
        check(&exact, "com,a)/b/c 2014", false);
        let domain = KeyRange::from(urlkey::key_range("http://a.com/b", urlkey::Match::Domain).unwrap());
        check(&domain, "com,a)/z 2014", true);
        check(&domain, "com,a,sub)/ 2014", true);
        check(&domain, "com,a-b)/ 2014", false);
        check(&KeyRange::prefix(""), "anything", true);
        check(&KeyRange::prefix("com,a)/b"), "com,a)/bcd 2014", true);
        check(&KeyRange::prefix("com,a)/b"), "com,a)/c 2014", false);
        check(&KeyRange::starting("b"), "z", true);
    }
}
