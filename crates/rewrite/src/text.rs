//! Bytes of text that is no page: in which charset they are read.
//!
//! Style sheets, scripts and the rest are read as bytes, because whatever matters in them is ASCII, as long as no byte of
//! another character can look like it. Where one can, the text becomes UTF-8.

use std::borrow::Cow;

use encoding_rs::{BIG5, Decoder, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8};

/// Bytes of a byte order mark.
const MARK_BYTES: usize = 3;

/// Turns text into what can be read as bytes.
pub(crate) struct Text {
    label: Option<String>,
    /// The first bytes, until there are enough to see a byte order mark.
    start: Option<Vec<u8>>,
    decoder: Option<Decoder>,
}

impl Text {
    pub(crate) fn new(label: Option<String>) -> Text {
        Text { label, start: Some(Vec::new()), decoder: None }
    }

    /// The encoding of the output, if it is another than that of the input.
    pub(crate) fn charset(&self) -> Option<&'static str> {
        self.decoder.is_some().then(|| UTF_8.name())
    }

    /// The bytes as they can be read; those that came first may be held back for a while.
    pub(crate) fn read<'a>(&mut self, bytes: &'a [u8], last: bool) -> Cow<'a, [u8]> {
        let Some(mut start) = self.start.take() else { return self.decode(bytes.into(), last) };
        if start.is_empty() && bytes.len() >= MARK_BYTES {
            self.begin(bytes);
            return self.decode(bytes.into(), last);
        }
        start.extend_from_slice(bytes);
        if start.len() < MARK_BYTES && !last {
            self.start = Some(start);
            return b"".into();
        }
        self.begin(&start);
        self.decode(start.into(), last)
    }

    fn begin(&mut self, start: &[u8]) {
        let label = self.label.as_deref().and_then(|label| Encoding::for_label(label.trim().as_bytes()));
        let encoding = extract::charset::mark(start).or(label).unwrap_or(UTF_8);
        let mixed = [BIG5, EUC_KR, GB18030, GBK, SHIFT_JIS].contains(&encoding);
        if mixed || !encoding.is_ascii_compatible() {
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
