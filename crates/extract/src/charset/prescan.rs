//! Encodings that documents declare in themselves.
//!
//! <https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding>

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

use crate::html::decode_attribute;

/// Browsers wait for so many bytes; a declaration further down makes them begin again.
const PRESCAN_BYTES: usize = 1024;

/// The encoding of the first `meta` that declares one.
///
/// The first kilobyte is read as the standard wants it, without regard to where the element stands, but for style sheets
/// and titles, which browsers see through by now. Behind that only the head counts, and what scripts and other raw text hold
/// does not, because there the parser itself would find it.
pub(super) fn meta(start: &[u8]) -> Option<&'static Encoding> {
    match scan(start, false) {
        Scan::Found(encoding) => Some(encoding),
        _ if start.len() <= PRESCAN_BYTES => None,
        _ => match scan(start, true) {
            Scan::Found(encoding) => Some(encoding),
            Scan::Nothing => None,
        },
    }
}

/// The encoding of an XML declaration, or the one that its bytes show.
///
/// <https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing>
pub(super) fn xml(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [b'<', 0, b'?', 0, b'x', 0, ..] => return Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => return Some(UTF_16BE),
        _ => {}
    }
    let inside = start.strip_prefix(b"<?xml")?;
    let end = memchr::memchr(b'>', inside.get(..PRESCAN_BYTES).unwrap_or(inside))?;
    let inside = inside.get(..end)?;
    let at = memmem::find(inside, b"encoding")?;
    let behind = inside.get(at + 8..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, behind) = behind.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let label = behind.get(..memchr::memchr(*quote, behind)?)?;
    ascii_readable(Encoding::for_label(label)?)
}

/// The encoding of a `@charset`, which must be written just so.
///
/// <https://drafts.csswg.org/css-syntax/#determine-the-fallback-encoding>
pub(super) fn css(start: &[u8]) -> Option<&'static Encoding> {
    let behind = start.strip_prefix(b"@charset \"")?;
    let end = behind.iter().take(PRESCAN_BYTES).position(|byte| *byte == b'"')?;
    behind.get(end..)?.strip_prefix(b"\";")?;
    ascii_readable(Encoding::for_label(behind.get(..end)?)?)
}

/// A declaration that could be read as ASCII is not in UTF-16, whatever it says.
fn ascii_readable(encoding: &'static Encoding) -> Option<&'static Encoding> {
    Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

enum Scan {
    Found(&'static Encoding),
    Nothing,
}

/// Reads tags until a declaration is found. As `parser`, minds what raw text elements hold and stops behind the head.
fn scan(bytes: &[u8], parser: bool) -> Scan {
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'<', rest) {
        rest = rest.get(at..).unwrap_or_default();
        // A tag counts that begins before the limit, wherever it ends.
        if !parser && bytes.len() - rest.len() >= PRESCAN_BYTES {
            break;
        }
        if rest.starts_with(b"<!--") {
            // The dashes that open a comment may close it.
            let Some(end) = rest.get(2..).and_then(|inside| memmem::find(inside, b"-->")) else { break };
            rest = rest.get(2 + end + 3..).unwrap_or_default();
            continue;
        }
        let (closing, name) = tag_name(rest);
        if name.is_empty() {
            rest = match rest.get(1) {
                Some(b'!' | b'/' | b'?') => behind(rest, b'>'),
                _ => rest.get(1..).unwrap_or_default(),
            };
            continue;
        }
        if parser && (is(name, b"body") || closing && is(name, b"head")) {
            break;
        }
        let mut attributes =
            Attributes { rest: rest.get(1 + usize::from(closing) + name.len()..).unwrap_or_default() };
        if is(name, b"meta") && !closing {
            let mut meta = Meta::default();
            while let Some((name, value)) = attributes.next() {
                meta.take(&name.to_ascii_lowercase(), &value.to_ascii_lowercase());
            }
            // An element that is cut off does not count.
            if attributes.rest.is_empty() {
                break;
            }
            if let Some(encoding) = meta.encoding() {
                return Scan::Found(encoding);
            }
        } else {
            while attributes.next().is_some() {}
        }
        rest = attributes.rest;
        let raw = if parser { RAW } else { RAW.get(..2).unwrap_or_default() };
        if !closing && raw.iter().any(|raw| is(name, raw)) {
            rest = behind_raw_text(rest, name);
        }
    }
    Scan::Nothing
}

/// Whether a tag closes, and its name; none for what is no tag.
fn tag_name(rest: &[u8]) -> (bool, &[u8]) {
    let closing = rest.get(1) == Some(&b'/');
    let name = rest.get(1 + usize::from(closing)..).unwrap_or_default();
    if !name.first().is_some_and(u8::is_ascii_alphabetic) {
        return (closing, &[]);
    }
    let end =
        name.iter().position(|byte| is_blank(*byte) || matches!(byte, b'>' | b'/')).unwrap_or(name.len());
    (closing, name.get(..end).unwrap_or_default())
}

fn is(name: &[u8], known: &[u8]) -> bool {
    name.eq_ignore_ascii_case(known)
}

fn behind(rest: &[u8], byte: u8) -> &[u8] {
    memchr::memchr(byte, rest).and_then(|at| rest.get(at + 1..)).unwrap_or_default()
}

/// Elements whose text is no markup; the first two always, the others where the parser is asked.
const RAW: &[&[u8]] = &[b"style", b"title", b"script", b"textarea", b"noscript", b"template"];

/// The place where an element ends that holds text rather than elements.
fn behind_raw_text<'a>(rest: &'a [u8], name: &[u8]) -> &'a [u8] {
    let mut inside = rest;
    while let Some(at) = memmem::find(inside, b"</") {
        inside = inside.get(at..).unwrap_or_default();
        if is(tag_name(inside).1, name) {
            return inside;
        }
        inside = inside.get(2..).unwrap_or_default();
    }
    &[]
}

/// What a `meta` element says of encodings.
#[derive(Default)]
struct Meta {
    seen: Vec<Vec<u8>>,
    pragma: bool,
    needs_pragma: Option<bool>,
    charset: Option<Option<&'static Encoding>>,
}

impl Meta {
    fn take(&mut self, name: &[u8], value: &[u8]) {
        // The first of several attributes of a name counts; beyond a few nobody means anything.
        if self.seen.len() > 32 || self.seen.iter().any(|seen| seen == name) {
            return;
        }
        self.seen.push(name.to_vec());
        match name {
            b"http-equiv" => self.pragma |= value == b"content-type",
            b"content" if self.charset.is_none() => {
                if let Some(encoding) = from_content(value) {
                    (self.charset, self.needs_pragma) = (Some(Some(encoding)), Some(true));
                }
            }
            b"charset" => {
                let value = decode_attribute(std::str::from_utf8(value).unwrap_or_default());
                (self.charset, self.needs_pragma) =
                    (Some(Encoding::for_label(value.as_bytes())), Some(false));
            }
            _ => {}
        }
    }

    fn encoding(&self) -> Option<&'static Encoding> {
        if self.needs_pragma? && !self.pragma {
            return None;
        }
        let encoding = self.charset??;
        if encoding == X_USER_DEFINED { Some(WINDOWS_1252) } else { ascii_readable(encoding) }
    }
}

/// The encoding in a `content` such as `text/html; charset=utf-8`.
///
/// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements>
fn from_content(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        let at = memmem::find(rest, b"charset")?;
        rest = rest.get(at + 7..)?.trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let label = match value.first()? {
            quote @ (b'"' | b'\'') => {
                let inside = value.get(1..)?;
                inside.get(..memchr::memchr(*quote, inside)?)?
            }
            _ => {
                let end =
                    value.iter().position(|byte| is_blank(*byte) || *byte == b';').unwrap_or(value.len());
                value.get(..end)?
            }
        };
        return Encoding::for_label(label);
    }
}

/// The attributes of a tag, up to its bracket, as written.
///
/// <https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing>
struct Attributes<'a> {
    rest: &'a [u8],
}

impl<'a> Attributes<'a> {
    fn skip(&mut self, skips: impl Fn(u8) -> bool) {
        let end = self.rest.iter().position(|byte| !skips(*byte)).unwrap_or(self.rest.len());
        self.rest = self.rest.get(end..).unwrap_or_default();
    }

    /// Takes what stands before the first such byte behind `from`.
    fn take(&mut self, from: usize, ends: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().skip(from).position(|byte| ends(*byte));
        self.split(end.map_or(self.rest.len(), |length| from + length))
    }

    fn split(&mut self, end: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, &[]));
        self.rest = rest;
        taken
    }

    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        self.skip(|byte| is_blank(byte) || byte == b'/');
        if matches!(self.rest.first(), None | Some(b'>')) {
            return None;
        }
        // An equals sign at the front belongs to the name.
        let from = usize::from(self.rest.first() == Some(&b'='));
        let name = self.take(from, |byte| is_blank(byte) || matches!(byte, b'=' | b'/' | b'>'));
        self.skip(is_blank);
        let Some(rest) = self.rest.strip_prefix(b"=") else { return Some((name, &[])) };
        self.rest = rest;
        self.skip(is_blank);
        let value = match self.rest.split_first() {
            Some((quote @ (b'"' | b'\''), rest)) => {
                self.rest = rest;
                let value = self.split(memchr::memchr(*quote, rest).unwrap_or(rest.len()));
                self.rest = self.rest.get(1..).unwrap_or_default();
                value
            }
            _ => self.take(0, |byte| is_blank(byte) || byte == b'>'),
        };
        Some((name, value))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}
