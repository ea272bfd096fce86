//! Follows chunk framing without taking it apart: where the body ends, and which bytes are its content.
//!
//! Content is what `warc::Dechunk` makes of the same bytes: where the framing breaks, all that follows is content.

use warc::{CHUNK_HEADER_BYTES_MAX, chunk_length};

/// Where in the framing the next byte stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunks {
    state: State,
    /// A chunk header that has not come whole.
    header: Vec<u8>,
    trailer_bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Header,
    Data(u64),
    DataEnd,
    /// Behind the last chunk, in a line of which so many bytes have come, carriage returns aside.
    Trailer(usize),
    Broken,
    End,
}

impl Chunks {
    /// Takes in further bytes and hands the content among them to `sink`: how many belong to the body.
    pub(super) fn feed(
        &mut self,
        bytes: &[u8],
        trailer_bytes_max: usize,
        sink: &mut impl FnMut(&[u8]),
    ) -> usize {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            match self.state {
                State::End => break,
                State::Broken => {
                    sink(rest);
                    rest = &[];
                }
                State::Data(left) => {
                    let length = usize::try_from(left).unwrap_or(usize::MAX).min(rest.len());
                    let (data, behind) = rest.split_at(length);
                    sink(data);
                    let left = left - length as u64;
                    self.state = if left == 0 { State::DataEnd } else { State::Data(left) };
                    rest = behind;
                }
                State::DataEnd if first == b'\r' => rest = rest.get(1..).unwrap_or_default(),
                State::DataEnd if first == b'\n' => {
                    rest = rest.get(1..).unwrap_or_default();
                    self.state = State::Header;
                }
                State::DataEnd => self.state = State::Broken,
                State::Header => rest = self.take_header(rest, sink),
                State::Trailer(so_far) => rest = self.take_trailer(rest, so_far, trailer_bytes_max),
            }
        }
        bytes.len() - rest.len()
    }

    fn take_header<'a>(&mut self, bytes: &'a [u8], sink: &mut impl FnMut(&[u8])) -> &'a [u8] {
        let room = CHUNK_HEADER_BYTES_MAX - self.header.len();
        let line_end = memchr::memchr(b'\n', bytes.get(..room).unwrap_or(bytes));
        let (line, rest) = bytes.split_at(line_end.map_or(bytes.len().min(room), |end| end + 1));
        self.header.extend_from_slice(line);
        let may_go_on = self.header.first().is_some_and(u8::is_ascii_hexdigit);
        if line_end.is_none() && self.header.len() < CHUNK_HEADER_BYTES_MAX && may_go_on {
            return rest;
        }
        self.state = match chunk_length(&self.header) {
            Some(0) => State::Trailer(0),
            Some(length) => State::Data(length),
            None => {
                sink(&self.header);
                State::Broken
            }
        };
        self.header.clear();
        rest
    }

    fn take_trailer<'a>(&mut self, bytes: &'a [u8], so_far: usize, most: usize) -> &'a [u8] {
        let room = most.saturating_sub(self.trailer_bytes);
        let window = bytes.get(..room).unwrap_or(bytes);
        let line_end = memchr::memchr(b'\n', window);
        let (line, rest) = bytes.split_at(line_end.map_or(window.len(), |end| end + 1));
        let found = line.iter().filter(|byte| !matches!(byte, b'\r' | b'\n')).count();
        self.trailer_bytes += line.len();
        self.state = match line_end {
            Some(_) if so_far + found == 0 => State::End,
            Some(_) => State::Trailer(0),
            // Trailers without end are cut off; the content is complete.
            None if self.trailer_bytes >= most => State::End,
            None => State::Trailer(so_far + found),
        };
        rest
    }

    /// The bytes have ended: hands out what was held back as a possible chunk header.
    pub(super) fn end(&mut self, sink: &mut impl FnMut(&[u8])) {
        if self.state == State::Header && chunk_length(&self.header).is_none() {
            sink(&self.header);
        }
        self.header.clear();
    }

    /// Whether the blank line behind the last chunk has come.
    pub(super) fn is_at_end(&self) -> bool {
        self.state == State::End
    }

    /// Whether the last chunk has come, and so all of the content.
    pub(super) fn has_all_content(&self) -> bool {
        matches!(self.state, State::End | State::Trailer(_))
    }

    /// Whether no chunk stood where one should.
    pub(super) fn is_broken(&self) -> bool {
        self.state == State::Broken
    }
}
