//! A commit: what one job brought in, visible as a whole or not at all.

use jiff::Timestamp;

/// What a job's rows are published under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Name of the job. Publishing under a name that is there already replaces what it stood for.
    pub name: String,
    /// The time of the commit: when its job began.
    pub at: Timestamp,
    /// What else is told of it: counts, a label. The index keeps them and does not look inside.
    pub facts: Vec<(String, String)>,
}
