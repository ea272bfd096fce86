//! How a page begins: in which charset, and whether with text.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::{memchr, memmem};

/// So many bytes are looked at, as browsers do.
pub(super) const START_BYTES: usize = 1024;

/// The encoding that the header or the page itself names, if either does.
///
/// <https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding>
pub(super) fn declared(start: &[u8], label: Option<&str>) -> Option<&'static Encoding> {
    extract::charset::mark(start)
        .or_else(|| label.and_then(|label| Encoding::for_label(label.trim().as_bytes())))
        .or_else(|| extract::charset::declared_in_html(start).map(|charset| charset.encoding))
}

/// The encoding of a page that names none: UTF-8 if it looks like that, or one in which every byte is a character, so that all that we do
/// not understand comes out as it went in.
pub(super) fn guess(start: &[u8]) -> &'static Encoding {
    let is_utf8_so_far = match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    if !start.is_ascii() && is_utf8_so_far { UTF_8 } else { WINDOWS_1252 }
}

/// What stands first in a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum First {
    /// Text, here. It would open the body before any tag does.
    Text(usize),
    /// No page at all: data that is called one, with no tag in sight.
    Data,
    /// A tag, or nothing that could be told.
    Tag,
}

/// What stands first behind a byte order mark, blanks, comments, the doctype and the `html` tag.
pub(super) fn first(start: &[u8]) -> First {
    let mut at = if start.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut is_bare = true;
    loop {
        let rest = start.get(at..).unwrap_or_default();
        at += rest.len() - rest.trim_ascii_start().len();
        let rest = start.get(at..).unwrap_or_default();
        let end = match rest {
            [b'<', b'!', b'-', b'-', ..] => memmem::find(rest, b"-->").map(|end| end + 3),
            [b'<', b'!' | b'?', ..] => memchr(b'>', rest).map(|end| end + 1),
            [b'<', name @ ..] if is_html(name) => memchr(b'>', rest).map(|end| end + 1),
            [b'{' | b'[', ..] if is_bare && memchr(b'<', start).is_none() => return First::Data,
            [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/', ..] | [b'<'] | [] => return First::Tag,
            _ => return First::Text(at),
        };
        let Some(end) = end else { return First::Tag };
        (at, is_bare) = (at + end, false);
    }
}

fn is_html(name: &[u8]) -> bool {
    let (Some(name), Some(behind)) = (name.get(..4), name.get(4)) else { return false };
    name.eq_ignore_ascii_case(b"html") && (behind.is_ascii_whitespace() || matches!(behind, b'>' | b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_from_tags() {
        assert_eq!(first(b"<!doctype html><html lang=a> \n<head>"), First::Tag);
        assert_eq!(first(b"<!doctype html> text <b>"), First::Text(16));
        assert_eq!(first(b"\xef\xbb\xbf<!-- a > --><?xml?>text"), First::Text(22));
        assert_eq!(first(b"<html>< head>"), First::Text(6));
        assert_eq!(first(b" {\"a\": 1}"), First::Data);
        assert_eq!(first(b" {x}<script>"), First::Text(1));
        assert_eq!(first(b"<!-- a --> {b}"), First::Text(11));
        assert_eq!(first(b""), First::Tag);
    }

    #[test]
    fn charsets_are_found() {
        let name = |start: &[u8], label| declared(start, label).map(Encoding::name);
        assert_eq!(name(b"<meta charset=koi8-r>", None), Some("KOI8-R"));
        assert_eq!(name(b"<meta charset=koi8-r>", Some("latin1")), Some("windows-1252"));
        assert_eq!(name(b"\xef\xbb\xbf", Some("latin1")), Some("UTF-8"));
        assert_eq!(name(b"\xff\xfe<\0", None), Some("UTF-16LE"));
        assert_eq!(name(b"<p>", None), None);
        assert_eq!(guess("<p>ž".as_bytes()).name(), "UTF-8");
        assert_eq!(guess(b"<p>\xe9 a").name(), "windows-1252");
    }
}
