//! What is wrong with a settings file: every fault with its line, and the way out.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::table::Refused;
use crate::hint::with_hint;

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The file it is in.
    pub(crate) path: PathBuf,
    /// Counted from 1; nought is the file as a whole.
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) message: String,
    /// The way out.
    pub(crate) hint: Option<String>,
}

impl Problem {
    /// A refusal at its place.
    pub(crate) fn new(path: &Path, line: usize, refused: Refused) -> Problem {
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
pub(crate) struct Problems(pub(crate) Vec<Problem>);

impl Problems {
    /// The first as an error, with a word about the others.
    pub(crate) fn into_error(self) -> anyhow::Error {
        let more = self.0.len().saturating_sub(1);
        let Some(first) = self.0.into_iter().next() else { return anyhow!("the settings are wrong") };
        let mut error = anyhow!("{first}");
        if let Some(hint) = first.hint {
            error = with_hint(error, hint);
        }
        if more > 0 {
            let others = if more == 1 { "the other one".to_owned() } else { format!("the other {more}") };
            error = with_hint(error, format!("`varve config check` tells {others}, too"));
        }
        error
    }
}
