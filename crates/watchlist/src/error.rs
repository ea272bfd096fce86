//! What can be wrong with a list as a whole.

use std::fmt;

/// Where something stands.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// A line, and a column in characters where one is known; both are counted from one.
    Line {
        /// The line.
        line: usize,
        /// The column, or 0.
        column: usize,
    },
    /// A path into a JSON document, or the name of a file and a path.
    Path(String),
}

/// Why a list could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The list is larger than anybody's.
    #[error("the list has {bytes} bytes, and {max} are the most that is taken")]
    TooLarge {
        /// What it has.
        bytes: usize,
        /// What it may have.
        max: usize,
    },
    /// There is too much of something in it.
    #[error("{place}: there are more than {max} {what}")]
    TooMany {
        /// Where it became too much.
        place: Place,
        /// Of what.
        what: &'static str,
        /// How many there may be.
        max: usize,
    },
    /// It is not written as its kind is.
    #[error("{place}: {why}")]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong.
        why: String,
    },
    /// It is of no kind that is known.
    #[error(
        "this is no list that is known: neither of changedetection.io, Distill or urlwatch, nor OPML, CSV, plain URLs or an export of varve"
    )]
    Unknown,
    /// It was written by a newer varve.
    #[error("the list is of version {found}, and {known} is the newest that is known here")]
    Version {
        /// What it says.
        found: u64,
        /// What is known.
        known: u64,
    },
}

impl Place {
    /// A line.
    #[must_use]
    pub fn line(line: usize) -> Place {
        Place::Line { line, column: 0 }
    }

    /// The place of a byte of a text.
    #[must_use]
    pub(crate) fn of_byte(text: &str, at: usize) -> Place {
        let mut end = at.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = text.get(..end).unwrap_or_default();
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Place::Line { line, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line { line, column: 0 } => write!(f, "line {line}"),
            Place::Line { line, column } => write!(f, "line {line}, column {column}"),
            Place::Path(path) => f.write_str(path),
        }
    }
}

impl Error {
    pub(crate) fn syntax(place: Place, why: impl Into<String>) -> Error {
        Error::Syntax { place, why: why.into() }
    }
}

/// The beginning of a text that is quoted in a message, on one line.
pub(crate) fn excerpt(text: &str) -> String {
    const MOST: usize = 100;
    let mut short: String =
        text.chars().take(MOST).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}
