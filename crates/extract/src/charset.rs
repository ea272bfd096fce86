//! How a document's bytes are characters: byte order mark, header, declaration, detection; and the way to UTF-8.
//!
//! <https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding>

mod decoder;
mod prescan;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::mime::Mime;

pub use decoder::Decoder;

/// An encoding and how it became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    /// The encoding, by which [`Decoder`] reads.
    pub encoding: &'static Encoding,
    /// How we know.
    pub source: Source,
}

/// How an encoding became known; the earlier wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A byte order mark.
    Mark,
    /// The `charset` of a header.
    Header,
    /// A `meta` element.
    Meta,
    /// An XML declaration or a CSS `@charset`.
    Declaration,
    /// The bytes look like it.
    Detected,
    /// It must be something.
    Default,
}

impl Charset {
    /// The charset of a document of type `mime` that begins with `start`; `None` for binary ones.
    #[must_use]
    pub fn find(start: &[u8], mime: &Mime) -> Option<Charset> {
        let text = mime.is_text() || TEXTS.contains(&mime.essence());
        if !text {
            return None;
        }
        let found = |encoding: Option<&'static Encoding>, source| {
            encoding.map(|encoding| Charset { encoding, source })
        };
        let charset = found(mark(start), Source::Mark)
            .or_else(|| found(mime.charset(), Source::Header))
            .or_else(|| declared(start, mime))
            .unwrap_or_else(|| detect(start, mime.is_html()));
        Some(charset)
    }
}

/// The encoding that a byte order mark tells.
#[must_use]
pub fn mark(start: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(start).map(|(encoding, _)| encoding)
}

/// The encoding that an HTML document declares in itself, by `meta` or as XML.
#[must_use]
pub fn declared_in_html(start: &[u8]) -> Option<Charset> {
    let found = |encoding, source| Charset { encoding, source };
    prescan::meta(start)
        .map(|encoding| found(encoding, Source::Meta))
        .or_else(|| prescan::xml(start).map(|encoding| found(encoding, Source::Declaration)))
}

/// The encoding that an XML document declares in itself, or that its first bytes show.
#[must_use]
pub fn declared_in_xml(start: &[u8]) -> Option<&'static Encoding> {
    prescan::xml(start)
}

/// Text by another name than `text/`.
const TEXTS: [&str; 6] = [
    "application/dash+xml",
    "application/vnd.apple.mpegurl",
    "application/x-mpegurl",
    "audio/mpegurl",
    "audio/x-mpegurl",
    "application/x-www-form-urlencoded",
];

fn declared(start: &[u8], mime: &Mime) -> Option<Charset> {
    if mime.is_html() {
        return declared_in_html(start);
    }
    let encoding = if mime.is_xml() {
        prescan::xml(start)
    } else if mime.essence() == "text/css" {
        prescan::css(start)
    } else {
        None
    };
    encoding.map(|encoding| Charset { encoding, source: Source::Declaration })
}

/// What the bytes look like. Where they are ASCII so far, nothing tells, and the standards' defaults hold.
pub(crate) fn detect(start: &[u8], html: bool) -> Charset {
    if start.is_ascii() {
        let escapes = memchr::memchr(0x1b, start).is_some();
        if !escapes {
            let encoding = if html { WINDOWS_1252 } else { UTF_8 };
            return Charset { encoding, source: Source::Default };
        }
    } else if is_utf8_so_far(start) {
        return Charset { encoding: UTF_8, source: Source::Detected };
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    // The start may be cut in the middle of a character, so that it is not the last that is fed.
    detector.feed(start, false);
    Charset { encoding: detector.guess(None, Utf8Detection::Allow), source: Source::Detected }
}

/// UTF-8, but for a character that is cut off at the end.
fn is_utf8_so_far(start: &[u8]) -> bool {
    match simdutf8::compat::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    }
}
