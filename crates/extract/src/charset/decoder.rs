//! Turns a document into UTF-8 piece by piece.

use std::borrow::Cow;

use encoding_rs::{CoderResult, Encoding, REPLACEMENT, UTF_8, WINDOWS_1252};

/// Turns a document into UTF-8 piece by piece; what is UTF-8 already is handed through.
///
/// Malformed bytes become U+FFFD. The pieces may be cut anywhere: the text is that of the whole.
pub struct Decoder {
    decoder: encoding_rs::Decoder,
    utf8: bool,
    /// Each byte is a character, and those of ASCII are what they are in UTF-8.
    bytewise: bool,
    /// Nothing has been read yet, so a byte order mark may come.
    start: bool,
    /// The decoder holds the first bytes of a character.
    open: bool,
}

impl Decoder {
    /// A decoder at the start of a document.
    #[must_use]
    pub fn new(encoding: &'static Encoding) -> Decoder {
        // Browsers show nothing of what is in one of the banned encodings; those are ASCII for the greater part, and so
        // are the addresses in them.
        let encoding = if encoding == REPLACEMENT { WINDOWS_1252 } else { encoding };
        Decoder {
            decoder: encoding.new_decoder_with_bom_removal(),
            utf8: encoding == UTF_8,
            bytewise: encoding.is_single_byte() && encoding.is_ascii_compatible(),
            start: true,
            open: false,
        }
    }

    /// The text of the next piece. The last one is told, so that a character cut off there is not lost.
    pub fn decode<'a>(&mut self, piece: &'a [u8], last: bool) -> Cow<'a, str> {
        if !self.utf8 {
            let is_same = self.bytewise && piece.is_ascii();
            let text = if is_same { simdutf8::basic::from_utf8(piece).ok() } else { None };
            return text.map_or_else(|| self.through(piece, last).into(), Cow::Borrowed);
        }
        // Only a document that begins with a mark needs the slow way for it.
        if self.start && piece.len() >= MARK.len() && !piece.starts_with(MARK) {
            self.start = false;
            // From here on a mark is a character like others.
            self.decoder = UTF_8.new_decoder_without_bom_handling();
        }
        if !self.start && !self.open {
            match simdutf8::compat::from_utf8(piece) {
                Ok(text) => return text.into(),
                Err(error) if error.error_len().is_none() && !last => {
                    let (whole, cut) = piece.split_at_checked(error.valid_up_to()).unwrap_or((piece, &[]));
                    self.open = true;
                    // The decoder keeps these few bytes and gives nothing for them yet.
                    let _ = self.through(cut, false);
                    return std::str::from_utf8(whole).unwrap_or_default().into();
                }
                Err(_) => {}
            }
        }
        // A first piece that may begin with a mark goes the slow way, and so does one that mends a cut.
        self.start &= piece.is_empty();
        self.open = ends_open(piece) || self.open && piece.len() < 3;
        self.through(piece, last).into()
    }

    fn through(&mut self, mut piece: &[u8], last: bool) -> String {
        let mut text = String::with_capacity(piece.len() + 16);
        loop {
            let (result, read, _) = self.decoder.decode_to_string(piece, &mut text, last);
            piece = piece.get(read..).unwrap_or_default();
            match result {
                CoderResult::InputEmpty => return text,
                CoderResult::OutputFull => text.reserve(piece.len() * 2 + 64),
            }
        }
    }
}

/// What UTF-8 may begin with.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether a piece may end within a character: one of its last three bytes begins one that is longer than what is left.
fn ends_open(piece: &[u8]) -> bool {
    piece.iter().rev().take(3).enumerate().any(|(behind, byte)| match byte {
        0xc0..=0xdf => behind < 1,
        0xe0..=0xef => behind < 2,
        0xf0.. => behind < 3,
        _ => false,
    })
}
