//! Files that something is wrong with.

use std::ops::Range;

/// A file that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// `<job>/<file>`
    pub file: String,
    /// What is wrong.
    pub why: Why,
    /// Where in the merged result its own stands, so that it can be found and left out; `None` where it has none.
    pub result: Option<Range<u64>>,
}

/// What is wrong with a file, or was with working on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// Its bytes cannot be had.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// It is not what was sealed. If there is a result, it is one of the wrong bytes.
    #[error("it has the checksum {found}, and should have {expected}")]
    Changed {
        /// The checksum it was sealed with.
        expected: String,
        /// The one it has.
        found: String,
    },
    /// Something is wrong with what it holds. The result is of the rest.
    #[error("{0}")]
    Damaged(String),
    /// It took too long.
    #[error("it took longer than it may")]
    Time,
    /// Its result is longer than it may be.
    #[error("its result is longer than it may be")]
    TooMuch,
    /// Its result could not be kept.
    #[error("its result cannot be kept: {0}")]
    NotKept(String),
    /// The task could not do it.
    #[error("{0}")]
    Task(String),
    /// The task has a fault, and fell over this file.
    #[error("working on it failed by a fault of this program: {0}")]
    Panic(String),
}

impl Why {
    /// A stable word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Why::Unreadable(_) => "unreadable",
            Why::Changed { .. } => "changed",
            Why::Damaged(_) => "damaged",
            Why::Time => "time",
            Why::TooMuch => "too-much",
            Why::NotKept(_) => "not-kept",
            Why::Task(_) => "task",
            Why::Panic(_) => "panic",
        }
    }

    /// Whether a result that is there is kept all the same.
    pub(crate) fn keeps_result(&self) -> bool {
        matches!(self, Why::Changed { .. } | Why::Damaged(_))
    }
}
