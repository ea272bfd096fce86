//! The bytes of a sitemap, unpacked and in UTF-8, never more of them than the limits allow.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::rc::Rc;

use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use flate2::bufread::MultiGzDecoder;

use super::note::Note;
use crate::Limits;

/// Enough to see packing, byte order mark and XML declaration.
const HEAD_BYTES: usize = 1024;
const BUFFER_BYTES: usize = 16 << 10;

/// A reader of UTF-8 that says "the end" at the first fault or limit, and keeps what it was.
pub(super) struct Source<'s> {
    inner: Box<dyn BufRead + 's>,
    decoder: Decoder,
    is_done: bool,
    decoded: Box<[u8]>,
    /// How much of `decoded` holds text, and how much of that has been taken.
    filled: usize,
    taken: usize,
    is_xml: bool,
    limits: Limits,
    total: u64,
    token: Rc<Cell<usize>>,
    notes: Vec<Note>,
}

impl<'s> Source<'s> {
    pub(super) fn open(source: Box<dyn BufRead + 's>, limits: &Limits) -> Source<'s> {
        let mut notes = Vec::new();
        let (mut head, mut inner) = peek(source, &mut notes);
        for layer in 0.. {
            if !head.starts_with(b"\x1f\x8b\x08") {
                break;
            }
            if layer == limits.gzip_layers {
                notes.push(Note::TooManyLayers { limit: limits.gzip_layers });
                inner = Box::new(io::empty());
                break;
            }
            // Each layer has the limit, so that one within another does no endless work for nothing.
            let unpacked = MultiGzDecoder::new(inner).take(limits.sitemap_bytes.saturating_add(1));
            (head, inner) = peek(Box::new(BufReader::with_capacity(BUFFER_BYTES, unpacked)), &mut notes);
        }
        let encoding = encoding_of(&head);
        let decoder = encoding.new_decoder_with_bom_removal();
        let mut source = Source {
            inner,
            decoder,
            is_done: false,
            decoded: vec![0; BUFFER_BYTES].into(),
            filled: 0,
            taken: 0,
            is_xml: false,
            limits: *limits,
            total: 0,
            token: Rc::default(),
            notes,
        };
        source.is_xml = source.first_visible() == Some(b'<');
        source
    }

    /// Whether the first thing to be seen is a `<`.
    pub(super) fn is_xml(&self) -> bool {
        self.is_xml
    }

    /// Where the length of the present token is counted; whoever begins another sets it to nothing.
    pub(super) fn token(&self) -> Rc<Cell<usize>> {
        Rc::clone(&self.token)
    }

    pub(super) fn into_notes(self) -> Vec<Note> {
        self.notes
    }

    /// Whether the end came by itself.
    pub(super) fn ended_well(&self) -> bool {
        self.notes.is_empty()
    }

    /// White space before the first tag is against the rules of XML and common.
    fn first_visible(&mut self) -> Option<u8> {
        loop {
            self.refill();
            let ready = self.ready();
            let blank = ready.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let visible = ready.get(blank).copied();
            if visible.is_some() || ready.is_empty() || self.total >= self.limits.sitemap_bytes {
                self.taken += blank;
                return visible;
            }
            self.advance(blank);
        }
    }

    fn ready(&self) -> &[u8] {
        self.decoded.get(self.taken..self.filled).unwrap_or_default()
    }

    fn advance(&mut self, count: usize) {
        self.taken += count;
        self.total += count as u64;
        self.token.set(self.token.get().saturating_add(count));
    }

    fn refill(&mut self) {
        while self.ready().is_empty() && !self.is_done {
            self.taken = 0;
            let (bytes, last) = match self.inner.fill_buf() {
                Ok(bytes) => (bytes, bytes.is_empty()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.notes.push(Note::Unreadable { why: error.to_string() });
                    (&b""[..], true)
                }
            };
            let (_, read, written, _) = self.decoder.decode_to_utf8(bytes, &mut self.decoded, last);
            self.inner.consume(read);
            self.filled = written;
            self.is_done = last;
        }
    }

    fn stop(&mut self, note: Note) {
        self.notes.push(note);
        self.is_done = true;
        (self.filled, self.taken) = (0, 0);
    }
}

impl Read for Source<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Source<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.refill();
        if !self.ready().is_empty() {
            if self.total >= self.limits.sitemap_bytes {
                self.stop(Note::TooLong { limit: self.limits.sitemap_bytes });
            } else if self.token.get() >= self.limits.token_bytes {
                self.stop(Note::TokenTooLong { limit: self.limits.token_bytes });
            }
        }
        // Never beyond a limit, so that it is met at the same byte however large the pieces are.
        let total_left = self.limits.sitemap_bytes.saturating_sub(self.total);
        let token_left = self.limits.token_bytes.saturating_sub(self.token.get());
        let left = usize::try_from(total_left).unwrap_or(usize::MAX).min(token_left);
        let ready = self.ready();
        Ok(ready.get(..left).unwrap_or(ready))
    }

    fn consume(&mut self, count: usize) {
        self.advance(count);
    }
}

type Peeked<'s> = Chain<Cursor<Vec<u8>>, Box<dyn BufRead + 's>>;

/// The first bytes of a source, and the source with them still in it.
fn peek<'s>(mut source: Box<dyn BufRead + 's>, notes: &mut Vec<Note>) -> (Vec<u8>, Box<dyn BufRead + 's>) {
    let mut head = Vec::new();
    if let Err(error) = source.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head) {
        notes.push(Note::Unreadable { why: error.to_string() });
        source = Box::new(io::empty());
    }
    let whole: Peeked<'s> = Cursor::new(head.clone()).chain(source);
    (head, Box::new(whole))
}

/// By byte order mark, by the look of its first tag, by what the XML declaration says; otherwise UTF-8.
fn encoding_of(head: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return encoding;
    }
    match head {
        [b'<', 0, ..] => return UTF_16LE,
        [0, b'<', ..] => return UTF_16BE,
        _ => {}
    }
    declared(head).unwrap_or(UTF_8)
}

/// `<?xml version="1.0" encoding="iso-8859-1"?>`
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.trim_ascii_start().strip_prefix(b"<?xml")?;
    let declaration = declaration.split(|byte| *byte == b'>').next()?;
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value =
        declaration.get(at + b"encoding".len()..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let label = value.split(|byte| byte == quote).next()?;
    // It was read as ASCII, so it cannot be in UTF-16 whatever it says.
    Encoding::for_label(label).filter(|encoding| *encoding != UTF_16LE && *encoding != UTF_16BE)
}
