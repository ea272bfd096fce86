//! Character references: `&amp;`, `&#38;`, `&amp` without its semicolon.
//!
//! Names, numbers and their odd cases are those of
//! <https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state>, with one bound of our own: a number
//! of more than [`DIGITS_MAX`] digits is text.

mod table;

use std::borrow::Cow;

use memchr::memchr;

use table::{NAMES, WITHOUT_SEMICOLON};

/// Digits of a number; more are no number, so that a reference can be held until it is whole.
const DIGITS_MAX: usize = 40;

/// Bytes of the longest reference, from `&` to `;`.
pub(super) const REFERENCE_BYTES_MAX: usize = 4 + DIGITS_MAX;

/// Text with its character references decoded.
#[must_use]
pub fn decode_text(text: &str) -> Cow<'_, str> {
    decode(text, false)
}

/// The value of an attribute with its character references decoded; `&copy=1` is none there.
#[must_use]
pub fn decode_attribute(value: &str) -> Cow<'_, str> {
    decode(value, true)
}

fn decode(text: &str, in_attribute: bool) -> Cow<'_, str> {
    if memchr(b'&', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    pieces(text, in_attribute, |piece| decoded.push_str(piece));
    Cow::Owned(decoded)
}

/// Hands over the text piece by piece, with what references stand for in their place.
#[inline]
pub(super) fn pieces(text: &str, in_attribute: bool, mut take: impl FnMut(&str)) {
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = memchr(b'&', rest.as_bytes().get(from..).unwrap_or_default()) {
        let (before, reference) = rest.split_at_checked(from + at).unwrap_or((rest, ""));
        let Some((found, length)) = read(reference, in_attribute) else {
            from += at + 1;
            continue;
        };
        if !before.is_empty() {
            take(before);
        }
        match found {
            Found::Name(characters) => take(characters),
            Found::Number(character) => take(character.encode_utf8(&mut [0; 4])),
        }
        (rest, from) = (reference.get(length..).unwrap_or_default(), 0);
    }
    if !rest.is_empty() {
        take(rest);
    }
}

/// Whether text that ends like this may end in the middle of a reference; says where that begins.
pub(super) fn unfinished(text: &str) -> Option<usize> {
    let tail = text.len().saturating_sub(REFERENCE_BYTES_MAX);
    let at = tail + memchr::memrchr(b'&', text.as_bytes().get(tail..)?)?;
    let inside = text.as_bytes().get(at + 1..)?;
    let inside = inside.strip_prefix(b"#").unwrap_or(inside);
    inside.iter().all(u8::is_ascii_alphanumeric).then_some(at)
}

enum Found {
    Name(&'static str),
    Number(char),
}

/// The reference at the start of the text, with its length.
fn read(text: &str, in_attribute: bool) -> Option<(Found, usize)> {
    let body = text.strip_prefix('&')?;
    if let Some(number) = body.strip_prefix('#') {
        let (character, length) = read_number(number)?;
        return Some((Found::Number(character), length + 2));
    }
    let (characters, length) = read_name(body, in_attribute)?;
    Some((Found::Name(characters), length + 1))
}

fn read_name(body: &str, in_attribute: bool) -> Option<(&'static str, usize)> {
    // Half of all that occur.
    if body.starts_with("amp;") {
        return Some(("&", 4));
    }
    let longest = body.as_bytes().iter().take(32).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = body.get(..longest)?;
    if body.as_bytes().get(longest) == Some(&b';')
        && let Some(characters) = look_up(&NAMES, name)
    {
        return Some((characters, longest + 1));
    }
    // None of these names is shorter than 2 letters or longer than 6.
    let found = (2..=longest.min(6)).rev().find_map(|length| {
        let characters = look_up(&WITHOUT_SEMICOLON, name.get(..length)?)?;
        Some((characters, length))
    });
    let (characters, length) = found?;
    let next = body.as_bytes().get(length);
    let goes_on = next.is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric());
    if in_attribute && goes_on { None } else { Some((characters, length)) }
}

fn look_up(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let at = table.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    table.get(at).map(|(_, characters)| *characters)
}

fn read_number(body: &str) -> Option<(char, usize)> {
    let (digits, radix) = match body.as_bytes() {
        [b'x' | b'X', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
    let count = digits.iter().take(DIGITS_MAX + 1).take_while(is_digit).count();
    if count == 0 || count > DIGITS_MAX {
        return None;
    }
    let value = digits.iter().take(count).fold(0u32, |value, byte| {
        let digit = char::from(*byte).to_digit(radix).unwrap_or(0);
        // What is beyond Unicode stays beyond it.
        (value * radix + digit).min(0x11_0000)
    });
    let semicolon = digits.get(count) == Some(&b';');
    let prefix = body.len() - digits.len();
    Some((character(value), prefix + count + usize::from(semicolon)))
}

/// The character of a number, as the standard mends it: Windows' characters stand for the control codes of their place.
fn character(value: u32) -> char {
    /// <https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state>
    const WINDOWS: [u16; 32] = [
        0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152,
        0x8d, 0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122,
        0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178,
    ];
    if value == 0 {
        return char::REPLACEMENT_CHARACTER;
    }
    let windows = value.checked_sub(0x80).and_then(|at| WINDOWS.get(at as usize));
    let value = windows.map_or(value, |value| u32::from(*value));
    char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, in_text: &str, in_attribute: &str) {
        assert_eq!(decode_text(text), in_text, "{text} in text");
        assert_eq!(decode_attribute(text), in_attribute, "{text} in an attribute");
    }

    #[test]
    fn names_with_semicolons_are_decoded_everywhere() {
        check("a &amp; b", "a & b", "a & b");
        check("&CounterClockwiseContourIntegral;", "\u{2233}", "\u{2233}");
        check("&notin;&NotEqualTilde;", "\u{2209}\u{2242}\u{338}", "\u{2209}\u{2242}\u{338}");
    }

    #[test]
    fn names_without_semicolons_are_decoded_where_nothing_follows() {
        check("&copy 1", "\u{a9} 1", "\u{a9} 1");
        check("?a=1&copy=2", "?a=1\u{a9}=2", "?a=1&copy=2");
        check(
            "?a=1&lang=en&notit;",
            "?a=1\u{27e8}=en\u{ac}it;".replace('\u{27e8}', "&lang").as_str(),
            "?a=1&lang=en&notit;",
        );
    }

    #[test]
    fn numbers_are_mended() {
        check("&#65;&#x41;&#X41", "AAA", "AAA");
        check(
            "&#0;&#x110000;&#xD800;&#99999999999;",
            "\u{fffd}".repeat(4).as_str(),
            "\u{fffd}".repeat(4).as_str(),
        );
        check("&#150;&#x99;", "\u{2013}\u{2122}", "\u{2013}\u{2122}");
        check("&#;&#x;&;&", "&#;&#x;&;&", "&#;&#x;&;&");
    }

    #[test]
    fn endless_numbers_are_text() {
        let text = format!("&#{}65;", "0".repeat(DIGITS_MAX));
        check(&text, &text, &text);
    }

    #[test]
    fn a_reference_at_the_end_may_go_on() {
        for text in ["a&", "a&am", "a&#", "a&#x4", "a&#6"] {
            assert_eq!(unfinished(text), Some(1), "{text}");
        }
        for text in ["a", "a&amp;", "a& ", "a&a b"] {
            assert_eq!(unfinished(text), None, "{text}");
        }
    }
}
