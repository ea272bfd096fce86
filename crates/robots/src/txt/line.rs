//! Lines of a robots.txt: where they end, and what each one is.

use super::agent;

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// `User-agent: varve`: the first word of it, empty where it names nobody.
    Agent(&'a [u8]),
    /// `Allow: /a`
    Allow(&'a [u8]),
    /// `Disallow: /a`
    Disallow(&'a [u8]),
    /// `Crawl-delay: 10`
    CrawlDelay(&'a [u8]),
    /// `Sitemap: http://example.org/sitemap.xml`
    Sitemap(&'a [u8]),
    /// `Host: example.org`, or anything else with a name and a value.
    Unknown,
    /// Blank, a comment, or no name and value.
    Nothing,
}

impl<'a> Line<'a> {
    /// Reads one line without its end.
    pub(super) fn parse(line: &'a [u8]) -> Line<'a> {
        let line = line.split(|byte| *byte == b'#').next().unwrap_or_default().trim_ascii();
        let Some((key, value)) = key_and_value(line) else { return Line::Nothing };
        match Key::of(key) {
            Some(Key::Agent) => Line::Agent(agent::first_word(value)),
            Some(Key::Allow) => Line::Allow(value),
            Some(Key::Disallow) => Line::Disallow(value),
            Some(Key::CrawlDelay) => Line::CrawlDelay(value),
            Some(Key::Sitemap) => Line::Sitemap(value),
            None => Line::Unknown,
        }
    }
}

/// The lines with their numbers from 1 on. CR, LF and CRLF end one.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = Some(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest?;
        number += 1;
        let Some(end) = memchr::memchr2(b'\r', b'\n', text) else {
            rest = None;
            return Some((number, text));
        };
        let (line, after) = text.split_at_checked(end)?;
        rest = after.strip_prefix(b"\r\n").or_else(|| after.get(1..));
        Some((number, line))
    })
}

/// `Disallow: /a`, or `Disallow /a`: people forget the colon, and then two words and no more are a name and a value.
fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (key, value) = match memchr::memchr(b':', line) {
        Some(colon) => {
            line.split_at_checked(colon).map(|(key, rest)| (key, rest.get(1..).unwrap_or_default()))?
        }
        None => {
            let blank = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
            let (key, value) = line.split_at_checked(blank)?;
            if value.trim_ascii().iter().any(u8::is_ascii_whitespace) {
                return None;
            }
            (key, value)
        }
    };
    let key = key.trim_ascii();
    (!key.is_empty()).then(|| (key, without_break(value.trim_ascii())))
}

/// Some robots.txt were saved as a web page, with `<BR>` at the end of each line.
fn without_break(value: &[u8]) -> &[u8] {
    let Some(start) = memchr::memrchr(b'<', value) else { return value };
    let Some((before, tag)) = value.split_at_checked(start) else { return value };
    let is_break =
        [b"<br>".as_slice(), b"<br/>", b"<br />"].iter().any(|form| tag.eq_ignore_ascii_case(form));
    if is_break { before.trim_ascii_end() } else { value }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Agent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
}

/// Each name with the number of slips that are forgiven. `allow` is too short for any: `shallow` is no `disallow` either.
const KEYS: [(&[u8], usize, Key); 6] = [
    (b"user-agent", 2, Key::Agent),
    (b"disallow", 2, Key::Disallow),
    (b"allow", 0, Key::Allow),
    (b"crawl-delay", 1, Key::CrawlDelay),
    (b"sitemap", 0, Key::Sitemap),
    (b"site-map", 0, Key::Sitemap),
];
/// No name with forgivable slips is longer.
const KEY_BYTES_MAX: usize = 13;

impl Key {
    fn of(key: &[u8]) -> Option<Key> {
        if key.len() > KEY_BYTES_MAX {
            return None;
        }
        let is_word = key.iter().all(|byte| byte.is_ascii_alphabetic() || b"-_ ".contains(byte));
        let exact = KEYS.iter().find(|(name, ..)| key.eq_ignore_ascii_case(name));
        let near =
            |(name, slips, _): &&(&[u8], usize, Key)| is_word && *slips > 0 && distance(key, name) <= *slips;
        exact.or_else(|| KEYS.iter().find(near)).map(|(.., key)| *key)
    }
}

/// How many letters must be put in, left out or changed to make one word of the other, in any case.
fn distance(key: &[u8], name: &[u8]) -> usize {
    if key.len().abs_diff(name.len()) > 2 {
        return usize::MAX;
    }
    strsim::generic_levenshtein(&key.to_ascii_lowercase(), &name.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: Line<'_>) {
        assert_eq!(Line::parse(line.as_bytes()), expect, "{line}");
    }

    #[test]
    fn names_come_in_any_case_and_with_blanks() {
        check("  DISALLOW :  /a  # why", Line::Disallow(b"/a"));
        check("Allow:", Line::Allow(b""));
        check("site-map: /s.xml", Line::Sitemap(b"/s.xml"));
        check("Host: example.org", Line::Unknown);
        check("# User-agent: a", Line::Nothing);
        check(": /a", Line::Nothing);
    }

    #[test]
    fn slips_of_the_pen_are_forgiven() {
        for slip in ["disalow", "dissallow", "dissalow", "diasllow", "disallaw", "desallow", "disallowed"] {
            check(&format!("{slip}: /a"), Line::Disallow(b"/a"));
        }
        for slip in ["useragent", "user agent", "user_agent", "useg-agent", "user-agents"] {
            check(&format!("{slip}: a"), Line::Agent(b"a"));
        }
        check("allowed: /", Line::Unknown);
        check("noindex: /", Line::Unknown);
    }

    #[test]
    fn a_forgotten_colon_is_forgiven_between_two_words() {
        check("disallow /a", Line::Disallow(b"/a"));
        check("disallow /a b", Line::Nothing);
        check("disallow", Line::Nothing);
    }

    #[test]
    fn a_line_break_in_html_is_none_of_the_value() {
        check("Disallow: /<BR>", Line::Disallow(b"/"));
        check("Disallow: /a<b>", Line::Disallow(b"/a<b>"));
        check("User-agent: *<br />", Line::Agent(b"*"));
    }

    #[test]
    fn lines_end_in_three_ways() {
        let numbered: Vec<_> = lines(b"a\r\nb\rc\n\nd").collect();
        assert_eq!(numbered, [(1, &b"a"[..]), (2, b"b"), (3, b"c"), (4, b""), (5, b"d")]);
    }
}
