//! Takes transfer chunks apart, and survives what is not quite chunked.
//!
//! Servers announce chunks and send none, crawlers store the decoded body under the old header, captures break off in
//! the middle. So: from where no chunk header stands, the rest of the body is passed on as it is.

use std::io::{self, BufRead, Read};

/// Longest chunk header believed, extensions included.
pub const CHUNK_HEADER_BYTES_MAX: usize = 1 << 10;

/// Takes chunks apart from bytes handed in piece by piece.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dechunker {
    state: State,
    /// A chunk header that has not come whole.
    header: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// A chunk header comes next.
    #[default]
    Header,
    /// So many bytes of a chunk are left.
    Data(u64),
    /// The line break after a chunk comes next.
    DataEnd,
    /// Not chunked, or not any more: all that follows is body.
    Raw,
    /// The last chunk has been seen; trailers are no part of the body.
    End,
}

impl Dechunker {
    /// Takes in further bytes and hands the body among them to `sink`.
    pub(crate) fn feed(&mut self, mut input: &[u8], sink: &mut dyn FnMut(&[u8])) {
        while let Some(&first) = input.first() {
            match self.state {
                State::End => return,
                State::Raw => {
                    sink(input);
                    return;
                }
                State::Data(left) => {
                    let length = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
                    let (data, rest) = input.split_at(length);
                    sink(data);
                    let left = left - length as u64;
                    self.state = if left == 0 { State::DataEnd } else { State::Data(left) };
                    input = rest;
                }
                State::DataEnd => match first {
                    b'\r' => input = input.get(1..).unwrap_or_default(),
                    b'\n' => {
                        input = input.get(1..).unwrap_or_default();
                        self.state = State::Header;
                    }
                    _ => self.state = State::Raw,
                },
                State::Header => input = self.take_header(input, sink),
            }
        }
    }

    fn take_header<'a>(&mut self, input: &'a [u8], sink: &mut dyn FnMut(&[u8])) -> &'a [u8] {
        let room = CHUNK_HEADER_BYTES_MAX - self.header.len();
        let line_end = memchr::memchr(b'\n', input.get(..room).unwrap_or(input));
        let (line, rest) = input.split_at(line_end.map_or(input.len().min(room), |end| end + 1));
        self.header.extend_from_slice(line);
        if line_end.is_none() && self.header.len() < CHUNK_HEADER_BYTES_MAX && could_be_header(&self.header) {
            return rest;
        }
        self.state = match chunk_length(&self.header) {
            Some(0) => State::End,
            Some(length) => State::Data(length),
            None => {
                sink(&self.header);
                State::Raw
            }
        };
        self.header.clear();
        rest
    }

    /// Hands out what was held back as a possible chunk header when the bytes ended.
    pub(crate) fn end(&mut self, sink: &mut dyn FnMut(&[u8])) {
        if self.state == State::Header && chunk_length(&self.header).is_none() {
            sink(&self.header);
        }
        self.header.clear();
        self.state = State::End;
    }
}

fn could_be_header(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(u8::is_ascii_hexdigit)
}

/// Length in a chunk's header line; blanks behind it and extensions behind a semicolon are passed over. Blanks before it
/// are not: byte by byte they look like anything else (see `could_be_header`), and the body must not depend on that.
#[must_use]
pub fn chunk_length(line: &[u8]) -> Option<u64> {
    let line = line.strip_suffix(b"\n")?;
    let number = line.split(|&byte| byte == b';').next()?.trim_ascii_end();
    if number.is_empty() || number.len() > 16 || !number.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u64::from_str_radix(std::str::from_utf8(number).ok()?, 16).ok()
}

/// The body inside a body that is said to be chunked.
#[derive(Debug)]
pub struct Dechunk<R> {
    inner: R,
    chunks: Dechunker,
    out: Vec<u8>,
    start: usize,
    ended: bool,
}

impl<R: BufRead> Dechunk<R> {
    /// Of this body.
    pub fn new(inner: R) -> Dechunk<R> {
        Dechunk { inner, chunks: Dechunker::default(), out: Vec::new(), start: 0, ended: false }
    }
}

impl<R: BufRead> BufRead for Dechunk<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.start >= self.out.len() && !self.ended {
            self.out.clear();
            self.start = 0;
            let input = self.inner.fill_buf()?;
            // A bounded piece at a time keeps the copy small, however much the source has at hand.
            let input = input.get(..64 << 10).unwrap_or(input);
            let length = input.len();
            let out = &mut self.out;
            if length == 0 {
                self.ended = true;
                self.chunks.end(&mut |bytes| out.extend_from_slice(bytes));
            } else {
                self.chunks.feed(input, &mut |bytes| out.extend_from_slice(bytes));
                self.inner.consume(length);
            }
        }
        Ok(self.out.get(self.start..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.out.len());
    }
}

impl<R: BufRead> Read for Dechunk<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let count = bytes.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(chunked: &str, body: &str) {
        let mut whole = String::new();
        Dechunk::new(chunked.as_bytes()).read_to_string(&mut whole).unwrap();
        assert_eq!(whole, body, "{chunked:?}");
        let mut pieces = Vec::new();
        let mut chunks = Dechunker::default();
        for byte in chunked.as_bytes() {
            chunks.feed(&[*byte], &mut |bytes| pieces.extend_from_slice(bytes));
        }
        chunks.end(&mut |bytes| pieces.extend_from_slice(bytes));
        assert_eq!(pieces, body.as_bytes(), "byte by byte: {chunked:?}");
    }

    #[test]
    fn chunks_are_joined() {
        check(
            "4\r\nWiki\r\n6\r\npedia \r\nE\r\nin \r\n\r\nchunks.\r\n0\r\n\r\n",
            "Wikipedia in \r\n\r\nchunks.",
        );
        check("0\r\n\r\n", "");
    }

    #[test]
    fn extensions_trailers_and_bare_lf_are_understood() {
        check("3;name=value\r\nabc\r\n0;x\r\nTrailer: 1\r\n\r\n", "abc");
        check("3\nabc\n0\n\n", "abc");
        check("00003 \r\nabc\r\n0\r\n\r\n", "abc");
    }

    #[test]
    fn what_is_not_chunked_is_passed_on() {
        check("xyz123!@#", "xyz123!@#");
        check("ABCDE", "ABCDE");
        check("ABCDEABCDEABCDEABCDE\r\n", "ABCDEABCDEABCDEABCDE\r\n");
        check("4\r\nWikiX broken", "WikiX broken");
        check("4\r\nWiki\r\n<html>", "Wiki<html>");
        check(" 4\r\nWiki", " 4\r\nWiki");
    }

    #[test]
    fn a_body_that_breaks_off_gives_what_came() {
        check("ff\r\nabc", "abc");
        check("3\r\nabc\r\n", "abc");
        check("", "");
    }
}
