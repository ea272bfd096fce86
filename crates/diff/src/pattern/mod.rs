//! Regular expressions whose work is counted.
//!
//! `regex` takes time in proportion to the text, and to the pattern: one that repeats something ten thousand times takes minutes for a
//! page, and one whose matches look far ahead looks again and again. Here each byte that is looked at is a step, and so is each byte of
//! what the machine must be built of while it runs; whoever exceeds the bound is told so.
//!
//! | question | file |
//! |---|---|
//! | Is it a pattern, and where is it wrong? | here |
//! | Where does it match? | `search.rs` |

mod search;

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use regex_automata::hybrid::{dfa, regex as lazy};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;

use crate::error::RuleFault;
pub(crate) use search::{Search, TooSlow};

/// Parentheses within each other.
const NEST_MAX: u32 = 64;

/// What the states of a running pattern may take; then they are thrown away and made anew.
const MEMORY_BYTES_MAX: usize = 1 << 20;

/// A pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// As it was written.
    source: String,
    /// For groups, and for what the machine below cannot do.
    regex: Regex,
    /// Makes its states while it runs.
    machine: Arc<lazy::Regex>,
    /// What it may take while it runs.
    memory_bytes: usize,
}

impl Pattern {
    /// Reads a pattern; flags are the letters `i`, `m`, `s`, `x`.
    pub(crate) fn new(source: &str, flags: &str, bytes_max: usize) -> Result<Pattern, RuleFault> {
        let (insensitive, lines, dot, verbose) =
            (flags.contains('i'), flags.contains('m'), flags.contains('s'), flags.contains('x'));
        let regex = RegexBuilder::new(source)
            .size_limit(bytes_max)
            .dfa_size_limit(bytes_max)
            .nest_limit(NEST_MAX)
            .case_insensitive(insensitive)
            .multi_line(lines)
            .dot_matches_new_line(dot)
            .ignore_whitespace(verbose)
            .build()
            .map_err(fault)?;
        let memory_bytes = bytes_max.min(MEMORY_BYTES_MAX);
        let machine = lazy::Regex::builder()
            .syntax(
                syntax::Config::new()
                    .nest_limit(NEST_MAX)
                    .case_insensitive(insensitive)
                    .multi_line(lines)
                    .dot_matches_new_line(dot)
                    .ignore_whitespace(verbose),
            )
            // Backwards the letters of all languages take more than forwards; what `regex` takes is taken here as well.
            .thompson(thompson::Config::new().nfa_size_limit(Some(bytes_max.saturating_mul(2))))
            .dfa(
                dfa::Config::new()
                    .cache_capacity(memory_bytes)
                    // If that is not enough for even a few states, it takes what those need.
                    .skip_cache_capacity_check(true)
                    .unicode_word_boundary(true),
            )
            .build(source)
            .map_err(|_| too_large())?;
        Ok(Pattern { source: source.to_owned(), regex, machine: Arc::new(machine), memory_bytes })
    }

    /// As it was written.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// How large it is, in states.
    pub(crate) fn states(&self) -> usize {
        self.machine.forward().get_nfa().states().len()
    }
}

fn too_large() -> RuleFault {
    RuleFault::new(1, "the pattern takes too much memory")
}

/// The errors of `regex` are pictures; the first column of a mark in them is the place.
fn fault(error: regex::Error) -> RuleFault {
    let picture = match error {
        regex::Error::Syntax(picture) => picture,
        regex::Error::CompiledTooBig(_) => return too_large(),
        other => other.to_string(),
    };
    let why = picture.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
    let mark = picture.lines().find_map(|line| {
        line.find('^').filter(|_| line.trim_start_matches(' ').chars().all(|char| char == '^'))
    });
    // The picture is indented by four.
    RuleFault { at: mark.map_or(1, |column| column.saturating_sub(4) + 1), why }
}
