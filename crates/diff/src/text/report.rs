//! The form that programs read.

use serde::Serialize;

use super::{Difference, Unit};

/// A difference to be serialised: every change with its place and both texts. What stays the same is not in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report<'a> {
    /// What the texts were cut into; places are counted in it.
    pub unit: Unit,
    /// Whether a finer answer was not looked for.
    pub coarse: bool,
    /// Tokens removed.
    pub removed: usize,
    /// Tokens added.
    pub added: usize,
    /// The changes, in order.
    pub changes: Vec<Piece<'a>>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece<'a> {
    /// Where it begins in the old text, from 0.
    pub old_at: usize,
    /// Where it begins in the new text, from 0.
    pub new_at: usize,
    /// What was there.
    pub old: &'a str,
    /// What is there.
    pub new: &'a str,
}

impl<'a> Difference<'a> {
    /// The difference in a form to be serialised.
    ///
    /// ```
    /// let difference = diff::lines("cod\n", "eel\n", &diff::Limits::default());
    /// let json = serde_json::to_string(&difference.report())?;
    /// assert_eq!(json, r#"{"unit":"lines","coarse":false,"removed":1,"added":1,"changes":[{"old_at":0,"new_at":0,"old":"cod\n","new":"eel\n"}]}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> Report<'a> {
        let (removed, added) = self.counts();
        let changes = self.hunks.iter().map(|hunk| Piece {
            old_at: hunk.old.start,
            new_at: hunk.new.start,
            old: self.old_text(hunk.old.clone()),
            new: self.new_text(hunk.new.clone()),
        });
        Report { unit: self.unit, coarse: self.coarse, removed, added, changes: changes.collect() }
    }
}
