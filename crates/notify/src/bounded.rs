//! Texts from outside, brought within bounds.

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::limits::ID_MAX;

/// In one line and no longer than this. What shows nothing, or turns the direction of what follows, becomes `�`.
pub(crate) fn one_line(text: &str, chars_max: usize) -> String {
    let is_odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut chars = text.chars();
    let mut line: String =
        chars.by_ref().take(chars_max).map(|c| if is_odd(c) { '\u{fffd}' } else { c }).collect();
    if chars.next().is_some() {
        line.push('…');
    }
    line
}

/// No longer than this, and if it was, that is said at its end.
pub(crate) fn cut(mut text: String, bytes_max: usize) -> String {
    if text.len() > bytes_max {
        text.truncate(text.floor_char_boundary(bytes_max));
        text.push_str("…\n\nThe rest is cut off.\n");
    }
    text
}

/// An id that fits into any header as it is. One that does not is told by its digest: the same each time, and no other's.
pub(crate) fn plain_id(id: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    match !id.is_empty() && id.len() <= ID_MAX && id.bytes().all(is_plain) {
        true => id.to_owned(),
        false => HEXLOWER.encode(&Sha256::digest(id.as_bytes())),
    }
}

/// A word that is the kind of something: letters, digits, `-`, `_` and `.`, no more than so many.
pub(crate) fn plain_kind(kind: &str, chars_max: usize) -> String {
    kind.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).take(chars_max).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_itself_where_it_can_be() {
        assert_eq!(plain_id("0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0"), "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f0");
        for odd in ["", "a b", "a.b", "é", "a\r\nBcc: x@y", &"x".repeat(101)] {
            let id = plain_id(odd);
            assert!(id.len() == 64 && id == plain_id(odd), "{odd:?}");
        }
        assert_ne!(plain_id("a b"), plain_id("a.b"));
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("€€".to_owned(), 4), "€…\n\nThe rest is cut off.\n");
        assert_eq!(cut("€€".to_owned(), 6), "€€");
    }
}
