//! Likely links in JavaScript: strings that look like addresses.
//!
//! Comments and regular expressions are told apart from strings as far as that keeps the quotes in step; nothing else of
//! the language is understood. Strings may hold markup or more script, so what is quoted inside of a string counts too.
//! The work is linear in the length of the text, whatever the text.

pub(crate) mod class;
mod scan;
mod string;

use std::borrow::Cow;

use crate::{Hop, Link, Links, Rule, likely};

use scan::Scanner;
pub(crate) use string::unescape;

/// Adds the strings of a script that are very likely addresses.
pub fn links(js: &str, links: &mut Links) {
    let rule = Rule::new("script", "string");
    scan(js, 0, &mut |text| {
        consider(text, &rule, links);
        !links.is_enough()
    });
}

/// Strings in strings in strings: enough for markup written by a script that a page's script writes.
const NESTING_MAX: u8 = 3;

/// Takes a string in if it is likely an address.
pub(crate) fn consider(text: &str, rule: &Rule, links: &mut Links) {
    if let Some(found) = likely::is(text) {
        links.add(Link::new(found.reference(), Hop::Speculative, rule.clone()));
    }
}

/// Hands every string of a script to `take`, escapes resolved, the ones inside of strings too, until it has enough.
pub(crate) fn scan(js: &str, nesting: u8, take: &mut dyn FnMut(&str) -> bool) -> bool {
    for found in Scanner::new(js, nesting > 0) {
        if !found.promising {
            // Nothing is nobody's address, but whoever takes it may have had enough.
            if !take("") {
                return false;
            }
            continue;
        }
        let text = if found.escaped { unescape(found.raw) } else { Cow::Borrowed(found.raw) };
        if !string_in_script(&text, nesting, take) {
            return false;
        }
    }
    true
}

/// A string, and what is quoted in it.
pub(crate) fn string_in_script(text: &str, nesting: u8, take: &mut dyn FnMut(&str) -> bool) -> bool {
    // What holds quotes is no address itself, but may quote one.
    let quotes = memchr::memchr3(b'"', b'\'', b'\\', text.as_bytes()).is_some();
    if quotes && nesting < NESTING_MAX { scan(text, nesting + 1, take) } else { take(text) }
}
