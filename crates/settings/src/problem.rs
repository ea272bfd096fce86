//! What is wrong with a settings file: every fault with its line, and the way out.

use std::fmt;
use std::path::{Path, PathBuf};

use super::table::Refused;
use super::{Error, failure};

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file it is in.
    pub path: PathBuf,
    /// Counted from 1; nought is the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub hint: Option<String>,
}

impl Problem {
    /// A refusal at its place.
    pub fn new(path: &Path, line: usize, refused: Refused) -> Problem {
        Problem { path: path.to_owned(), line, message: refused.message, hint: refused.hint }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path.display(), self.message),
            line => write!(f, "{}, line {line}: {}", self.path.display(), self.message),
        }
    }
}

/// All faults of a file, in the order of its lines; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// The first as an error, with a word about the others.
    #[must_use]
    pub fn into_error(self) -> Error {
        let more = self.0.len().saturating_sub(1);
        let Some(first) = self.0.into_iter().next() else { return failure!("the settings are wrong") };
        let mut error = Error::new(first.to_string());
        if let Some(hint) = first.hint {
            error = error.with_hint(hint);
        }
        if more > 0 {
            let others = if more == 1 { "the other one".to_owned() } else { format!("the other {more}") };
            error = error.with_hint(format!("`varve config check` tells {others}, too"));
        }
        error
    }
}
