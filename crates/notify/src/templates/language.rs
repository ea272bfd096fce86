//! What may stand in a template: far less than its engine knows.
//!
//! The engine counts steps, and not what they cost. By `set`, `~`, `+`, `*` and lists within lists a few steps make a text of any size, or a comparison
//! without end; none of that is needed for a letter. A template that passes here can only show what it is given, as often as its steps allow.

use super::filters::{FILTERS, TESTS};

const STATEMENTS: [&str; 6] = ["elif", "else", "endfor", "endif", "for", "if"];
/// What stands before a bracket without calling anything.
const WORDS: [&str; 9] = ["and", "elif", "else", "for", "if", "in", "is", "not", "or"];

/// A line, and what is wrong there. What is no template at all is left to the engine, which says so.
type Fault = (usize, String);

/// Whether it may be used.
pub(super) fn check(source: &str) -> Result<(), Fault> {
    let mut rest = source;
    let line_of = |rest: &str| 1 + source.len().checked_sub(rest.len()).map_or(0, |end| lines(source, end));
    while let Some(start) = rest.find('{') {
        let after = rest.get(start + 1..).unwrap_or_default();
        let line = line_of(after);
        let Some(sign @ ('{' | '%' | '#')) = after.chars().next() else {
            rest = after;
            continue;
        };
        let inside = after.get(1..).unwrap_or_default();
        // The sign that keeps or takes away the space before it.
        let inside = inside.strip_prefix(['-', '+']).unwrap_or(inside);
        if sign == '#' {
            let Some((_, behind)) = inside.split_once("#}") else { return Ok(()) };
            rest = behind;
            continue;
        }
        let mut code = Code { rest: inside, end: if sign == '{' { "}}" } else { "%}" } };
        let mut rules = Rules { is_statement: sign == '%', ..Rules::default() };
        while let Some(token) = code.next() {
            rules.take(token).map_err(|why| (line, why))?;
        }
        rest = code.rest;
    }
    Ok(())
}

/// How many lines end before a place.
fn lines(source: &str, end: usize) -> usize {
    source.as_bytes().get(..end).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A name, a word or a number.
    Word(&'a str),
    /// A text in quotes.
    Text,
    /// Anything else.
    Sign(char),
}

/// What stands between two signs, cut up as the engine does it.
struct Code<'a> {
    rest: &'a str,
    end: &'static str,
}

impl<'a> Code<'a> {
    /// The next token; `None` behind the sign that ends it, or the template.
    fn next(&mut self) -> Option<Token<'a>> {
        let code = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let unsigned = code.strip_prefix(['-', '+']).unwrap_or(code);
        if let Some(behind) = code.strip_prefix(self.end).or_else(|| unsigned.strip_prefix(self.end)) {
            self.rest = behind;
            return None;
        }
        let Some(first) = code.chars().next() else {
            self.rest = code;
            return None;
        };
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (token, length) = match first {
            '"' | '\'' => (Token::Text, quoted(code, first)),
            c if is_word(c) => {
                let word = code.split(|c| !is_word(c)).next().unwrap_or_default();
                (Token::Word(word), word.len())
            }
            c => (Token::Sign(c), c.len_utf8()),
        };
        self.rest = code.get(length..).unwrap_or_default();
        Some(token)
    }
}

/// How many bytes a text in quotes takes; all that there is if it does not end, which the engine finds out.
fn quoted(code: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let mut chars = code.char_indices().skip(1);
    let end = chars.find(|(_, c)| {
        let is_end = !is_escaped && *c == quote;
        is_escaped = !is_escaped && *c == '\\';
        is_end
    });
    end.map_or(code.len(), |(place, _)| place + 1)
}

/// What has been seen of one `{{ … }}` or `{% … %}`.
#[derive(Default)]
struct Rules<'a> {
    is_statement: bool,
    before: Option<Token<'a>>,
    /// Whether the name of a test comes next.
    is_test: bool,
    /// For each open bracket, whether it holds what a filter is given.
    brackets: Vec<bool>,
}

impl<'a> Rules<'a> {
    fn take(&mut self, token: Token<'a>) -> Result<(), String> {
        let before = self.before.replace(token);
        let is_test = self.is_test && token != Token::Word("not");
        self.is_test = token == Token::Word("is") || (self.is_test && !is_test);
        match token {
            Token::Word(word) if before.is_none() && self.is_statement => {
                one_of(word, &STATEMENTS, "statement")
            }
            Token::Word(word) if before == Some(Token::Sign('|')) => one_of(word, &FILTERS, "filter"),
            Token::Word(word) if is_test => one_of(word, &TESTS, "test"),
            Token::Word("recursive") => Err("`recursive` is not known here".to_owned()),
            Token::Word(_) | Token::Text => Ok(()),
            Token::Sign('(') => {
                let is_call = matches!(before, Some(Token::Word(word)) if !WORDS.contains(&word));
                self.brackets.push(is_call);
                Ok(())
            }
            Token::Sign(')') => {
                self.brackets.pop();
                Ok(())
            }
            Token::Sign(',') if self.brackets.last() != Some(&true) => Err(unknown("lists")),
            Token::Sign(sign @ ('[' | ']' | '{' | '}' | '~' | '+' | '*')) => {
                Err(unknown(&format!("`{sign}`")))
            }
            Token::Sign(_) => Ok(()),
        }
    }
}

fn unknown(what: &str) -> String {
    format!("{what} cannot be used here; there are `for`, `if` and filters")
}

fn one_of(word: &str, known: &[&str], what: &str) -> Result<(), String> {
    match known.contains(&word) {
        true => Ok(()),
        false => Err(format!("there is no {what} `{word}`; there are {}", known.join(", "))),
    }
}
