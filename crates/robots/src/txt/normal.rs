//! One spelling for paths and patterns, so that comparing bytes is comparing what they mean.
//!
//! RFC 9309, section 2.2.2: octets beyond ASCII are compared percent-encoded, and encoded octets that need not be are
//! decoded. Reserved characters mean different things encoded and not, so they stay as they are.

use std::borrow::Cow;

/// A pattern in the spelling in which it is compared: `/a/%62/ä` is `/a/b/%C3%A4`. `*` and a `$` at the end stay.
#[must_use]
pub fn normal_pattern(pattern: &[u8]) -> Cow<'_, [u8]> {
    match pattern.split_last() {
        Some((b'$', before)) => match normal(before, b'*') {
            Cow::Borrowed(_) => Cow::Borrowed(pattern),
            Cow::Owned(mut owned) => {
                owned.push(b'$');
                Cow::Owned(owned)
            }
        },
        _ => normal(pattern, b'*'),
    }
}

/// A path in the spelling in which it is compared. `*` and `$` are ordinary characters here and become escapes, which
/// is how a pattern spells them when it means no wildcard.
pub(super) fn normal_path(path: &[u8]) -> Cow<'_, [u8]> {
    normal(path, 0)
}

/// `wildcard` is the byte that keeps its special meaning.
fn normal(bytes: &[u8], wildcard: u8) -> Cow<'_, [u8]> {
    let stays = |byte: &u8| is_plain(*byte) || (*byte == wildcard && wildcard != 0);
    if bytes.iter().all(stays) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + 16);
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if stays(first) {
            out.push(*first);
        } else if let (b'%', [high, low, tail @ ..]) = (first, after)
            && let (Some(high), Some(low)) = (digit(*high), digit(*low))
        {
            rest = tail;
            let byte = high << 4 | low;
            if is_unreserved(byte) { out.push(byte) } else { escape(byte, &mut out) }
        } else if *first == b'%' {
            // Not an escape, and nobody can say what was meant; `%a` is compared as `%a`.
            out.push(b'%');
        } else {
            escape(*first, &mut out);
        }
    }
    Cow::Owned(out)
}

/// Bytes that are written as they are: all that may stand in a path or query, but for `%`, `*` and `$`.
fn is_plain(byte: u8) -> bool {
    is_unreserved(byte) || b":/?#[]@!&'()+,;=".contains(&byte)
}

/// RFC 3986, section 2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn escape(byte: u8, out: &mut Vec<u8>) {
    let digit = |half: u8| if half < 10 { b'0' + half } else { b'A' - 10 + half };
    out.extend([b'%', digit(byte >> 4), digit(byte & 15)]);
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, as_pattern: &str, as_path: &str) {
        let text = |bytes: Cow<'_, [u8]>| String::from_utf8(bytes.into_owned()).unwrap();
        assert_eq!(text(normal_pattern(pattern.as_bytes())), as_pattern, "pattern {pattern}");
        assert_eq!(text(normal_path(pattern.as_bytes())), as_path, "path {pattern}");
    }

    #[test]
    fn what_need_not_be_escaped_is_not() {
        check("/a/%62%7e", "/a/b~", "/a/b~");
        check("/a", "/a", "/a");
    }

    #[test]
    fn reserved_characters_stay_as_they_are() {
        check("/a%2fb/c", "/a%2Fb/c", "/a%2Fb/c");
        check("/?a=%26&b", "/?a=%26&b", "/?a=%26&b");
    }

    #[test]
    fn what_no_url_may_hold_is_escaped() {
        check("/ツ", "/%E3%83%84", "/%E3%83%84");
        check("/a<b c", "/a%3Cb%20c", "/a%3Cb%20c");
    }

    #[test]
    fn wildcards_are_special_in_patterns_only() {
        check("/*a$", "/*a$", "/%2Aa%24");
        check("/a$b", "/a%24b", "/a%24b");
        check("/%2a%24", "/%2A%24", "/%2A%24");
        check("/ä*$", "/%C3%A4*$", "/%C3%A4%2A%24");
    }

    #[test]
    fn half_an_escape_is_left_alone() {
        check("/%a%", "/%a%", "/%a%");
        check("/%3Mediation", "/%3Mediation", "/%3Mediation");
    }
}
