//! Two texts, compared by lines, words or characters.
//!
//! | question | file |
//! |---|---|
//! | What is a word? | `tokens.rs` |
//! | What is the same, what not? | `compare.rs`, and `anchors.rs` where that would take too long |
//! | How is it shown? | `unified.rs`, `rows.rs` (side by side), `spans.rs` (inline), `report.rs` (JSON); as HTML in `telling` |

mod anchors;
mod compare;
mod report;
mod rows;
mod spans;
mod tokens;
mod unified;

use std::ops::Range;

use serde::Serialize;

use crate::Limits;
use tokens::Tokens;

pub(crate) use compare::of as compare_sequences;
pub(crate) use spans::refine;

pub use report::{Piece, Report};
pub use rows::{Half, Row};
pub use spans::{Kind, Span};

/// What a text is cut into before it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Unit {
    /// Lines, with their ends.
    Lines,
    /// Words, blanks, and each other character.
    Words,
    /// Characters.
    Chars,
}

/// Compares line by line.
///
/// ```
/// let limits = diff::Limits::default();
/// let difference = diff::lines("herring\ncod\n", "herring\neel\ncod\n", &limits);
/// assert_eq!(difference.unified("monday", "tuesday", 3),
///     "--- monday\n+++ tuesday\n@@ -1,2 +1,3 @@\n herring\n+eel\n cod\n");
/// ```
#[must_use]
pub fn lines<'a>(old: &'a str, new: &'a str, limits: &Limits) -> Difference<'a> {
    compare::compare(old, new, Unit::Lines, limits)
}

/// Compares word by word.
///
/// ```
/// let difference = diff::words("the cod swims", "the eel swims", &diff::Limits::default());
/// let marked: String = difference.spans().iter().map(|span| match span.kind {
///     diff::Kind::Same => span.text.to_owned(),
///     diff::Kind::Removed => format!("[-{}-]", span.text),
///     diff::Kind::Added => format!("{{+{}+}}", span.text),
/// }).collect();
/// assert_eq!(marked, "the [-cod-]{+eel+} swims");
/// ```
#[must_use]
pub fn words<'a>(old: &'a str, new: &'a str, limits: &Limits) -> Difference<'a> {
    compare::compare(old, new, Unit::Words, limits)
}

/// Compares character by character.
///
/// ```
/// let difference = diff::chars("grey", "gray", &diff::Limits::default());
/// assert_eq!(difference.hunks(), [diff::Hunk { old: 2..3, new: 2..3 }]);
/// ```
#[must_use]
pub fn chars<'a>(old: &'a str, new: &'a str, limits: &Limits) -> Difference<'a> {
    compare::compare(old, new, Unit::Chars, limits)
}

/// What differs at one place: these tokens of the old text became these of the new one. One of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Which tokens of the old text.
    pub old: Range<usize>,
    /// Which tokens of the new text.
    pub new: Range<usize>,
}

/// How two texts differ.
#[derive(Debug, Clone)]
pub struct Difference<'a> {
    unit: Unit,
    old: Tokens<'a>,
    new: Tokens<'a>,
    hunks: Vec<Hunk>,
    coarse: bool,
    limits: Limits,
}

impl<'a> Difference<'a> {
    /// Whether the texts are the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hunks.is_empty()
    }

    /// Whether a finer answer exists, and was not looked for because it would have taken too long. It is still right:
    /// all that it calls the same is the same.
    #[must_use]
    pub fn is_coarse(&self) -> bool {
        self.coarse
    }

    /// What the texts were cut into. If the answer is coarse that can be larger than was asked for.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Where they differ, in order.
    #[must_use]
    pub fn hunks(&self) -> &[Hunk] {
        &self.hunks
    }

    /// A stretch of the old text.
    #[must_use]
    pub fn old_text(&self, tokens: Range<usize>) -> &'a str {
        self.old.text(tokens)
    }

    /// A stretch of the new text.
    #[must_use]
    pub fn new_text(&self, tokens: Range<usize>) -> &'a str {
        self.new.text(tokens)
    }

    /// How many tokens were removed, and how many added.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        self.hunks.iter().fold((0, 0), |(old, new), hunk| (old + hunk.old.len(), new + hunk.new.len()))
    }

    /// How much of both texts is the same, from 0 to 1.
    #[must_use]
    pub fn similarity(&self) -> f64 {
        let (removed, added) = self.counts();
        let all = self.old.len() + self.new.len();
        if all == 0 { 1.0 } else { 1.0 - (removed + added) as f64 / all as f64 }
    }

    /// Everything in order: a stretch that is the same, then a hunk, and so on.
    fn stretches(&self) -> impl Iterator<Item = (Range<usize>, Option<&Hunk>)> {
        let mut at = 0;
        let ends = self.hunks.iter().map(Some).chain([None]);
        ends.map(move |hunk| {
            let same = at..hunk.map_or(self.old.len(), |hunk| hunk.old.start);
            at = hunk.map_or(at, |hunk| hunk.old.end);
            (same, hunk)
        })
    }
}
