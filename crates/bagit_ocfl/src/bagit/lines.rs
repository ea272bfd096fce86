//! Lines of a text file in the encoding that the bag declares, read piece by piece.

use std::io::{self, Read};

use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE};

use crate::error::Error;
use crate::limits::Limits;

/// How the text files of a bag are encoded.
#[derive(Clone, Copy)]
pub(super) enum Coding {
    /// Each byte is a character. What browsers call by this name is another encoding.
    Latin1,
    Other(&'static Encoding),
}

impl Coding {
    pub(super) const UTF_8: Coding = Coding::Other(UTF_8);

    pub(super) fn named(label: &str) -> Option<Coding> {
        match label.to_ascii_lowercase().as_str() {
            "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "us-ascii" => Some(Coding::Latin1),
            // Without a mark in front it is big-endian: RFC 2781, 4.3. Browsers take it for the other one.
            "utf-16" => Some(Coding::Other(UTF_16BE)),
            label => Encoding::for_label_no_replacement(label.as_bytes()).map(Coding::Other),
        }
    }
}

pub(super) struct Lines<'a, R> {
    source: R,
    path: &'a str,
    decoder: Option<Decoder>,
    text: String,
    at: usize,
    is_at_end: bool,
    line_bytes: usize,
    bytes: u64,
    bytes_max: u64,
    /// The number of the line that was given last, from 1.
    pub(super) number: u64,
    /// Whether something was not in the encoding.
    pub(super) is_malformed: bool,
}

impl<'a, R: Read> Lines<'a, R> {
    pub(super) fn new(
        source: R,
        path: &'a str,
        coding: Coding,
        limits: &Limits,
        bytes_max: u64,
    ) -> Lines<'a, R> {
        let decoder = match coding {
            Coding::Latin1 => None,
            Coding::Other(encoding) => Some(encoding.new_decoder()),
        };
        Lines {
            source,
            path,
            decoder,
            text: String::new(),
            at: 0,
            is_at_end: false,
            line_bytes: limits.line_bytes,
            bytes: 0,
            bytes_max,
            number: 0,
            is_malformed: false,
        }
    }

    /// The next line, without its end, which is LF, CR or both.
    pub(super) fn next(&mut self) -> Result<Option<String>, Error> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let end = rest.find(['\n', '\r']);
            let (length, skip) = match (end, self.is_at_end) {
                (Some(end), is_at_end) => match rest.as_bytes().get(end..).unwrap_or_default() {
                    // What follows decides how long the end is.
                    [b'\r'] if !is_at_end => (None, 0),
                    [b'\r', b'\n', ..] => (Some(end), 2),
                    _ => (Some(end), 1),
                },
                (None, true) if rest.is_empty() => return Ok(None),
                (None, true) => (Some(rest.len()), 0),
                (None, false) => (None, 0),
            };
            if length.unwrap_or(rest.len()) > self.line_bytes {
                return Err(Error::Limit { what: "bytes of a line", limit: self.line_bytes as u64 });
            }
            let Some(length) = length else {
                self.fill()?;
                continue;
            };
            let line = rest.get(..length).unwrap_or_default().to_owned();
            self.at += length + skip;
            self.number += 1;
            return Ok(Some(line));
        }
    }

    /// How many bytes were read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn fill(&mut self) -> Result<(), Error> {
        self.text.drain(..self.at.min(self.text.len()));
        self.at = 0;
        let mut raw = [0; 8 << 10];
        let count = loop {
            match self.source.read(&mut raw) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other.map_err(Error::read(self.path))?,
            }
        };
        let raw = raw.get(..count).unwrap_or_default();
        self.is_at_end = raw.is_empty();
        self.bytes += raw.len() as u64;
        if self.bytes > self.bytes_max {
            return Err(Error::Limit { what: "bytes of tag files", limit: self.bytes_max });
        }
        match &mut self.decoder {
            None => self.text.extend(raw.iter().map(|byte| char::from(*byte))),
            Some(decoder) => {
                let most = decoder.max_utf8_buffer_length(raw.len()).unwrap_or(raw.len() * 4 + 16);
                self.text.reserve(most);
                let (_, _, is_malformed) = decoder.decode_to_string(raw, &mut self.text, self.is_at_end);
                self.is_malformed |= is_malformed;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(1);
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    #[track_caller]
    fn check(label: &str, bytes: &[u8], expect: &[&str], is_malformed: bool) {
        fn all<R: Read>(source: R, label: &str) -> (Vec<String>, bool) {
            let coding = Coding::named(label).unwrap();
            let mut lines = Lines::new(source, "x", coding, &Limits::default(), 1 << 20);
            let mut found = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                found.push(line);
            }
            assert_eq!(lines.number, found.len() as u64);
            (found, lines.is_malformed)
        }
        let found = all(bytes, label);
        assert_eq!(found, (expect.iter().map(|line| (*line).to_owned()).collect(), is_malformed));
        assert_eq!(all(Slow(bytes), label), found);
    }

    #[test]
    fn lines_end_in_any_way_and_encoding() {
        check("UTF-8", b"", &[], false);
        check("UTF-8", b"a\nb\r\nc\rd", &["a", "b", "c", "d"], false);
        check("utf-8", b"a\n\n\r\n", &["a", "", ""], false);
        check("UTF-8", b"\xef\xbb\xbfN\xc3\xba\n", &["N\u{fa}"], false);
        check("UTF-8", b"N\xfa\n", &["N\u{fffd}"], true);
        check("ISO-8859-1", b"N\xfa\x80\n", &["N\u{fa}\u{80}"], false);
        check("UTF-16", b"\xfe\xff\0a\0\n\0b", &["a", "b"], false);
        check("UTF-16", b"\xff\xfea\0\n\0b\0", &["a", "b"], false);
        check("UTF-16", b"\0a\0\n\0", &["a", "\u{fffd}"], true);
    }

    #[test]
    fn a_line_without_end_is_too_much() {
        let limits = Limits { line_bytes: 10, ..Limits::default() };
        let mut lines = Lines::new(&b"0123456789a"[..], "x", Coding::UTF_8, &limits, 100);
        assert!(matches!(lines.next(), Err(Error::Limit { limit: 10, .. })));
        let mut lines = Lines::new(&b"a\n"[..], "x", Coding::UTF_8, &limits, 1);
        assert!(matches!(lines.next(), Err(Error::Limit { limit: 1, .. })));
    }
}
