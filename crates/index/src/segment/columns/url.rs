//! A column of URLs. The key says host and path already, so what is left is how the URL begins, and where it differs.
//!
//! ```text
//! dictionary of beginnings │ for each: 0, or 1 + bytes that the path has in common with that of the key │ for those: bytes (run)
//! ```
//! A beginning is all before the host: `https://www.`. Where it is empty, the URL stands as it is behind it.

use super::super::bytes::{put_run, put_varint};
use super::arena::{Arena, Marks, Source};
use super::front::common;
use super::text::Dictionary;
use super::{Parts, text};

/// What a key says of its URLs.
#[derive(Debug, Default)]
pub(super) struct Guess {
    host: Vec<u8>,
    /// Where in the key the path begins.
    path: usize,
}

impl Guess {
    /// Of a key in the order of sorting: `org,example)/path`, without the space behind it.
    pub(super) fn set(&mut self, key: &[u8]) {
        self.host.clear();
        let Some(end) = memchr::memchr(b')', key) else {
            self.path = key.len();
            return;
        };
        self.path = end + 1;
        let (labels, port) = match key.get(..end).unwrap_or_default() {
            host if host.contains(&b':') => host.split_at(memchr::memchr(b':', host).unwrap_or(host.len())),
            host => (host, [].as_slice()),
        };
        for label in labels.rsplit(|byte| *byte == b',') {
            if !self.host.is_empty() {
                self.host.push(b'.');
            }
            self.host.extend_from_slice(label);
        }
        self.host.extend_from_slice(port);
    }

    fn path<'a>(&self, key: &'a [u8]) -> &'a [u8] {
        key.get(self.path..).unwrap_or_default()
    }

    /// How a URL begins before the host; empty where the host is another.
    fn beginning<'a>(&self, url: &'a [u8]) -> &'a [u8] {
        let Some(colon) = memchr::memchr(b':', url).filter(|_| !self.host.is_empty()) else { return &[] };
        let Some(behind) = url.get(colon..).and_then(|rest| rest.strip_prefix(b"://")) else { return &[] };
        if behind.starts_with(&self.host) {
            return url.get(..colon + 3).unwrap_or_default();
        }
        match behind.strip_prefix(b"www.") {
            Some(rest) if rest.starts_with(&self.host) => url.get(..colon + 7).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// Appends a column: of each its key, and the URL.
pub(super) fn put(parts: &mut Parts, values: &[(&[u8], &[u8])]) -> Option<()> {
    let mut beginnings = Vec::with_capacity(values.len());
    let mut differences = Vec::new();
    let mut tails = Vec::new();
    let (mut guess, mut last): (Guess, &[u8]) = (Guess::default(), &[]);
    for (key, url) in values {
        if *key != last {
            guess.set(key);
            last = key;
        }
        let beginning = guess.beginning(url);
        beginnings.push(beginning);
        let rest = match beginning {
            [] => url,
            beginning => url.get(beginning.len() + guess.host.len()..).unwrap_or_default(),
        };
        let path = guess.path(key);
        if !beginning.is_empty() && rest == path {
            differences.push(0);
            continue;
        }
        let alike = if beginning.is_empty() { 0 } else { common(rest, path) };
        put_varint(&mut differences, alike as u64 + 1);
        put_run(&mut tails, rest.get(alike..).unwrap_or_default());
    }
    // They are few, but where somebody made them up.
    if !text::put_dictionary(parts, &beginnings, 255) {
        return None;
    }
    parts.text.extend_from_slice(&differences);
    parts.text.extend_from_slice(&tails);
    Some(())
}

/// A column as read. URLs are made when they are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Urls {
    beginnings: Dictionary,
    /// For each: 0, or 1 + bytes in common with the path of the key; and where in the text its own begin and end.
    differences: Marks,
}

impl Urls {
    pub(super) fn read(source: &mut Source<'_>, arena: &mut Arena, count: usize) -> Option<Urls> {
        let beginnings = Dictionary::read(source, arena, count)?;
        let differences = arena.marks_begin();
        let mut alikes = source.text;
        for _ in 0..count {
            source.text.varint()?;
        }
        for _ in 0..count {
            let alike = alikes.size()?;
            let own = if alike == 0 { 0 } else { source.text.run()?.len() };
            let end = source.place();
            arena.push_mark(alike)?;
            arena.push_mark(end - own)?;
            arena.push_mark(end)?;
        }
        Some(Urls { beginnings, differences })
    }

    /// Appends a URL; the key is without the space behind it.
    pub(super) fn write(self, arena: &Arena, at: usize, key: &[u8], out: &mut Vec<u8>) -> Option<()> {
        let beginning = self.beginnings.get(arena, at)?;
        let mut guess = Guess::default();
        if !beginning.is_empty() {
            guess.set(key);
            out.extend_from_slice(beginning);
            out.extend_from_slice(&guess.host);
        }
        let path = guess.path(key);
        let mark = |which: usize| arena.mark(self.differences, at * 3 + which).map(|mark| mark as usize);
        match mark(0)?.checked_sub(1) {
            None => out.extend_from_slice(path),
            Some(alike) => {
                out.extend_from_slice(path.get(..alike)?);
                out.extend_from_slice(arena.text.get(mark(1)?..mark(2)?)?);
            }
        }
        Some(())
    }
}
