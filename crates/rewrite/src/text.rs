//! Bytes of text that is no page: in which charset they are read.
//!
//! Style sheets, scripts and the rest are read as bytes, because whatever matters in them is ASCII, as long as no byte of
//! another character can look like it. Where one can, the text becomes UTF-8. XML always becomes UTF-8, and its `Content-Type` says so: a
//! browser then reads the same characters as we do, whatever the document declares.

use std::borrow::Cow;

use encoding_rs::{BIG5, Decoder, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8};

/// Bytes of a byte order mark.
const MARK_BYTES: usize = 3;

/// An XML declaration ends within this many bytes, or does not count.
const DECLARATION_BYTES_MAX: usize = 1024;

/// The first characters of an XML declaration.
const DECLARATION: &[u8] = b"<?xml";

/// Turns text into what can be read as bytes.
pub(crate) struct Text {
    label: Option<String>,
    is_xml: bool,
    /// The first bytes, until there are enough to see a byte order mark, and the declaration of XML.
    start: Option<Vec<u8>>,
    decoder: Option<Decoder>,
}

impl Text {
    pub(crate) fn new(label: Option<String>) -> Text {
        Text { label, is_xml: false, start: Some(Vec::new()), decoder: None }
    }

    /// The text of an XML document.
    pub(crate) fn xml(label: Option<String>) -> Text {
        Text { is_xml: true, ..Text::new(label) }
    }

    /// The encoding of the output, if it is another than that of the input.
    pub(crate) fn charset(&self) -> Option<&'static str> {
        self.decoder.is_some().then(|| UTF_8.name())
    }

    /// The bytes as they can be read; those that came first may be held back for a while.
    pub(crate) fn read<'a>(&mut self, bytes: &'a [u8], last: bool) -> Cow<'a, [u8]> {
        let Some(mut start) = self.start.take() else { return self.decode(bytes.into(), last) };
        if start.is_empty() && self.is_enough(bytes) {
            self.begin(bytes);
            return self.decode(bytes.into(), last);
        }
        start.extend_from_slice(bytes);
        if !self.is_enough(&start) && !last {
            self.start = Some(start);
            return b"".into();
        }
        self.begin(&start);
        self.decode(start.into(), last)
    }

    /// Whether these first bytes tell the encoding.
    fn is_enough(&self, start: &[u8]) -> bool {
        let declaration = start.get(..DECLARATION.len()).unwrap_or(start);
        // A declaration in UTF-16 shows by its first bytes.
        let may_declare = self.is_xml && DECLARATION.starts_with(declaration);
        let is_whole = start.len() >= DECLARATION_BYTES_MAX || memchr::memchr(b'>', start).is_some();
        let is_wide =
            self.is_xml && start.len() < 2 * DECLARATION.len() && memchr::memchr(0, start).is_some();
        start.len() >= MARK_BYTES && (is_whole || !may_declare) && !is_wide
    }

    fn begin(&mut self, start: &[u8]) {
        let label = self.label.as_deref().and_then(|label| Encoding::for_label(label.trim().as_bytes()));
        let declared = || if self.is_xml { extract::charset::declared_in_xml(start) } else { None };
        let encoding = extract::charset::mark(start).or(label).or_else(declared).unwrap_or(UTF_8);
        let mixed = [BIG5, EUC_KR, GB18030, GBK, SHIFT_JIS].contains(&encoding);
        if self.is_xml || mixed || !encoding.is_ascii_compatible() {
            self.decoder = Some(encoding.new_decoder_with_bom_removal());
        }
    }

    fn decode<'a>(&mut self, bytes: Cow<'a, [u8]>, last: bool) -> Cow<'a, [u8]> {
        let Some(decoder) = &mut self.decoder else { return bytes };
        let mut text = String::with_capacity(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(0));
        let _ = decoder.decode_to_string(&bytes, &mut text, last);
        text.into_bytes().into()
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Text").field("charset", &self.charset()).finish_non_exhaustive()
    }
}
