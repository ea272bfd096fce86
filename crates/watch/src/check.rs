//! A check: when, how it ended, what was told wrongly.

use std::fmt;
use std::time::Duration;

use ::db::Row;
use jiff::Timestamp;

use crate::db::{get, number};
use crate::error::Error;
use crate::moment;
use crate::sha256::Sha256;

/// One look at a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Counts up over all checks.
    pub id: i64,
    /// What was checked.
    pub url: String,
    /// When the answer that counts was asked for, to the millisecond.
    pub at: Timestamp,
    /// How it ended.
    pub outcome: Outcome,
    /// The last answer's status; `None` if there was none.
    pub status: Option<u16>,
    /// Where redirects led, if there were any.
    pub final_url: Option<String>,
    /// How many.
    pub redirects: u32,
    /// Digest of the document, if one came.
    pub digest: Option<Sha256>,
    /// Bytes of it, unpacked.
    pub length: Option<u64>,
    /// The version that holds from then on; `None` if there has never been a document.
    pub version: Option<u32>,
    /// How long it took, redirects included.
    pub took: Duration,
    /// Why there is no document, or what else there is to say.
    pub why: Option<String>,
    /// What the server did or told wrongly.
    pub faults: Vec<Fault>,
    /// The answer's head, where the archive has no record of it: of HEAD, and of what is too large.
    pub head: Option<Vec<u8>>,
    /// Nothing was asked: this is the last result, which is not old enough to ask again.
    pub is_repeated: bool,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// There is a document, and none was known.
    First,
    /// It is another document than before.
    Changed,
    /// It is the same document, by its digest, or because the server says so.
    Unchanged,
    /// The server answered with an error: a status of 400 or more.
    Unavailable,
    /// There was no answer, or the redirects lead nowhere.
    Unreachable,
    /// It is larger than the limit, and was not taken: only headers were compared.
    TooLarge {
        /// Whether they are others than before.
        has_changed: bool,
    },
    /// The answer broke off, so that nobody knows what the document is.
    Incomplete,
}

impl Outcome {
    /// Every outcome, for tables and tests.
    pub const ALL: [Outcome; 8] = [
        Outcome::First,
        Outcome::Changed,
        Outcome::Unchanged,
        Outcome::Unavailable,
        Outcome::Unreachable,
        Outcome::TooLarge { has_changed: false },
        Outcome::TooLarge { has_changed: true },
        Outcome::Incomplete,
    ];

    /// Its word in the database, on pages and in JSON; it never changes.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Outcome::First => "first",
            Outcome::Changed => "changed",
            Outcome::Unchanged => "unchanged",
            Outcome::Unavailable => "unavailable",
            Outcome::Unreachable => "unreachable",
            Outcome::TooLarge { has_changed: false } => "too-large",
            Outcome::TooLarge { has_changed: true } => "too-large-changed",
            Outcome::Incomplete => "incomplete",
        }
    }

    /// Whether the URL can be reached: the server answers with a status below 400.
    #[must_use]
    pub fn is_available(self) -> bool {
        !matches!(self, Outcome::Unavailable | Outcome::Unreachable)
    }

    /// Whether the document was had, or is known to be the one that is there already.
    #[must_use]
    pub fn is_had(self) -> bool {
        matches!(self, Outcome::First | Outcome::Changed | Outcome::Unchanged)
    }

    pub(crate) fn parse(text: &str) -> Result<Outcome, Error> {
        let found = Outcome::ALL.into_iter().find(|outcome| outcome.code() == text);
        found.ok_or_else(|| Error::Damaged { what: "outcome", found: text.to_owned() })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// What a server did or told wrongly. None of it is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Fault {
    /// It said "not modified" to somebody who had not asked whether it was.
    UnaskedNotModified,
    /// The length that it announced is not that of what it sent.
    WrongLength,
    /// The digest that it sent along is not that of what it sent.
    WrongDigest,
    /// The content coding that it named is not that of what it sent.
    BrokenCoding,
    /// It calls text what is none.
    WrongType,
}

impl Fault {
    /// Every fault, for tables and tests.
    pub const ALL: [Fault; 5] = [
        Fault::UnaskedNotModified,
        Fault::WrongLength,
        Fault::WrongDigest,
        Fault::BrokenCoding,
        Fault::WrongType,
    ];

    /// Its word in the database, on pages and in JSON; it never changes.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Fault::UnaskedNotModified => "unasked-not-modified",
            Fault::WrongLength => "wrong-length",
            Fault::WrongDigest => "wrong-digest",
            Fault::BrokenCoding => "broken-coding",
            Fault::WrongType => "wrong-type",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::UnaskedNotModified => "says that nothing changed without having been asked",
            Fault::WrongLength => "announces another length than it sends",
            Fault::WrongDigest => "sends another digest than that of the document",
            Fault::BrokenCoding => "names a content coding that it does not use",
            Fault::WrongType => "calls text what is none",
        })
    }
}

impl Check {
    /// Whether the URL could be reached.
    #[must_use]
    pub fn is_available(&self) -> bool {
        self.outcome.is_available()
    }

    /// In words, why there is no document.
    pub(crate) fn not_had(&self) -> String {
        let Check { url, outcome, status, why, .. } = self;
        match (outcome, status, why) {
            (Outcome::TooLarge { .. }, ..) => format!("{url} is larger than the limit and was not taken"),
            (Outcome::Unavailable, Some(status), _) => format!("{url} is not available: status {status}"),
            (_, _, Some(why)) => format!("{url} is not to be had: {why}"),
            _ => format!("{url} is not to be had"),
        }
    }

    pub(crate) fn of(row: &Row) -> Result<Check, Error> {
        let digest: Option<Vec<u8>> = get(row, "digest")?;
        let version: i64 = get(row, "version")?;
        let faults: String = get(row, "faults")?;
        let took: i64 = get(row, "took_ms")?;
        Ok(Check {
            id: get(row, "id")?,
            url: get(row, "url")?,
            at: moment::parse("at", get(row, "at")?)?,
            outcome: Outcome::parse(&get::<String>(row, "outcome")?)?,
            status: get::<Option<i64>>(row, "status")?.map(|status| number("status", status)).transpose()?,
            final_url: get(row, "final_url")?,
            redirects: number("redirects", get(row, "redirects")?)?,
            digest: digest.map(|bytes| Sha256::parse("digest", &bytes)).transpose()?,
            length: get::<Option<i64>>(row, "length")?.map(|length| number("length", length)).transpose()?,
            version: Some(number("version", version)?).filter(|version| *version > 0),
            took: Duration::from_millis(number("took_ms", took)?),
            why: get(row, "why")?,
            // What a later version knows besides is left out.
            faults: Fault::ALL
                .into_iter()
                .filter(|fault| faults.split(' ').any(|word| word == fault.code()))
                .collect(),
            head: get(row, "head")?,
            is_repeated: false,
        })
    }

    /// A line of `checks.jsonl`.
    pub(crate) fn to_line(&self) -> String {
        let faults: Vec<&str> = self.faults.iter().map(|fault| fault.code()).collect();
        let head = self.head.as_ref().map(|head| String::from_utf8_lossy(head));
        serde_json::json!({
            "url": self.url,
            "at": format!("{:.3}", self.at),
            "outcome": self.outcome.code(),
            "status": self.status,
            "final_url": self.final_url,
            "redirects": self.redirects,
            "sha256": self.digest.map(|digest| digest.to_string()),
            "length": self.length,
            "version": self.version,
            "took_ms": u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
            "why": self.why,
            "faults": faults,
            "head": head,
        })
        .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::parse(outcome.code()).unwrap(), outcome);
        }
        assert!(Outcome::parse("splendid").unwrap_err().is_damaged());
    }

    #[test]
    fn below_400_is_available() {
        let available: Vec<&str> =
            Outcome::ALL.into_iter().filter(|outcome| outcome.is_available()).map(Outcome::code).collect();
        assert_eq!(
            available,
            ["first", "changed", "unchanged", "too-large", "too-large-changed", "incomplete"]
        );
    }
}
