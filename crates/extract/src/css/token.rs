//! The few tokens of CSS that hold addresses. Positions are bytes of the whole text and always between characters.

use std::borrow::Cow;

use memchr::{memchr3, memmem};

/// An address as it stands, and whether there are escapes in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value<'a> {
    pub(super) raw: &'a str,
    pub(super) escaped: bool,
}

/// A name longer than this is none of those we look for.
const NAME_BYTES_MAX: usize = 32;
/// The arguments of a function are looked through so far.
const ARGUMENT_BYTES_MAX: usize = 4 << 10;

/// The next place at or behind `at` that is between characters, or the end.
pub(super) fn boundary(css: &str, at: usize) -> usize {
    (at..css.len()).find(|at| css.is_char_boundary(*at)).unwrap_or(css.len())
}

/// Where the comment that begins at `at` ends; `None` if none begins there. An open one ends with the text.
pub(super) fn behind_comment(css: &str, at: usize) -> Option<usize> {
    let inside = css.get(at..)?.strip_prefix("/*")?;
    Some(memmem::find(inside.as_bytes(), b"*/").map_or(css.len(), |end| at + 2 + end + 2))
}

/// The next place that is neither blank nor comment.
pub(super) fn behind_blanks(css: &str, mut at: usize) -> usize {
    loop {
        let rest = css.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_ascii_start().len();
        match behind_comment(css, at) {
            Some(end) => at = end,
            None => return at,
        }
    }
}

/// The string whose quote stands at `at`, and the place behind it. A line break makes it bad, and ends it.
pub(super) fn string(css: &str, at: usize) -> (Option<Value<'_>>, usize) {
    let rest = css.get(at..).unwrap_or_default();
    let Some(&quote) = rest.as_bytes().first() else { return (None, at) };
    let from = at + 1;
    let (mut end, mut escaped) = (from, false);
    loop {
        let rest = css.as_bytes().get(end..).unwrap_or_default();
        let Some(found) = memchr3(quote, b'\\', b'\n', rest) else {
            let raw = css.get(from..).unwrap_or_default();
            return (Some(Value { raw, escaped }), css.len());
        };
        end += found;
        match rest.get(found) {
            Some(b'\\') => {
                escaped = true;
                end = boundary(css, end + 2);
            }
            Some(b'\n') => return (None, end),
            _ => {
                let raw = css.get(from..end).unwrap_or_default();
                return (Some(Value { raw, escaped }), end + 1);
            }
        }
    }
}

/// The address of a `url(` that opens before `at`, and the place behind its parenthesis.
pub(super) fn url(css: &str, at: usize) -> (Option<Value<'_>>, usize) {
    let rest = css.get(at..).unwrap_or_default();
    let from = at + (rest.len() - rest.trim_ascii_start().len());
    if let Some(b'"' | b'\'') = css.as_bytes().get(from) {
        let (value, end) = string(css, from);
        let behind = css.get(end..).unwrap_or_default();
        let more = behind.len() - behind.trim_ascii_start().len();
        return match behind.as_bytes().get(more) {
            Some(b')') => (value, end + more + 1),
            // Modifiers may follow the string; a second string makes no sense.
            Some(b'"' | b'\'') => (None, end),
            _ => (value, end),
        };
    }
    unquoted(css, from)
}

/// An address without quotes: blanks may surround it and nothing odd be in it.
fn unquoted(css: &str, from: usize) -> (Option<Value<'_>>, usize) {
    let mut at = from;
    let (mut end, mut escaped, mut bad) = (None, false, false);
    while let Some(byte) = css.as_bytes().get(at).copied() {
        match byte {
            b')' => {
                let raw = css.get(from..end.unwrap_or(at)).unwrap_or_default();
                return ((!bad).then_some(Value { raw, escaped }), at + 1);
            }
            b'\\' => {
                escaped = true;
                bad |= end.is_some();
                // A hexadecimal escape takes the blank behind it along.
                at = boundary(css, at + 1 + escape_length(css.get(at + 1..).unwrap_or_default()).max(1));
                continue;
            }
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => end = end.or(Some(at)),
            b'"' | b'\'' | b'(' => bad = true,
            // A brace in an address is one that was never closed.
            b'{' | b'}' if end.is_some() => return (None, at),
            _ => bad |= end.is_some(),
        }
        at += 1;
    }
    let raw = css.get(from..end.unwrap_or(css.len())).unwrap_or_default();
    ((!bad).then_some(Value { raw, escaped }), css.len())
}

/// The string that follows `name=` before the next closing parenthesis.
pub(super) fn argument<'a>(css: &'a str, at: usize, name: &str) -> (Option<Value<'a>>, usize) {
    let end = boundary(css, at.saturating_add(ARGUMENT_BYTES_MAX).min(css.len()));
    let inside = css.get(at..end).unwrap_or_default();
    let inside = inside.split_once([')', ';', '}']).map_or(inside, |(inside, _)| inside);
    let mut from = 0;
    while let Some(found) = inside.get(from..).and_then(|rest| rest.find('=')) {
        from += found + 1;
        let before = inside.get(..from - 1).unwrap_or_default().trim_ascii_end();
        let named = before.len().checked_sub(name.len()).and_then(|start| before.get(start..));
        let behind = inside.get(from..).unwrap_or_default();
        let start = from + (behind.len() - behind.trim_ascii_start().len());
        if named.is_some_and(|named| named.eq_ignore_ascii_case(name))
            && let Some(b'"' | b'\'') = inside.as_bytes().get(start)
        {
            return string(css, at + start);
        }
    }
    (None, at + inside.len())
}

/// The name that ends just before the parenthesis at `at`, escapes resolved; nothing if it is longer than ours.
pub(super) fn name_before(css: &str, at: usize) -> Cow<'_, str> {
    let before = css.as_bytes().get(..at).unwrap_or_default();
    let length = before.iter().rev().take(NAME_BYTES_MAX + 1).take_while(|byte| is_name_byte(**byte)).count();
    let name = at.checked_sub(length).and_then(|from| css.get(from..at));
    match name {
        Some(name) if length <= NAME_BYTES_MAX => {
            if name.contains('\\') {
                unescape(name)
            } else {
                name.into()
            }
        }
        _ => "".into(),
    }
}

/// Names are letters, digits, hyphens, and anything that is not ASCII; an escape belongs to them too.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'\\' | 0x80..)
}

/// Resolves escapes: `\26 ` is `&`, `\)` is `)`, and a line break behind a backslash is nothing.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    let mut clear = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\\') {
        clear.push_str(before);
        let length = escape_length(behind);
        let (escape, after) = behind.split_at_checked(length).unwrap_or((behind, ""));
        rest = after;
        let digits = escape.trim_ascii_end();
        if digits.bytes().next().is_some_and(|byte| byte.is_ascii_hexdigit()) {
            let code = u32::from_str_radix(digits, 16).unwrap_or_default();
            let char = char::from_u32(code).filter(|char| *char != '\0');
            clear.push(char.unwrap_or(char::REPLACEMENT_CHARACTER));
        } else {
            clear.extend(escape.chars().filter(|char| !matches!(char, '\n' | '\r' | '\x0c')));
        }
    }
    clear.push_str(rest);
    clear.into()
}

/// How many bytes behind a backslash belong to it: one to six digits and a blank, or one character.
fn escape_length(behind: &str) -> usize {
    let digits = behind.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
    let after = behind.as_bytes().get(digits..).unwrap_or_default();
    if digits == 0 {
        return match after {
            [b'\r', b'\n', ..] => 2,
            _ => behind.chars().next().map_or(0, char::len_utf8),
        };
    }
    digits
        + match after {
            [b'\r', b'\n', ..] => 2,
            [b' ' | b'\t' | b'\n' | b'\r' | b'\x0c', ..] => 1,
            _ => 0,
        }
}
