//! `5; url=/next`: a delay and where to go then, in a `meta` element or a header.
//!
//! <https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps>

use std::ops::Range;

/// The value with another address; nothing if it has none or that stays.
pub(crate) fn rewrite(value: &str, to: impl FnOnce(&str) -> Option<String>) -> Option<String> {
    let range = address(value)?;
    let link = to(value.get(range.clone())?)?;
    let (before, behind) = (value.get(..range.start)?, value.get(range.end..)?);
    Some(format!("{before}{link}{behind}"))
}

/// Where the address stands.
fn address(value: &str) -> Option<Range<usize>> {
    let at = |rest: &str| value.len() - rest.len();
    let number = value.trim_ascii_start();
    let rest = number.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    // Without a delay nothing happens.
    if rest.len() == number.len() {
        return None;
    }
    let trimmed = rest.trim_ascii_start();
    let behind = trimmed.strip_prefix([';', ',']).unwrap_or(trimmed);
    if behind.len() == rest.len() {
        return None;
    }
    let behind = behind.trim_ascii_start();
    let link = behind_url(behind).unwrap_or(behind);
    let (link, end) = match link.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inside = link.get(1..)?;
            (inside, inside.find(quote).unwrap_or(inside.len()))
        }
        _ => (link, link.trim_ascii_end().len()),
    };
    (end > 0).then(|| at(link)..at(link) + end)
}

/// What follows `url` and an equals sign.
fn behind_url(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at_checked(3)?;
    let rest = word.eq_ignore_ascii_case("url").then_some(rest)?;
    Some(rest.trim_ascii_start().strip_prefix('=')?.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: Option<&str>) {
        let rewritten = rewrite(value, |link| Some(format!("[{link}]")));
        assert_eq!(rewritten.as_deref(), expected, "{value}");
    }

    #[test]
    fn addresses_are_found() {
        check("5;url=http://example.org/", Some("5;url=[http://example.org/]"));
        check("0; URL = 'a b' tail", Some("0; URL = '[a b]' tail"));
        check("1,\"x", Some("1,\"[x]"));
        check("0 /next ", Some("0 [/next] "));
        check("0; url.html", Some("0; [url.html]"));
    }

    #[test]
    fn where_there_is_none_nothing_is_found() {
        for value in ["", "5", "5;", "url=/x", "5x", "0; url="] {
            check(value, None);
        }
    }
}
