//! What patterns and texts leave of a text: whole lines that count or do not, or what matches.

use super::rule::shown;
use super::selector::Selector;
use crate::pattern::{Pattern, Search, TooSlow};
use crate::{Error, Limits};

/// The rules about lines, at work on one document.
pub(super) struct Lines<'r> {
    only: Vec<LineRule<'r>>,
    never: Vec<LineRule<'r>>,
}

enum LineRule<'r> {
    /// In lower case.
    Text(&'r str),
    Pattern(Box<Search<'r>>),
}

impl<'r> Lines<'r> {
    /// `None` if no rule is about lines.
    pub(super) fn new(only: &'r [Selector], never: &'r [Selector], limits: &Limits) -> Option<Lines<'r>> {
        let of = |rules: &'r [Selector]| -> Vec<LineRule<'r>> {
            rules
                .iter()
                .filter_map(|rule| match rule {
                    Selector::Text(text) => Some(LineRule::Text(text)),
                    Selector::Pattern(pattern) => {
                        let search = Search::new(pattern, limits.regex_steps_max);
                        Some(LineRule::Pattern(Box::new(search)))
                    }
                    _ => None,
                })
                .collect()
        };
        let lines = Lines { only: of(only), never: of(never) };
        (!lines.only.is_empty() || !lines.never.is_empty()).then_some(lines)
    }

    /// What is left of a text.
    pub(super) fn keep(&mut self, text: &str) -> Result<String, Error> {
        let mut kept = text.to_owned();
        for rule in &mut self.never {
            kept = rule.without(&kept)?;
        }
        if self.only.is_empty() {
            return Ok(kept);
        }
        self.only.iter_mut().map(|rule| rule.with(&kept)).collect()
    }
}

impl LineRule<'_> {
    /// The text without the lines that the rule names.
    fn without(&mut self, text: &str) -> Result<String, Error> {
        let search = match self {
            LineRule::Text(wanted) => {
                let lines = text.split_inclusive('\n');
                return Ok(lines.filter(|line| !line.to_lowercase().contains(*wanted)).collect());
            }
            LineRule::Pattern(search) => search,
        };
        let slow = too_slow(search.pattern());
        let mut kept = String::with_capacity(text.len());
        let mut matches = search.matches(text);
        let mut found = matches.next().transpose().map_err(&slow)?;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let (start, end) = (at, at + line.trim_end_matches('\n').len());
            at += line.len();
            while found.as_ref().is_some_and(|found| found.end <= start) {
                found = matches.next().transpose().map_err(&slow)?;
            }
            if found.as_ref().is_none_or(|found| found.start >= end) {
                kept.push_str(line);
            }
        }
        Ok(kept)
    }

    /// What the rule names of a text, a line each.
    fn with(&mut self, text: &str) -> Result<String, Error> {
        let mut kept = String::new();
        let mut push = |line: &str| {
            kept.push_str(line);
            kept.push('\n');
        };
        match self {
            LineRule::Text(wanted) => {
                text.lines().filter(|line| line.to_lowercase().contains(*wanted)).for_each(push);
            }
            LineRule::Pattern(search) => {
                let slow = too_slow(search.pattern());
                let mut matches = search.matches(text);
                while let Some(found) = matches.next() {
                    push(found.and_then(|found| matches.group(found)).map_err(&slow)?);
                }
            }
        }
        Ok(kept)
    }
}

/// What is said of a pattern that takes too many steps.
pub(super) fn too_slow(pattern: &Pattern) -> impl Fn(TooSlow) -> Error {
    |TooSlow| Error::TooSlow { rule: shown(pattern.source()) }
}
