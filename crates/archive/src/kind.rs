//! What a commit is of, by the fact `kind` that is written down with it. A harvest has none.

use index::Commit;

/// The kind of a job whose captures are checks of watched pages.
pub const WATCH: &str = "watch";

/// Whether a commit is of checks of watched pages: there are many such jobs, and nobody started them one by one.
#[must_use]
pub fn is_watch(commit: &Commit) -> bool {
    kind(commit) == Some(WATCH)
}

/// The kind of a commit.
pub(crate) fn kind(commit: &Commit) -> Option<&str> {
    commit.facts.iter().find(|(name, _)| name == "kind").map(|(_, value)| value.as_str())
}
