//! Where imports lead.

use memchr::memchr2;

use crate::{Modifier, Place};

/// A string literal at the start of some code.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Literal<'a> {
    /// It ends here; what is between the quotes.
    Whole(&'a [u8]),
    /// Its end is not here yet.
    Open,
    /// It ends with the line, or is too long to be looked at.
    Broken,
}

/// Reads a literal whose first byte is its quote, as far as `bytes_max`.
pub(super) fn literal(code: &[u8], bytes_max: usize) -> Literal<'_> {
    let Some((&quote, inside)) = code.split_first() else { return Literal::Open };
    let inside_max = inside.get(..bytes_max).unwrap_or(inside);
    let mut at = 0;
    while let Some(found) = memchr2(quote, b'\\', inside_max.get(at..).unwrap_or_default()) {
        let here = at + found;
        if inside_max.get(here) == Some(&quote) {
            let value = inside_max.get(..here).unwrap_or_default();
            return if value.contains(&b'\n') { Literal::Broken } else { Literal::Whole(value) };
        }
        at = here + 2;
    }
    if inside.len() >= bytes_max || inside.contains(&b'\n') { Literal::Broken } else { Literal::Open }
}

/// What is to stand between the quotes instead; nothing where it may stay.
pub(super) fn rewritten(value: &[u8], quote: u8, place: &Place) -> Option<String> {
    let value = std::str::from_utf8(value).ok()?.replace("\\/", "/");
    // What has no path is a name that an import map explains.
    let is_path = value.starts_with('/') || value.starts_with("./") || value.starts_with("../");
    let is_url = ["http:", "https:"]
        .iter()
        .any(|scheme| value.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    if value.contains('\\') || !(is_path || is_url) {
        return None;
    }
    let quote = char::from(quote);
    let link = place.rewritten(&value, Modifier::Script)?;
    Some(link.replace('\\', "\\\\").replace(quote, &format!("\\{quote}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_end_at_their_quote() {
        assert_eq!(literal(b"'a\"b'c", 100), Literal::Whole(b"a\"b"));
        assert_eq!(literal(b"'a\\'b'c", 100), Literal::Whole(b"a\\'b"));
        assert_eq!(literal(b"'abc", 100), Literal::Open);
        assert_eq!(literal(b"'abc\\", 100), Literal::Open);
        assert_eq!(literal(b"'abc", 3), Literal::Broken);
        assert_eq!(literal(b"'ab\nc'", 100), Literal::Broken);
    }
}
