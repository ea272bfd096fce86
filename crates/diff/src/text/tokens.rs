//! Cuts a text into lines, words or characters.

use std::ops::Range;

use memchr::memchr_iter;

use super::Unit;

/// A text and where its tokens end. Only the ends are kept, so that a long text of short tokens stays bearable.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    ends: Vec<u32>,
}

impl<'a> Tokens<'a> {
    /// Cuts a text, which is shorter than 4 GB: the limits see to that. `None` if there are more tokens than this.
    pub(super) fn cut(text: &'a str, unit: Unit, max: usize) -> Option<Tokens<'a>> {
        let ends: Vec<u32> = ends(text, unit).take(max.saturating_add(1)).collect();
        (ends.len() <= max).then_some(Tokens { text, ends })
    }

    /// The whole text as one token, or none if it is empty.
    pub(super) fn whole(text: &'a str) -> Tokens<'a> {
        Tokens { text, ends: if text.is_empty() { Vec::new() } else { vec![u32::MAX] } }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Where a token begins, in bytes.
    fn start(&self, token: usize) -> usize {
        let before = token.checked_sub(1).and_then(|before| self.ends.get(before));
        before.map_or(0, |end| (*end as usize).min(self.text.len()))
    }

    /// Some tokens that follow each other.
    pub(super) fn text(&self, tokens: Range<usize>) -> &'a str {
        self.text.get(self.start(tokens.start)..self.start(tokens.end)).unwrap_or_default()
    }

    pub(super) fn get(&self, token: usize) -> &'a str {
        self.text(token..token + 1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'a str> + '_ {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let end = (*end as usize).min(self.text.len());
            let token = self.text.get(start..end).unwrap_or_default();
            start = end;
            token
        })
    }
}

/// How many tokens a text would have, counted no further than up to a bound.
pub(super) fn count(text: &str, unit: Unit, max: usize) -> usize {
    ends(text, unit).take(max.saturating_add(1)).count()
}

fn ends(text: &str, unit: Unit) -> Box<dyn Iterator<Item = u32> + '_> {
    let length = text.len() as u32;
    match unit {
        Unit::Lines => {
            let ends = memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1);
            let rest = (!text.is_empty() && !text.ends_with('\n')).then_some(length);
            Box::new(ends.chain(rest))
        }
        Unit::Chars => Box::new(text.char_indices().skip(1).map(|(at, _)| at as u32).chain(
            // The last one ends with the text.
            (!text.is_empty()).then_some(length),
        )),
        Unit::Words => Box::new(Words { text, at: 0 }),
    }
}

/// Runs of letters and digits, runs of blanks, and every other character.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Words<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let rest = self.text.get(self.at..)?;
        let mut chars = rest.char_indices();
        let (_, first) = chars.next()?;
        let class = class(first);
        let end = match class {
            Class::Alone => chars.next(),
            _ => chars.find(|(_, char)| self::class(*char) != class),
        };
        self.at += end.map_or(rest.len(), |(at, _)| at);
        Some(self.at as u32)
    }
}

#[derive(PartialEq, Clone, Copy)]
enum Class {
    Word,
    Blank,
    Alone,
}

fn class(char: char) -> Class {
    match char {
        // Chinese and Japanese set no blanks between words: each sign is one.
        '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => Class::Alone,
        // A soft hyphen is part of its word.
        '_' | '\u{ad}' => Class::Word,
        char if char.is_alphanumeric() => Class::Word,
        // Line ends stay alone, so that a changed indentation is not a changed line end.
        '\n' => Class::Alone,
        char if char.is_whitespace() => Class::Blank,
        _ => Class::Alone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, unit: Unit, expect: &[&str]) {
        let tokens = Tokens::cut(text, unit, 100).unwrap();
        assert!(expect.is_empty() || Tokens::cut(text, unit, expect.len() - 1).is_none());
        assert_eq!(tokens.iter().collect::<Vec<_>>(), expect, "{text:?}");
        assert_eq!((0..tokens.len()).map(|token| tokens.get(token)).collect::<Vec<_>>(), expect);
        assert_eq!(tokens.text(0..tokens.len()), text);
        assert_eq!(count(text, unit, 3), expect.len().min(4));
    }

    #[test]
    fn lines_keep_their_ends() {
        check("", Unit::Lines, &[]);
        check("a", Unit::Lines, &["a"]);
        check("a\r\nb\n\nc", Unit::Lines, &["a\r\n", "b\n", "\n", "c"]);
        check("a\n", Unit::Lines, &["a\n"]);
    }

    #[test]
    fn words_blanks_and_signs_are_apart() {
        check("", Unit::Words, &[]);
        check("Käse, 12  km\n", Unit::Words, &["Käse", ",", " ", "12", "  ", "km", "\n"]);
        check("你好 ok", Unit::Words, &["你", "好", " ", "ok"]);
        check("a--b", Unit::Words, &["a", "-", "-", "b"]);
    }

    #[test]
    fn characters_are_whole() {
        check("", Unit::Chars, &[]);
        check("aé你", Unit::Chars, &["a", "é", "你"]);
    }
}
