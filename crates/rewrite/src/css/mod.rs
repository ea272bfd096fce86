//! Style sheets: `url()`, `@import`, `image-set()`, and the filters of old Internet Explorers.
//!
//! Read token by token, piece by piece. An address is held until it is whole; one that is longer than the limit, as pictures
//! in `data:` are, passes.

mod value;

use memchr::{memchr, memchr3};

use crate::{Limits, Modifier, Place};

/// A style sheet that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Stream {
    mode: Mode,
    /// The next string is a style sheet.
    is_import: bool,
    /// Parentheses that are open inside of a function whose strings are addresses.
    set_depth: Option<usize>,
    ahead_max: usize,
    /// What cannot be decided yet.
    held: Vec<u8>,
}

/// Inside of what the next byte is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Code,
    Comment,
    Text(u8),
    /// An address without quotes that passes.
    Address,
    /// A rule without addresses, to its end.
    Rule,
}

/// Not enough bytes to decide.
struct More;

struct Piece<'a> {
    css: &'a [u8],
    at: usize,
    from: usize,
    last: bool,
    place: &'a Place,
    out: &'a mut Vec<u8>,
}

impl<'a> Piece<'a> {
    fn rest(&self, behind: usize) -> &'a [u8] {
        self.css.get(self.at + behind..).unwrap_or_default()
    }

    /// A byte ahead; zero behind the end of the sheet.
    fn ahead(&self, behind: usize) -> Result<u8, More> {
        match self.css.get(self.at + behind) {
            Some(byte) => Ok(*byte),
            None if self.last => Ok(0),
            None => Err(More),
        }
    }

    fn put(&mut self, start: usize, end: usize, text: &str) {
        self.out.extend_from_slice(self.css.get(self.from..start).unwrap_or_default());
        self.out.extend_from_slice(text.as_bytes());
        self.from = end;
    }
}

impl Stream {
    pub(crate) fn new(limits: &Limits) -> Stream {
        Stream {
            mode: Mode::Code,
            is_import: false,
            set_depth: None,
            ahead_max: limits.value_bytes_max.max(64),
            held: Vec::new(),
        }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8], place: &Place, out: &mut Vec<u8>) {
        self.run(bytes, false, place, out);
    }

    pub(crate) fn finish(&mut self, place: &Place, out: &mut Vec<u8>) {
        self.run(b"", true, place, out);
    }

    fn run(&mut self, bytes: &[u8], last: bool, place: &Place, out: &mut Vec<u8>) {
        if self.held.is_empty() {
            let read = self.scan(bytes, last, place, out);
            self.held.extend_from_slice(bytes.get(read..).unwrap_or_default());
        } else {
            self.held.extend_from_slice(bytes);
            let held = std::mem::take(&mut self.held);
            let read = self.scan(&held, last, place, out);
            self.held = held;
            self.held.drain(..read.min(self.held.len()));
        }
    }

    fn scan(&mut self, css: &[u8], last: bool, place: &Place, out: &mut Vec<u8>) -> usize {
        let mut piece = Piece { css, at: 0, from: 0, last, place, out };
        while piece.at < css.len() {
            let step = match self.mode {
                Mode::Code => self.code(&mut piece),
                Mode::Comment => self.comment(&mut piece),
                Mode::Text(quote) => self.text(&mut piece, quote),
                Mode::Address => self.until(&mut piece, b')'),
                Mode::Rule => self.until(&mut piece, b';'),
            };
            if step.is_err() {
                break;
            }
        }
        let end = piece.at.min(css.len());
        piece.put(end, end, "");
        end
    }

    fn code(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let byte = piece.ahead(0)?;
        match byte {
            b'/' if piece.ahead(1)? == b'*' => {
                self.mode = Mode::Comment;
                piece.at += 2;
            }
            b'"' | b'\'' if self.is_import || self.set_depth == Some(0) => {
                let modifier = if self.is_import { Modifier::Style } else { Modifier::Object };
                return self.quoted(piece, 0, modifier);
            }
            b'"' | b'\'' => {
                self.mode = Mode::Text(byte);
                piece.at += 1;
            }
            b'@' => return self.rule(piece),
            b'(' => {
                self.is_import = false;
                self.set_depth = self.set_depth.map(|depth| depth.saturating_add(1));
                piece.at += 1;
            }
            b')' => {
                self.set_depth = self.set_depth.and_then(|depth| depth.checked_sub(1));
                piece.at += 1;
            }
            b';' | b'{' | b'}' => {
                (self.is_import, self.set_depth) = (false, None);
                piece.at += 1;
            }
            _ if is_name(byte) => return self.name(piece),
            _ => piece.at += 1,
        }
        Ok(())
    }

    /// How many bytes the name has that stands here.
    fn name_length(&self, piece: &Piece<'_>, from: usize) -> Result<usize, More> {
        let mut length = 0;
        while length < self.ahead_max {
            match piece.ahead(from + length)? {
                b'\\' if piece.ahead(from + length + 1)? != 0 => length += 2,
                byte if is_name(byte) => length += 1,
                _ => break,
            }
        }
        Ok(length)
    }

    fn rule(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let length = self.name_length(piece, 1)?;
        let name = piece.rest(1).get(..length).unwrap_or_default();
        self.is_import = name.eq_ignore_ascii_case(b"import");
        // Names of namespaces look like addresses and are none.
        if name.eq_ignore_ascii_case(b"namespace") {
            self.mode = Mode::Rule;
        }
        piece.at += 1 + length;
        Ok(())
    }

    fn name(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let length = self.name_length(piece, 0)?.max(1);
        let is_function = piece.ahead(length)? == b'(';
        let name = piece.rest(0).get(..length).unwrap_or_default();
        if !is_function {
            self.is_import = false;
            piece.at += length;
            return Ok(());
        }
        let name = value::unescape(&String::from_utf8_lossy(name)).to_ascii_lowercase();
        match name.as_str() {
            "url" | "src" => return self.url(piece, length + 1),
            "image-set" | "-webkit-image-set" => self.set_depth = Some(0),
            // Internet Explorer's way to transparent pictures ends in this name.
            "alphaimageloader" => self.set_depth = Some(0),
            _ => {
                self.is_import = false;
                self.set_depth = self.set_depth.map(|depth| depth.saturating_add(1));
            }
        }
        piece.at += length + 1;
        Ok(())
    }

    /// `url(`, whose inside begins so many bytes ahead.
    fn url(&mut self, piece: &mut Piece<'_>, inside: usize) -> Result<(), More> {
        let mut start = inside;
        while start < self.ahead_max && piece.ahead(start)?.is_ascii_whitespace() {
            start += 1;
        }
        let modifier = if self.is_import { Modifier::Style } else { Modifier::Object };
        self.set_depth = self.set_depth.map(|depth| depth.saturating_add(1));
        let step = match piece.ahead(start)? {
            b'"' | b'\'' => self.quoted(piece, start, modifier),
            _ => self.unquoted(piece, start, modifier),
        };
        if step.is_err() {
            // It is all read again.
            self.set_depth = self.set_depth.map(|depth| depth.saturating_sub(1));
        }
        step
    }

    /// A string that is an address.
    fn quoted(&mut self, piece: &mut Piece<'_>, start: usize, modifier: Modifier) -> Result<(), More> {
        let quote = piece.ahead(start)?;
        if !value::is_data(piece, start + 1)? {
            let mut end = start + 1;
            while end - start < self.ahead_max {
                match piece.ahead(end)? {
                    byte if byte == quote => {
                        let (from, to) = (piece.at + start + 1, piece.at + end);
                        value::replace(piece, from, to, Some(quote), modifier);
                        self.is_import = false;
                        piece.at = to + 1;
                        return Ok(());
                    }
                    // The end of the sheet closes it; a line break breaks it.
                    0 | b'\n' => break,
                    b'\\' => end += 2,
                    _ => end += 1,
                }
            }
        }
        self.is_import = false;
        self.mode = Mode::Text(quote);
        piece.at += start + 1;
        Ok(())
    }

    /// An address without quotes.
    fn unquoted(&mut self, piece: &mut Piece<'_>, start: usize, modifier: Modifier) -> Result<(), More> {
        if !value::is_data(piece, start)? {
            let mut end = start;
            while end - start < self.ahead_max {
                match piece.ahead(end)? {
                    b')' | 0 => {
                        let (from, to) = (piece.at + start, piece.at + end);
                        value::replace(piece, from, to, None, modifier);
                        self.is_import = false;
                        // The parenthesis is read as one, because it may be inside of others.
                        piece.at = to;
                        return Ok(());
                    }
                    b'\\' => end += 2,
                    _ => end += 1,
                }
            }
        }
        self.is_import = false;
        self.mode = Mode::Address;
        piece.at += start;
        Ok(())
    }

    fn comment(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        match memchr(b'*', piece.rest(0)) {
            Some(found) => {
                piece.at += found;
                if piece.ahead(1)? == b'/' {
                    self.mode = Mode::Code;
                    piece.at += 1;
                }
                piece.at += 1;
            }
            None => piece.at = piece.css.len(),
        }
        Ok(())
    }

    fn text(&mut self, piece: &mut Piece<'_>, quote: u8) -> Result<(), More> {
        let rest = piece.rest(0);
        let Some(found) = memchr3(quote, b'\\', b'\n', rest) else {
            piece.at = piece.css.len();
            return Ok(());
        };
        piece.at += found;
        if rest.get(found) == Some(&b'\\') {
            let is_break = piece.ahead(1)? == b'\r' && piece.ahead(2)? == b'\n';
            piece.at += if is_break { 3 } else { 2 };
        } else {
            self.mode = Mode::Code;
            piece.at += 1;
        }
        Ok(())
    }

    fn until(&mut self, piece: &mut Piece<'_>, end: u8) -> Result<(), More> {
        match memchr(end, piece.rest(0)) {
            Some(found) => {
                self.mode = Mode::Code;
                piece.at += found;
            }
            None => piece.at = piece.css.len(),
        }
        Ok(())
    }
}

/// Names are letters, digits, hyphens, and anything that is not ASCII; an escape belongs to them too.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'\\' | 0x80..)
}

/// The value of a `style` attribute; nothing if it stays.
pub(crate) fn rewrite_str(css: &str, place: &Place) -> Option<String> {
    // Only functions and rules have addresses.
    memchr(b'(', css.as_bytes())?;
    let mut stream = Stream::new(&Limits::default());
    let mut out = Vec::with_capacity(css.len() + 64);
    stream.feed(css.as_bytes(), place, &mut out);
    stream.finish(place, &mut out);
    String::from_utf8(out).ok().filter(|out| out != css)
}

#[cfg(test)]
mod tests;
