//! Lists of regular expressions that match whole URLs: traps, and what is taken in or left out by pattern.
//!
//! One to a line, as NetarchiveSuite keeps its crawler traps; `#` begins a comment at the start of a line. A pattern must match
//! the URL from its first to its last character, so most begin and end with `.*`. All of a list are looked for at once.

use regex::bytes::{RegexBuilder, RegexSet, RegexSetBuilder};

use crate::error::excerpt;
use crate::{Error, Limits};

/// A compiled list of patterns.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    list: Vec<Pattern>,
    set: Option<RegexSet>,
}

#[derive(Debug, Clone)]
struct Pattern {
    line: usize,
    text: String,
}

impl Patterns {
    /// Reads a list with the usual limits. `list` is its name in messages, such as `traps`.
    ///
    /// # Errors
    /// [`Error::Pattern`] names the first line that is no regular expression, [`Error::TooMany`] says that the list is too large.
    pub fn parse(list: &str, text: &str) -> Result<Patterns, Error> {
        Patterns::parse_within(list, text, &Limits::default())
    }

    /// Reads a list with limits of one's own.
    ///
    /// # Errors
    /// As [`Patterns::parse`].
    pub fn parse_within(list: &str, text: &str, limits: &Limits) -> Result<Patterns, Error> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        Patterns::compile(list, lines, limits)
    }

    /// Takes patterns that stand for themselves, as in a settings file. A message calls the first one line 1.
    ///
    /// # Errors
    /// As [`Patterns::parse`].
    pub fn new<'a>(list: &str, patterns: impl IntoIterator<Item = &'a str>) -> Result<Patterns, Error> {
        Patterns::new_within(list, patterns, &Limits::default())
    }

    /// The same with limits of one's own.
    ///
    /// # Errors
    /// As [`Patterns::parse`].
    pub fn new_within<'a>(
        list: &str,
        patterns: impl IntoIterator<Item = &'a str>,
        limits: &Limits,
    ) -> Result<Patterns, Error> {
        let lines = patterns.into_iter().enumerate().map(|(number, pattern)| (number + 1, pattern));
        Patterns::compile(list, lines, limits)
    }

    fn compile<'a>(
        name: &str,
        lines: impl Iterator<Item = (usize, &'a str)>,
        limits: &Limits,
    ) -> Result<Patterns, Error> {
        let mut list = Vec::new();
        let mut sources = Vec::new();
        for (line, text) in lines {
            let fault =
                |why: String| Error::Pattern { list: name.to_owned(), line, pattern: excerpt(text), why };
            if text.len() > limits.pattern_bytes_max {
                return Err(fault(format!("has more than {} bytes", limits.pattern_bytes_max)));
            }
            if list.len() >= limits.patterns_max {
                let found = format!("more than {} patterns", limits.patterns_max);
                return Err(Error::TooMany { list: name.to_owned(), found, most: limits.patterns_max });
            }
            sources.push(source_of(text, limits).map_err(|error| fault(reason(&error)))?);
            list.push(Pattern { line, text: text.to_owned() });
        }
        if list.is_empty() {
            return Ok(Patterns::default());
        }
        let most = limits.patterns_compiled_bytes_max;
        let set =
            RegexSetBuilder::new(&sources).unicode(false).size_limit(most).dfa_size_limit(8 << 20).build();
        let set = set.map_err(|_| Error::TooMany {
            list: name.to_owned(),
            found: format!("{} patterns, which take more than {most} bytes when compiled", list.len()),
            most,
        })?;
        Ok(Patterns { list, set: Some(set) })
    }

    /// Whether any pattern matches the whole URL.
    #[must_use]
    pub fn is_match(&self, url: &str) -> bool {
        self.set.as_ref().is_some_and(|set| set.is_match(url.as_bytes()))
    }

    /// The first pattern that matches, with its line.
    #[must_use]
    pub fn first_match(&self, url: &str) -> Option<(usize, &str)> {
        let first = self.set.as_ref()?.matches(url.as_bytes()).iter().next()?;
        self.list.get(first).map(|pattern| (pattern.line, pattern.text.as_str()))
    }

    /// How many patterns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Checks one pattern alone, so that the message can name its line, and gives it as the set takes it.
fn source_of(text: &str, limits: &Limits) -> Result<String, regex::Error> {
    let check = |source: &str| {
        let most = limits.pattern_compiled_bytes_max;
        RegexBuilder::new(source).unicode(false).size_limit(most).build().map(|_| ())
    };
    // URLs are ASCII, and bytes are quicker than characters; a pattern with `\p{…}` needs characters.
    let flags = match check(text) {
        Ok(()) => "",
        Err(error @ regex::Error::CompiledTooBig(_)) => return Err(error),
        Err(error) => check(&format!("(?u:{text}\n)")).map(|()| "u").map_err(|_| error)?,
    };
    let source = whole(text, flags, "");
    // A comment, which only `(?x)` allows, would run on into what we put behind it.
    if check(&source).is_ok() { Ok(source) } else { Ok(whole(text, flags, "\n")) }
}

/// The pattern so that finding it anywhere means that it matches the whole text.
///
/// A `.*` at either end says that anything may stand there. Without it there is nothing to anchor, and the search for all
/// patterns of a list at once can look for the letters in between, which is many times quicker.
fn whole(text: &str, flags: &str, end: &str) -> String {
    let (body, any_front, any_back) = if has_top_level_alternative(text) {
        (text, false, false)
    } else {
        let (body, any_front) = strip_front(text);
        let (body, any_back) = strip_back(body);
        (body, any_front, any_back)
    };
    let front = if any_front { "" } else { r"\A" };
    let back = if any_back { "" } else { r"\z" };
    format!("{front}(?{flags}:{body}{end}){back}")
}

fn strip_front(text: &str) -> (&str, bool) {
    let Some(rest) = text.strip_prefix(".*") else { return (text, false) };
    let rest = rest.strip_prefix('?').unwrap_or(rest);
    if rest.starts_with(['*', '+', '?', '{']) { (text, false) } else { (rest, true) }
}

fn strip_back(text: &str) -> (&str, bool) {
    let Some(rest) = text.strip_suffix(".*") else { return (text, false) };
    let escapes = rest.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if escapes % 2 == 1 { (text, false) } else { (rest, true) }
}

/// Whether there is a `|` outside of all groups, or something that makes it hard to tell.
fn has_top_level_alternative(text: &str) -> bool {
    let mut depth = 0_i32;
    let mut is_escaped = false;
    for char in text.chars() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth <= 0 => return true,
            // A class may hold parentheses that are none, and `(?x)` comments may hold anything.
            '[' if text.contains('|') => return true,
            '#' => return true,
            _ => {}
        }
    }
    false
}

fn reason(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(most) => format!("takes more than {most} bytes when compiled"),
        regex::Error::Syntax(text) => {
            let last = text.lines().rev().find_map(|line| line.trim().strip_prefix("error: "));
            let last = last.unwrap_or("it is not understood");
            // Both need a search that may take for ever. Traps that have them are mostly about paths that go round.
            let is_beyond = last.starts_with("look-around") || last.starts_with("backreferences");
            let hint = if is_beyond { "; repeating folders are noticed without a pattern" } else { "" };
            format!("is no regular expression: {last}{hint}")
        }
        _ => "is no regular expression".to_owned(),
    }
}
