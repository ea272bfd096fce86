//! URLs written out in plain text, and where they end there.

use memchr::memmem;

use crate::{Hop, Link, Links, Rule, likely};

/// Adds the absolute URLs of a text.
pub fn links(text: &str, links: &mut Links) {
    each(text, |url| {
        links.add(Link::new(url, Hop::Speculative, Rule::new("text", "url")));
        !links.is_enough()
    });
}

/// Hands every URL to `take`, until it has enough. Where something is none, it is asked with nothing at all.
pub(crate) fn each<'a>(text: &'a str, mut take: impl FnMut(&'a str) -> bool) {
    let finder = memmem::Finder::new(b"://");
    let mut at = 0;
    while let Some(found) = text.as_bytes().get(at..).and_then(|rest| finder.find(rest)) {
        let colon = at + found;
        at = colon + 3;
        let before = text.get(..colon).unwrap_or_default();
        let scheme = SCHEMES.iter().find(|scheme| ends_with_word(before, scheme));
        let scheme = scheme.filter(|_| names_host(text.get(at..).unwrap_or_default()));
        let Some(scheme) = scheme else {
            if !take("") {
                return;
            }
            continue;
        };
        // Whether it turns out to be a URL or not, it is looked at once: `http://a.b:http://a.b:` goes on for ever.
        let url = sensible_end(text.get(colon - scheme.len()..).unwrap_or_default());
        at = at.max(colon - scheme.len() + url.len());
        if likely::may_be(url) && !take(url) {
            return;
        }
    }
}

const SCHEMES: [&str; 3] = ["https", "http", "ftp"];

/// Whether a text ends with this word, which no letter or digit stands before.
fn ends_with_word(text: &str, word: &str) -> bool {
    let Some((before, end)) = text.len().checked_sub(word.len()).and_then(|at| text.split_at_checked(at))
    else {
        return false;
    };
    end.eq_ignore_ascii_case(word)
        && !before.bytes().next_back().is_some_and(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a text begins with what could be the name of a host.
fn names_host(text: &str) -> bool {
    let end = text
        .bytes()
        .take(300)
        .position(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | 0x80..));
    end.is_some_and(|end| end > 0) || text.starts_with('[') || text.len() >= 2 && end.is_none()
}

/// The URL at the start of a text: up to a blank, a quote or markup, and without what belongs to the sentence.
fn sensible_end(text: &str) -> &str {
    let end = text.find(ends).unwrap_or(text.len());
    let mut url = text.get(..end).unwrap_or_default();
    // One pass back over the end; each bracket is counted once for the whole address.
    let mut surplus = Surplus::of(url);
    while let Some(last) = url.chars().next_back() {
        let drop = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '…' => true,
            last => surplus.drops(last),
        };
        if !drop {
            break;
        }
        url = url.get(..url.len() - last.len_utf8()).unwrap_or_default();
    }
    url
}

/// How many closing brackets of each kind have no opening one.
struct Surplus {
    round: usize,
    square: usize,
}

impl Surplus {
    fn of(url: &str) -> Surplus {
        let count = |open: u8, close: u8| {
            let number = |wanted: u8| url.bytes().filter(|byte| *byte == wanted).count();
            number(close).saturating_sub(number(open))
        };
        Surplus { round: count(b'(', b')'), square: count(b'[', b']') }
    }

    fn drops(&mut self, last: char) -> bool {
        let left = match last {
            ')' => &mut self.round,
            ']' => &mut self.square,
            _ => return false,
        };
        let drops = *left > 0;
        *left = left.saturating_sub(1);
        drops
    }
}

/// What no address holds: blanks, quotes, markup, and the punctuation of other scripts.
fn ends(char: char) -> bool {
    match char {
        '<' | '>' | '"' | '`' | '{' | '}' | '|' | '\\' | '^' => true,
        char if char.is_ascii() => char <= ' ' || char == '\x7f',
        '«' | '»' | '\u{2018}'..='\u{201f}' | '\u{2039}' | '\u{203a}' => true,
        // Ideographic punctuation, and the full-width forms of ours.
        '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' => true,
        char => char.is_whitespace(),
    }
}
