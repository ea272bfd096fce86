//! Both texts in one: what is the same once, what was removed, what was added.

use std::ops::Range;

use serde::Serialize;

use super::tokens::count;
use super::{Difference, Unit, words};
use crate::Limits;

/// What became of a stretch of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It is in both.
    Same,
    /// It is in the old text only.
    Removed,
    /// It is in the new text only.
    Added,
}

/// A stretch of text and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Span<'a> {
    /// What became of it.
    pub kind: Kind,
    /// The text.
    pub text: &'a str,
}

impl<'a> Difference<'a> {
    /// Both texts in one, in the unit they were compared in. Without the added spans it is the old text, without the
    /// removed ones the new.
    #[must_use]
    pub fn spans(&self) -> Vec<Span<'a>> {
        let mut spans = Vec::with_capacity(self.hunks.len() * 3 + 1);
        for (same, hunk) in self.stretches() {
            push(&mut spans, Kind::Same, self.old_text(same));
            if let Some(hunk) = hunk {
                push(&mut spans, Kind::Removed, self.old_text(hunk.old.clone()));
                push(&mut spans, Kind::Added, self.new_text(hunk.new.clone()));
            }
        }
        spans
    }

    /// The same, where lines that took the place of others are compared word by word.
    ///
    /// ```
    /// let difference = diff::lines("a cod\n", "a haddock\n", &diff::Limits::default());
    /// let texts: Vec<&str> = difference.inline().iter().map(|span| span.text).collect();
    /// assert_eq!(texts, ["a ", "cod", "haddock", "\n"]);
    /// ```
    #[must_use]
    pub fn inline(&self) -> Vec<Span<'a>> {
        if self.unit != Unit::Lines {
            return self.spans();
        }
        let mut left = self.limits.refined_tokens_max;
        let mut spans = Vec::with_capacity(self.hunks.len() * 3 + 1);
        for (same, hunk) in self.stretches() {
            push(&mut spans, Kind::Same, self.old_text(same));
            if let Some(hunk) = hunk {
                self.refined(hunk.old.clone(), hunk.new.clone(), &mut left, &mut spans);
            }
        }
        spans
    }

    fn refined(&self, old: Range<usize>, new: Range<usize>, left: &mut usize, spans: &mut Vec<Span<'a>>) {
        let (old, new) = (self.old_text(old), self.new_text(new));
        match refine(old, new, left, &self.limits) {
            Some(found) => found.into_iter().for_each(|span| push(spans, span.kind, span.text)),
            None => {
                push(spans, Kind::Removed, old);
                push(spans, Kind::Added, new);
            }
        }
    }
}

/// Two texts word by word, if that can be afforded and shows that they have something in common.
pub(crate) fn refine<'a>(
    old: &'a str,
    new: &'a str,
    left: &mut usize,
    limits: &Limits,
) -> Option<Vec<Span<'a>>> {
    if old.is_empty() || new.is_empty() {
        return None;
    }
    let tokens = count(old, Unit::Words, *left) + count(new, Unit::Words, *left);
    *left = left.checked_sub(tokens)?;
    let difference = words(old, new, limits);
    (!difference.is_coarse() && are_alike(&difference)).then(|| difference.spans())
}

/// Whether a good part of the words is the same; blanks and signs are found in every text.
fn are_alike(difference: &Difference<'_>) -> bool {
    let words = |token: &&str| token.chars().any(char::is_alphanumeric);
    let changed: usize = difference
        .hunks
        .iter()
        .map(|hunk| {
            let old = hunk.old.clone().map(|token| difference.old.get(token)).filter(words);
            let new = hunk.new.clone().map(|token| difference.new.get(token)).filter(words);
            old.count() + new.count()
        })
        .sum();
    let all = difference.old.iter().filter(words).count() + difference.new.iter().filter(words).count();
    changed * 3 <= all * 2
}

fn push<'a>(spans: &mut Vec<Span<'a>>, kind: Kind, text: &'a str) {
    if !text.is_empty() {
        spans.push(Span { kind, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chars, lines};
    use proptest::prelude::*;

    fn without(spans: &[Span<'_>], kind: Kind) -> String {
        spans.iter().filter(|span| span.kind != kind).map(|span| span.text).collect()
    }

    proptest! {
        #[test]
        fn both_texts_come_back(old in "[ab \n]{0,40}", new in "[ab \n]{0,40}", tokens_max in 1usize..60) {
            let limits = Limits { tokens_max, ..Limits::default() };
            for difference in [lines(&old, &new, &limits), words(&old, &new, &limits), chars(&old, &new, &limits)] {
                for spans in [difference.spans(), difference.inline()] {
                    prop_assert_eq!(without(&spans, Kind::Added), old.as_str());
                    prop_assert_eq!(without(&spans, Kind::Removed), new.as_str());
                }
                prop_assert_eq!(difference.is_empty(), old == new);
            }
        }
    }

    #[test]
    fn lines_with_nothing_in_common_are_not_mixed() {
        let limits = Limits::default();
        let difference = lines("one two three\n", "4, 5; 6!\n", &limits);
        assert_eq!(difference.inline().len(), 2);
    }
}
