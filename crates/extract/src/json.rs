//! Links in JSON: every string value that is an address, or text or markup with addresses in it.
//!
//! Nothing is parsed into a tree, so broken JSON, several values in a row and values cut off in the middle give what they
//! have. Keys are no links, but one called `url` says that its value is.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use crate::script::{self, unescape};
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
    while let Some((raw, escaped, end)) = string(json, at) {
        at = end;
        let behind = json.get(end..).unwrap_or_default().trim_ascii_start();
        if behind.starts_with(':') {
            key = raw;
            at = json.len() - behind.len() + 1;
            continue;
        }
        // The quickest way to be rid of words, numbers and identifiers.
        if memchr2(b'/', b'.', raw.as_bytes()).is_some() && key != "@context" {
            let text = if escaped { unescape(raw) } else { Cow::Borrowed(raw) };
            value(&text, key, nesting, links);
            if links.is_full() {
                return;
            }
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

/// The next string from `at`: what is between its quotes, whether there are escapes, and the place behind it.
fn string(json: &str, at: usize) -> Option<(&str, bool, usize)> {
    let bytes = json.as_bytes();
    let from = at + memchr(b'"', bytes.get(at..)?)? + 1;
    let (mut end, mut escaped) = (from, false);
    loop {
        let rest = bytes.get(end..)?;
        let found = memchr2(b'"', b'\\', rest)?;
        end += found;
        if rest.get(found) == Some(&b'"') {
            return Some((json.get(from..end)?, escaped, end + 1));
        }
        escaped = true;
        end += 2;
    }
}

fn value(text: &str, key: &str, nesting: u8, links: &mut Links) {
    let trimmed = text.trim_ascii();
    if nesting + 1 < NESTING_MAX && trimmed.starts_with(['{', '[']) && trimmed.contains('"') {
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
    } else if trimmed.contains('<') && memchr2(b'"', b'\'', trimmed.as_bytes()).is_some() {
        // Markup: its attributes are quoted.
        let rule = rule();
        script::string_in_script(trimmed, 1, &mut |text| {
            script::consider(text, &rule, links);
            !links.is_full()
        });
    } else if trimmed.contains("://") {
        let rule = rule();
        plain::each(trimmed, |url| {
            links.add(Link::new(url, Hop::Speculative, rule.clone()));
            !links.is_full()
        });
    }
}

/// Whether a key says that its value is an address, whatever it looks like.
fn holds_address(key: &str) -> bool {
    let ends = |end: &str| {
        let start = key.len().checked_sub(end.len()).and_then(|at| key.get(at..));
        start.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    ["url", "uri", "href", "src", "link", "image", "icon", "path", "file", "logo", "thumbnail"]
        .into_iter()
        .any(ends)
}
