//! One thing that somebody must be told.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use crate::bounded::{one_line, plain_kind};
use crate::limits::{ABOUT_MAX, LINE_MAX, LINES_MAX, SUBJECT_MAX};

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Somebody should look at it some day.
    Warning,
    /// Somebody must act.
    Alarm,
}

impl Severity {
    /// Every one, the least first.
    pub const ALL: [Severity; 3] = [Severity::Info, Severity::Warning, Severity::Alarm];

    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Alarm => "alarm",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for Severity {
    type Err = String;

    fn from_str(text: &str) -> Result<Severity, String> {
        let found = Severity::ALL.into_iter().find(|severity| severity.word() == text);
        found.ok_or_else(|| format!("`{text}` is no severity"))
    }
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// When.
    pub at: Timestamp,
    /// What kind of thing it is, such as `audit`; those of one kind are told together.
    pub kind: String,
    /// How much it matters.
    pub severity: Severity,
    /// What happened, in a line.
    pub subject: String,
    /// What more there is to say.
    pub lines: Vec<String>,
    /// What it is about, for programs: `replica` and its name, `file` and its name.
    pub about: Vec<(String, String)>,
}

impl Notice {
    /// Something that happened, with nothing more to say of it.
    pub fn new(at: Timestamp, kind: &str, severity: Severity, subject: impl Into<String>) -> Notice {
        let (kind, subject) = (kind.to_owned(), subject.into());
        Notice { at, kind, severity, subject, lines: Vec::new(), about: Vec::new() }
    }

    /// With a further line.
    #[must_use]
    pub fn line(mut self, line: impl Into<String>) -> Notice {
        self.lines.push(line.into());
        self
    }

    /// With a further word on what it is about.
    #[must_use]
    pub fn about(mut self, key: &str, value: impl Into<String>) -> Notice {
        self.about.push((key.to_owned(), value.into()));
        self
    }

    /// The same within bounds, and in one line where it is to be one: names of files come from outside, and may hold what would
    /// end a header or move a cursor.
    pub(crate) fn bounded(mut self) -> Notice {
        self.kind = plain_kind(&self.kind, 40);
        self.subject = one_line(&self.subject, SUBJECT_MAX);
        let left_out = self.lines.len().saturating_sub(LINES_MAX);
        self.lines.truncate(LINES_MAX);
        self.lines.iter_mut().for_each(|line| *line = one_line(line, LINE_MAX));
        if left_out > 0 {
            self.lines.push(format!("and {left_out} more lines"));
        }
        self.about.truncate(ABOUT_MAX);
        for (key, value) in &mut self.about {
            (*key, *value) = (one_line(key, 40), one_line(value, LINE_MAX));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_stays_in_its_line_and_within_bounds() {
        let mut notice =
            Notice::new(Timestamp::UNIX_EPOCH, "au dit\r\n", Severity::Alarm, "a\r\nBcc: b@c\u{202e}")
                .line("x".repeat(10_000))
                .about("fi\nle", "\u{1b}[2J");
        notice.lines.extend((0..1000).map(|number| number.to_string()));
        let bounded = notice.bounded();
        assert_eq!(bounded.kind, "audit");
        assert_eq!(bounded.subject, "a\u{fffd}\u{fffd}Bcc: b@c\u{fffd}");
        assert_eq!(bounded.about, [("fi\u{fffd}le".to_owned(), "\u{fffd}[2J".to_owned())]);
        assert_eq!(bounded.lines.len(), LINES_MAX + 1);
        assert_eq!(bounded.lines[0].chars().count(), LINE_MAX + 1);
        assert_eq!(bounded.lines[LINES_MAX], "and 951 more lines");
    }

    #[test]
    fn severities_have_an_order_and_a_word() {
        assert!(Severity::Info < Severity::Warning && Severity::Warning < Severity::Alarm);
        for severity in Severity::ALL {
            assert_eq!(severity.word().parse(), Ok(severity));
        }
        assert!("loud".parse::<Severity>().is_err());
    }
}
