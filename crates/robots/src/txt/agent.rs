//! Who is meant: product tokens in `User-agent` lines and the names by which a crawler goes.
//!
//! RFC 9309, section 2.2.1 has one token a line, of letters, `-` and `_`. Real crawlers are called `MJ12bot` and
//! `archive.org_bot` all the same, so a line means a crawler if either its token or its whole first word is the name.

/// Whether the name is a product token as the standard wants it: letters, `-` and `_`.
#[must_use]
pub fn is_product_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(is_token_byte)
}

/// The first word of a `User-agent` value. `*` alone, or before a blank, means everybody.
pub(super) fn first_word(value: &[u8]) -> &[u8] {
    if let [b'*', rest @ ..] = value {
        let alone = rest.first().is_none_or(u8::is_ascii_whitespace);
        return if alone { b"*" } else { b"" };
    }
    until(value, |byte| byte.is_ascii_whitespace() || b",/;()*<>\"".contains(byte))
}

/// Whether the first word of a `User-agent` line means a crawler that goes by these names, separated by commas.
pub(super) fn is_meant(word: &[u8], names: &str) -> bool {
    let token = until(word, |byte| !is_token_byte(*byte));
    names_of(names).any(|name| {
        let name = name.as_bytes();
        !name.is_empty() && (word.eq_ignore_ascii_case(name) || token.eq_ignore_ascii_case(name))
    })
}

/// Whether one of a crawler's names, separated by commas, is this one.
pub(crate) fn is_named(name: &str, names: &str) -> bool {
    !name.is_empty() && names_of(names).any(|own| own.eq_ignore_ascii_case(name))
}

/// `varve/1.0, archive.org_bot` goes by `varve` and `archive.org_bot`.
fn names_of(names: &str) -> impl Iterator<Item = &str> {
    names.split(',').map(|name| name.split_once('/').map_or(name, |(name, _version)| name).trim())
}

fn until(bytes: &[u8], is_end: impl Fn(&u8) -> bool) -> &[u8] {
    bytes.split(is_end).next().unwrap_or_default()
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'-' || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, names: &str, meant: bool) {
        assert_eq!(is_meant(first_word(value.as_bytes()), names), meant, "`{value}` for `{names}`");
    }

    #[test]
    fn case_and_version_do_not_matter() {
        check("FooBot", "foobot", true);
        check("foobot/2.1", "FooBot/1.0", true);
        check("FooBot 3", "foobot", true);
    }

    #[test]
    fn a_line_has_one_name_and_it_is_whole() {
        check("Foo Bar", "bar", false);
        check("Foo", "foobot", false);
        check("Foobot", "foo", false);
        check("Foo Bar", "Foo Bar", false);
    }

    #[test]
    fn digits_and_dots_make_a_name_too() {
        check("MJ12bot", "mj12bot", true);
        check("archive.org_bot", "archive.org_bot", true);
        check("FooBot2", "foobot", true);
        check("FooBot2", "foobot3", false);
    }

    #[test]
    fn any_of_several_names_will_do() {
        check("two", "one, two", true);
        check("three", "one, two", false);
    }

    #[test]
    fn a_star_with_something_behind_it_is_nobody() {
        assert_eq!(first_word(b"* "), b"*");
        assert_eq!(first_word(b"*bot"), b"");
        check("*", "foobot", false);
        check("", "", false);
    }
}
