//! Where a pattern matches, step by step.

use std::ops::Range;

use regex::Captures;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::hybrid::{LazyStateID, regex as lazy};
use regex_automata::{Anchored, Input};

use super::Pattern;

/// After so many bytes the steps are counted.
const STRIDE: usize = 64;

/// A byte of the machine's memory takes as long to fill as this many bytes of a text take to read.
const REBUILD_STEPS: usize = 8;

/// So far ahead a pattern looks where its machine cannot be used: words with letters beyond ASCII and `\b`.
const LOOK_BYTES: usize = 2048;

/// So much is counted there for what it looks at behind a match: it may be more, but hardly ever is.
const BEHIND_BYTES: usize = 256;

/// It takes more steps than are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooSlow;

/// A pattern at work, on one text or several, with what it has learned and how much it may still do.
#[derive(Debug)]
pub(crate) struct Search<'p> {
    pattern: &'p Pattern,
    cache: lazy::Cache,
    steps_left: u64,
    /// The machine met what it cannot do.
    has_quit: bool,
}

/// Why the machine stopped.
enum Stop {
    Quit,
    TooSlow,
}

/// How the machine went over some bytes.
struct Walk {
    /// Behind so many of them a match ended, the last time.
    matched: Option<usize>,
    /// Where it stands; `None` if nothing more can match.
    state: Option<LazyStateID>,
}

impl<'p> Search<'p> {
    pub(crate) fn new(pattern: &'p Pattern, steps_max: u64) -> Search<'p> {
        let cache = pattern.machine.create_cache();
        Search { pattern, cache, steps_left: steps_max, has_quit: false }
    }

    pub(crate) fn pattern(&self) -> &'p Pattern {
        self.pattern
    }

    /// How many steps are left.
    pub(crate) fn steps_left(&self) -> u64 {
        self.steps_left
    }

    pub(crate) fn is_match(&mut self, text: &str) -> Result<bool, TooSlow> {
        Ok(self.find(text, 0)?.is_some())
    }

    /// All matches that do not overlap and are not empty.
    pub(crate) fn matches<'s>(&'s mut self, text: &'s str) -> Matches<'s, 'p> {
        Matches { search: self, text, at: 0 }
    }

    /// The groups of a match.
    pub(crate) fn groups<'t>(
        &mut self,
        text: &'t str,
        found: &Range<usize>,
    ) -> Result<Option<Captures<'t>>, TooSlow> {
        self.take(self.pattern.states().saturating_mul(found.len() + 1))?;
        // One character more, so that `\b` and `$` see it.
        let behind = text.get(found.end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let near = text.get(..found.end + behind).unwrap_or(text);
        Ok(self.pattern.regex.captures_at(near, found.start))
    }

    /// The first group of a match, or all of it if there is none.
    pub(crate) fn group<'t>(&mut self, text: &'t str, found: Range<usize>) -> Result<&'t str, TooSlow> {
        let whole = text.get(found.clone()).unwrap_or_default();
        if !self.has_groups() {
            return Ok(whole);
        }
        let groups = self.groups(text, &found)?;
        Ok(groups.and_then(|groups| groups.get(1)).map_or(whole, |group| group.as_str()))
    }

    /// Whether there are groups.
    pub(crate) fn has_groups(&self) -> bool {
        self.pattern.regex.captures_len() > 1
    }

    /// The first match from a place on.
    pub(crate) fn find(&mut self, text: &str, at: usize) -> Result<Option<Range<usize>>, TooSlow> {
        if !self.has_quit {
            match self.run(text, at) {
                Ok(found) => return Ok(found),
                Err(Stop::TooSlow) => return Err(TooSlow),
                Err(Stop::Quit) => self.has_quit = true,
            }
        }
        self.look(text, at)
    }

    fn run(&mut self, text: &str, at: usize) -> Result<Option<Range<usize>>, Stop> {
        let bytes = text.as_bytes();
        let (forward, reverse) = (self.pattern.machine.forward(), self.pattern.machine.reverse());
        let (forward_cache, reverse_cache) = self.cache.as_parts_mut();
        let rebuild_steps = self.pattern.memory_bytes.saturating_mul(REBUILD_STEPS);
        let mut steps = Steps { left: &mut self.steps_left, rebuild_steps };

        let input = Input::new(text).range(at..);
        let start = forward.start_state_forward(forward_cache, &input).map_err(|_| Stop::Quit)?;
        let rest = bytes.get(at..).unwrap_or_default();
        let walk = steps.walk(forward, forward_cache, start, rest.iter().copied())?;
        let mut end = walk.matched.map(|count| at + count);
        if let Some(state) = walk.state
            && matches(forward.next_eoi_state(forward_cache, state))?
        {
            end = Some(bytes.len());
        }
        let Some(end) = end else { return Ok(None) };

        // It tells where the match ends; the other one tells from there where it begins.
        let input = Input::new(text).range(at..end).anchored(Anchored::Yes);
        let start = reverse.start_state_reverse(reverse_cache, &input).map_err(|_| Stop::Quit)?;
        let before = bytes.get(at..end).unwrap_or_default();
        let walk = steps.walk(reverse, reverse_cache, start, before.iter().rev().copied())?;
        let mut begin = walk.matched.map(|count| end - count);
        if let Some(state) = walk.state {
            let next = match at.checked_sub(1).and_then(|before| bytes.get(before)) {
                Some(byte) => reverse.next_state(reverse_cache, state, *byte),
                None => reverse.next_eoi_state(reverse_cache, state),
            };
            if matches(next)? {
                begin = Some(at);
            }
        }
        Ok(Some(begin.unwrap_or(end)..end))
    }

    /// The same without the machine, a piece of the text after the other.
    fn look(&mut self, text: &str, from: usize) -> Result<Option<Range<usize>>, TooSlow> {
        let mut at = from;
        loop {
            let end = text.floor_char_boundary(at.saturating_add(LOOK_BYTES));
            let found = text.get(..end).and_then(|near| self.pattern.regex.find_at(near, at));
            let looked = found.map_or(end - at, |found| (found.end() + BEHIND_BYTES).min(end) - at);
            self.take(self.pattern.states().saturating_mul(looked + 1))?;
            match found {
                Some(found) => return Ok(Some(found.range())),
                None if end == text.len() => return Ok(None),
                // What lies across the border is found from the middle on.
                None => at = text.floor_char_boundary(at + LOOK_BYTES / 2),
            }
        }
    }

    fn take(&mut self, steps: usize) -> Result<(), TooSlow> {
        self.steps_left = self.steps_left.checked_sub(steps as u64).ok_or(TooSlow)?;
        Ok(())
    }
}

/// Matches, one after the other.
pub(crate) struct Matches<'s, 'p> {
    search: &'s mut Search<'p>,
    text: &'s str,
    at: usize,
}

impl Matches<'_, '_> {
    /// The first group of a match, or all of it.
    pub(crate) fn group(&mut self, found: Range<usize>) -> Result<&str, TooSlow> {
        self.search.group(self.text, found)
    }

    /// All groups of a match.
    pub(crate) fn groups(&mut self, found: &Range<usize>) -> Result<Option<Captures<'_>>, TooSlow> {
        self.search.groups(self.text, found)
    }
}

impl Iterator for Matches<'_, '_> {
    type Item = Result<Range<usize>, TooSlow>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.at <= self.text.len() {
            match self.search.find(self.text, self.at) {
                Err(error) => {
                    self.at = self.text.len() + 1;
                    return Some(Err(error));
                }
                Ok(None) => break,
                Ok(Some(found)) if found.is_empty() => {
                    // On to the next character.
                    self.at = found.end + 1;
                    while !self.text.is_char_boundary(self.at) && self.at < self.text.len() {
                        self.at += 1;
                    }
                }
                Ok(Some(found)) => {
                    self.at = found.end;
                    return Some(Ok(found));
                }
            }
        }
        self.at = self.text.len() + 1;
        None
    }
}

/// Steps of a machine.
struct Steps<'l> {
    left: &'l mut u64,
    /// What it takes to build anew what is thrown away when its memory is full.
    rebuild_steps: usize,
}

impl Steps<'_> {
    fn walk(
        &mut self,
        machine: &DFA,
        cache: &mut Cache,
        start: LazyStateID,
        bytes: impl Iterator<Item = u8>,
    ) -> Result<Walk, Stop> {
        let (mut state, mut matched, mut clears) = (start, None, cache.clear_count());
        for (count, byte) in bytes.enumerate() {
            state = machine.next_state(cache, state, byte).map_err(|_| Stop::TooSlow)?;
            if state.is_tagged() {
                if state.is_match() {
                    matched = Some(count);
                } else if state.is_dead() {
                    self.take(count % STRIDE + 1)?;
                    return Ok(Walk { matched, state: None });
                } else if state.is_quit() {
                    return Err(Stop::Quit);
                }
            }
            if (count + 1) % STRIDE == 0 {
                let cleared = cache.clear_count() - clears;
                clears += cleared;
                self.take(STRIDE + cleared.saturating_mul(self.rebuild_steps))?;
            }
        }
        self.take(STRIDE)?;
        Ok(Walk { matched, state: Some(state) })
    }

    fn take(&mut self, steps: usize) -> Result<(), Stop> {
        *self.left = self.left.checked_sub(steps as u64).ok_or(Stop::TooSlow)?;
        Ok(())
    }
}

/// Whether the machine is where something matched.
fn matches(state: Result<LazyStateID, regex_automata::hybrid::CacheError>) -> Result<bool, Stop> {
    let state = state.map_err(|_| Stop::TooSlow)?;
    if state.is_quit() { Err(Stop::Quit) } else { Ok(state.is_match()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BYTES_MAX: usize = 2 << 20;

    fn found(pattern: &Pattern, text: &str) -> Vec<Range<usize>> {
        Search::new(pattern, 1 << 30).matches(text).map(Result::unwrap).collect()
    }

    /// What `regex` finds.
    fn expected(pattern: &Pattern, text: &str) -> Vec<Range<usize>> {
        let found = pattern.regex.find_iter(text).map(|found| found.range());
        found.filter(|found| !found.is_empty()).collect()
    }

    #[test]
    fn the_same_is_found_as_by_regex() {
        let text = "Cod: 12 left\nÅl: 3 left, cod!\n\n  æble, \u{10ffff}ab aab aaab\r\n";
        for source in [
            r"\d+",
            r"\bcod\b",
            r"(?i)cod",
            r"^\w+",
            r"(?m)^\w+",
            r"(?m)\w+!?$",
            r"a*",
            r"a*?b",
            r"(a|aa)b",
            r"\B.",
            r"(?s).+",
            r"\s+",
            r"$",
            r"left|lef",
            r"lef|left",
            r".*[^A-Z]|[A-Z]",
            r"\bå",
            r"(?-u:\b)c",
            r"[^a]",
        ] {
            let pattern =
                Pattern::new(source, "", BYTES_MAX).unwrap_or_else(|fault| panic!("{source}: {}", fault.why));
            assert_eq!(found(&pattern, text), expected(&pattern, text), "{source}");
        }
    }

    proptest! {
        #[test]
        fn any_pattern_finds_what_regex_finds(source in r"([abæ.]|\(a\||\)|[*+?]|\\b|\^|\$|\{2\}|\[ab\]|\\w){1,8}", text in "[abcæ \n]{0,40}") {
            if let Ok(pattern) = Pattern::new(&source, "i", BYTES_MAX) {
                prop_assert_eq!(found(&pattern, &text), expected(&pattern, &text));
                let mut search = Search::new(&pattern, 1 << 30);
                for (range, groups) in expected(&pattern, &text).into_iter().zip(
                    pattern.regex.captures_iter(&text).filter(|groups| !groups[0].is_empty()),
                ) {
                    let expect = groups.get(1).map_or(&groups[0], |group| group.as_str());
                    prop_assert_eq!(search.group(&text, range).unwrap(), expect);
                }
            }
        }
    }

    /// How many steps a search for all matches takes.
    #[track_caller]
    fn steps(source: &str, text: &str) -> Result<u64, TooSlow> {
        const MAX: u64 = 20_000_000;
        let pattern =
            Pattern::new(source, "", BYTES_MAX).unwrap_or_else(|fault| panic!("{source}: {}", fault.why));
        let mut search = Search::new(&pattern, MAX);
        for found in search.matches(text) {
            found?;
        }
        Ok(MAX - search.steps_left())
    }

    #[test]
    fn steps_go_with_the_text_and_not_with_its_powers() {
        let text = "a".repeat(100_000);
        for source in ["(a+)+$", "(a+)+b", "(a|aa)+$", "(a*)*b", "(.*)*x", "(a|a)*b", "a{0,100}b"] {
            let steps = steps(source, &text).unwrap();
            assert!(steps < 300_000, "{source}: {steps}");
        }
    }

    #[test]
    fn patterns_that_look_far_ahead_again_and_again_are_stopped() {
        assert_eq!(steps(".*[^A-Z]|[A-Z]", &"A".repeat(20_000)), Err(TooSlow));
        assert!(steps(".*[^A-Z]|[A-Z]", &"A\n".repeat(20_000)).is_ok());
    }

    #[test]
    fn machines_that_are_built_anew_again_and_again_are_stopped() {
        // Which of the last ten thousand were `a`: each text of as many letters is a state of its own.
        let mut random = 12_345_u64;
        let text: String = (0..20_000)
            .map(|_| {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if random >> 40 & 1 == 0 { 'a' } else { 'b' }
            })
            .collect();
        assert_eq!(steps("[ab]*a[ab]{10000}c", &text), Err(TooSlow));
        assert_eq!(steps("[ab]*a[ab]{1000}c", &text), Err(TooSlow));
        assert!(steps("[ab]*a[ab]{10}c", &text).is_ok());
    }

    #[test]
    fn where_the_machine_cannot_be_used_steps_are_counted_as_well() {
        let text = "æ word ".repeat(1_000);
        let few = steps(r"\bword\b", &text).unwrap();
        assert!(few < 15_000_000, "{few}");
        assert_eq!(steps(r"\b\w{20}\b|\w", &"æ".repeat(50_000)), Err(TooSlow));
    }
}
