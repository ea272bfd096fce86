//! Links in JSON: every string value that is an address, or text or markup with addresses in it.
//!
//! Nothing is parsed into a tree, so broken JSON, several values in a row and values cut off in the middle give what they
//! have. Keys are no links, but one called `url` says that its value is.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memmem};

use crate::script::{self, class, unescape};
use crate::{Hop, Link, Links, Rule, likely, plain};

/// Adds the links of a JSON text. Speculative, because a string is only a string.
pub fn links(json: &str, links: &mut Links) {
    scan(json, 0, links);
}

/// JSON in strings of JSON in strings of JSON: once is a habit, twice an accident.
const NESTING_MAX: u8 = 2;
/// Longer keys are not told.
const KEY_BYTES_MAX: usize = 64;

fn scan(json: &str, nesting: u8, links: &mut Links) {
    let mut at = 0;
    let mut key = "";
    while let Some(found) = string(json, at) {
        at = found.end;
        let behind = json.get(at..).unwrap_or_default().trim_ascii_start();
        if behind.starts_with(':') {
            key = found.raw;
            at = json.len() - behind.len() + 1;
            continue;
        }
        if found.promising && key != "@context" {
            let text = if found.escaped { unescape(found.raw) } else { Cow::Borrowed(found.raw) };
            value(&text, key, nesting, links);
        }
        if links.is_enough() {
            return;
        }
        // The strings of an array all have the key of the array.
        if !string_follows(behind) {
            key = "";
        }
    }
}

/// Whether a comma and another string come next.
fn string_follows(behind: &str) -> bool {
    behind.strip_prefix(',').is_some_and(|behind| behind.trim_ascii_start().starts_with('"'))
}

/// What is between two quotes.
struct Found<'a> {
    raw: &'a str,
    escaped: bool,
    /// It holds a slash or a point, or may do so once its escapes are resolved.
    promising: bool,
    /// The place behind its quote.
    end: usize,
}

/// The next string from `at` on.
fn string(json: &str, at: usize) -> Option<Found<'_>> {
    let bytes = json.as_bytes();
    let from = at + memchr(b'"', bytes.get(at..)?)? + 1;
    let (mut end, mut seen, mut escaped) = (from, 0, false);
    loop {
        let rest = bytes.get(end..)?;
        let stop = rest.iter().position(|byte| {
            let class = class::of(*byte);
            seen |= class;
            class & (class::DOUBLE | class::BACKSLASH) != 0
        })?;
        end += stop;
        if rest.get(stop) == Some(&b'"') {
            let promising = escaped || seen & class::PROMISE != 0;
            return Some(Found { raw: json.get(from..end)?, escaped, promising, end: end + 1 });
        }
        escaped = true;
        end += 2;
    }
}

fn value(text: &str, key: &str, nesting: u8, links: &mut Links) {
    let trimmed = text.trim_ascii();
    let open = matches!(trimmed.as_bytes().first(), Some(b'{' | b'['));
    if open && nesting + 1 < NESTING_MAX && memchr(b'"', trimmed.as_bytes()).is_some() {
        scan(trimmed, nesting + 1, links);
        return;
    }
    let rule = || match key.len() {
        1..=KEY_BYTES_MAX => Rule::named("json", key.to_owned()),
        _ => Rule::new("json", "string"),
    };
    let mut add = |reference: String| links.add(Link::new(reference, Hop::Speculative, rule()));
    if let Some(found) = likely::is(trimmed) {
        add(found.reference());
    } else if holds_address(key) && likely::may_be(trimmed) {
        add(trimmed.to_owned());
    } else if memchr(b'<', trimmed.as_bytes()).is_some() && memchr2(b'"', b'\'', trimmed.as_bytes()).is_some()
    {
        // Markup: its attributes are quoted.
        let rule = rule();
        script::string_in_script(trimmed, 1, &mut |text| {
            script::consider(text, &rule, links);
            !links.is_enough()
        });
    } else if memmem::find(trimmed.as_bytes(), b"://").is_some() {
        let rule = rule();
        plain::each(trimmed, |url| {
            links.add(Link::new(url, Hop::Speculative, rule.clone()));
            !links.is_enough()
        });
    }
}

/// Whether a key says that its value is an address, whatever it looks like.
fn holds_address(key: &str) -> bool {
    let ends = |end: &str| {
        let start = key.len().checked_sub(end.len()).and_then(|at| key.get(at..));
        start.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    // The last letter spares most keys the rest.
    match key.bytes().next_back().map(|byte| byte.to_ascii_lowercase()) {
        Some(b'l') => ends("url") || ends("thumbnail"),
        Some(b'i') => ends("uri"),
        Some(b'f') => ends("href"),
        Some(b'c') => ends("src"),
        Some(b'k') => ends("link"),
        Some(b'e') => ends("image") || ends("file"),
        Some(b'n') => ends("icon"),
        Some(b'h') => ends("path"),
        Some(b'o') => ends("logo"),
        _ => false,
    }
}
