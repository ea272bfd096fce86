//! Rust source with what is not code blanked out, so that a rule on calls does not trip over a comment.
//!
//! Not a parser: it knows comments, strings and characters, and where the braces of a test module end. Lines keep their
//! numbers.

use regex::Regex;

/// The code alone: comments, strings and character literals become spaces.
pub(super) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    // Whether the character before could be the end of a name: `r"` starts a raw string, `bar"` does not.
    let mut in_name = false;
    while let Some(first) = rest.chars().next() {
        let length = if in_name { plain(rest) } else { raw_string(rest).or_else(|| plain(rest)) };
        let length = length.unwrap_or(0);
        if length == 0 {
            code.push(first);
            in_name = first.is_alphanumeric() || first == '_';
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        } else {
            let (skipped, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            code.extend(skipped.chars().map(|char| if char == '\n' { '\n' } else { ' ' }));
            in_name = false;
            rest = after;
        }
    }
    code
}

/// The code with every `#[cfg(test)] mod … { … }` blanked out.
pub(super) fn without_tests(code: &str) -> String {
    let Some(start) = code.find("#[cfg(test)]") else { return code.to_owned() };
    let (before, from) = code.split_at_checked(start).unwrap_or((code, ""));
    let end = item_end(from);
    let (tests, after) = from.split_at_checked(end).unwrap_or((from, ""));
    let blank: String = tests.chars().map(|char| if char == '\n' { '\n' } else { ' ' }).collect();
    format!("{before}{blank}{}", without_tests(after))
}

/// Where an item ends: at the brace that closes its first one, or at a semicolon before any.
pub(super) fn item_end(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, char) in code.char_indices() {
        match char {
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// The number of the line, from 1, that a byte lies on.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// A pattern of our own, which is known to be right. Compile it once and not for each file.
pub(super) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| unreachable!("{error}"))
}

/// Every match, as line and text.
pub(super) fn matches<'text>(pattern: &Regex, text: &'text str) -> Vec<(usize, &'text str)> {
    pattern.find_iter(text).map(|found| (line_of(text, found.start()), found.as_str())).collect()
}

/// The length of a comment, string or character that starts here.
fn plain(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment(rest));
    }
    if rest.starts_with('"') {
        return Some(until_quote(rest, '"'));
    }
    // A quote may start a character or a lifetime: `'a'` or `'a`.
    let mut chars = rest.strip_prefix('\'')?.chars();
    let (first, second) = (chars.next()?, chars.next());
    (first == '\\' || second == Some('\'')).then(|| until_quote(rest, '\''))
}

/// The length of a raw string, `r#"…"#`, that starts here.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.chars().take_while(|char| *char == '#').count();
    let body = after.get(hashes..)?.strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&close).map_or(body.len(), |end| end + close.len());
    Some(rest.len() - body.len() + end)
}

/// The length of a block comment; they nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(tail) = rest.get(at..).filter(|tail| !tail.is_empty()) {
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += tail.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// The length up to and with the closing quote, past escapes.
fn until_quote(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            _ if char == quote => return at + char.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: &[&str]) {
        let code = code(text);
        assert_eq!(code.lines().count(), text.lines().count());
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), words, "{text}");
    }

    #[test]
    fn comments_and_strings_are_no_code() {
        check("a // b\nc", &["a", "c"]);
        check("a /* b /* c */ d */ e", &["a", "e"]);
        check(r#"a("b\"c") d"#, &["a(", ")", "d"]);
        check("a(r#\"b\"c\"#) d", &["a(", ")", "d"]);
        check("a(br\"\\\") d", &["a(", ")", "d"]);
        check("var\"b\" c", &["var", "c"]);
    }

    #[test]
    fn characters_are_told_from_lifetimes() {
        check("f('\"') g", &["f(", ")", "g"]);
        check(r"f('\'') g", &["f(", ")", "g"]);
        check("f<'a>(x: &'a str) g", &["f<'a>(x:", "&'a", "str)", "g"]);
    }

    #[test]
    fn unit_tests_are_cut_out_and_what_follows_stays() {
        let code = "a\n#[cfg(test)]\nmod tests { fn b() { c } }\nd\n#[cfg(test)]\nuse e;\nf";
        let rest = without_tests(code);
        assert_eq!(rest.split_whitespace().collect::<Vec<_>>(), ["a", "d", "f"]);
        assert_eq!(rest.lines().count(), code.lines().count());
    }
}
