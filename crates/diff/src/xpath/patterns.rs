//! The functions that take patterns: `matches`, `replace`, `tokenize`. What patterns do is counted in steps of their own.

use super::evaluate::{Fault, Run};
use super::functions::{Arguments, argument};
use super::value::Item;
use crate::pattern::{Pattern, Search, TooSlow};

/// What it takes to make one state of a pattern, in steps.
const STATE_STEPS: u64 = 16;

/// What patterns may still do within one expression, and the last one, because most are asked of one node after the other.
pub(super) struct Patterns {
    steps_left: u64,
    last: Option<(String, String, Pattern)>,
}

impl Patterns {
    pub(super) fn new(steps_max: u64) -> Patterns {
        Patterns { steps_left: steps_max, last: None }
    }

    /// Lets a pattern work.
    fn search<T>(
        &mut self,
        (source, flags, bytes_max): (String, String, usize),
        work: impl FnOnce(&mut Search<'_>) -> Result<T, TooSlow>,
    ) -> Result<T, Fault> {
        let last = self.last.take().filter(|(known, letters, _)| *known == source && *letters == flags);
        let (source, flags, pattern) = match last {
            Some(last) => last,
            None => {
                let pattern =
                    Pattern::new(&source, &flags, bytes_max).map_err(|fault| Fault::Wrong(fault.why))?;
                let steps = (pattern.states() as u64).saturating_mul(STATE_STEPS);
                self.steps_left = self.steps_left.checked_sub(steps).ok_or(Fault::TooSlow)?;
                (source, flags, pattern)
            }
        };
        let mut search = Search::new(&pattern, self.steps_left);
        let done = work(&mut search);
        self.steps_left = search.steps_left();
        self.last = Some((source, flags, pattern));
        done.map_err(|TooSlow| Fault::TooSlow)
    }
}

/// The second argument as a pattern, with the letters of another one as its flags.
fn written(run: &Run<'_>, values: Arguments<'_>, flags: usize) -> (String, String, usize) {
    (argument(run, values, 1), argument(run, values, flags), run.limits.regex_bytes_max)
}

pub(super) fn matches(run: &mut Run<'_>, values: Arguments<'_>) -> Result<bool, Fault> {
    let (whole, written) = (argument(run, values, 0), written(run, values, 2));
    run.patterns.search(written, |search| search.is_match(&whole))
}

pub(super) fn replace(run: &mut Run<'_>, values: Arguments<'_>) -> Result<String, Fault> {
    let (whole, new, written) = (argument(run, values, 0), argument(run, values, 2), written(run, values, 3));
    // A short pattern must not blow up a long text without end.
    if whole.len().saturating_mul(new.len().max(1)) > run.limits.page_bytes_max {
        return Err(Fault::TooSlow);
    }
    run.patterns.search(written, |search| {
        let (mut text, mut at) = (String::new(), 0);
        let mut matches = search.matches(&whole);
        while let Some(found) = matches.next() {
            let found = found?;
            text.push_str(whole.get(at..found.start).unwrap_or_default());
            if let Some(groups) = matches.groups(&found)? {
                groups.expand(&new, &mut text);
            }
            at = found.end;
        }
        text.push_str(whole.get(at..).unwrap_or_default());
        Ok(text)
    })
}

pub(super) fn tokenize(run: &mut Run<'_>, values: Arguments<'_>) -> Result<Vec<Item>, Fault> {
    let whole = argument(run, values, 0);
    if values.len() == 1 {
        return Ok(whole.split_whitespace().map(|word| Item::Text(word.to_owned())).collect());
    }
    let written = (argument(run, values, 1), String::new(), run.limits.regex_bytes_max);
    run.patterns.search(written, |search| {
        let (mut parts, mut at) = (Vec::new(), 0);
        let mut push = |range: std::ops::Range<usize>| {
            parts.push(Item::Text(whole.get(range).unwrap_or_default().to_owned()));
        };
        for found in search.matches(&whole) {
            let found = found?;
            push(at..found.start);
            at = found.end;
        }
        push(at..whole.len());
        Ok(parts)
    })
}
