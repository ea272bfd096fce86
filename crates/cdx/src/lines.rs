//! Takes lines from any buffered source, none longer than a limit, without copying where it can be helped.
//!
//! A line that lies whole in the source's buffer is handed out from there. A line that is too long is passed over to its
//! end, so that reading can go on behind it.

use std::io::{self, BufRead};

use memchr::memchr;

use crate::{Error, Limits};

/// Lines of a source, one after another, without their line ends (`\n` or `\r\n`).
///
/// Not an `Iterator`, because each line is borrowed: call [`advance`](Lines::advance), then [`line`](Lines::line).
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    /// Holds a line that reached over the end of the source's buffer.
    carry: Vec<u8>,
    here: Here,
    number: u64,
    line_bytes_max: usize,
}

/// Where the current line lies.
#[derive(Debug, Clone, Copy)]
enum Here {
    /// There is none: before the first line and after an error.
    Nowhere,
    /// In `carry`.
    Carry,
    /// In the buffer of the source, of which `taken` bytes are to be consumed afterwards.
    Buffer { line: usize, taken: usize },
}

impl<R: BufRead> Lines<R> {
    /// Lines of this source.
    pub fn new(input: R, limits: &Limits) -> Lines<R> {
        Lines { input, carry: Vec::new(), here: Here::Nowhere, number: 0, line_bytes_max: limits.line_bytes }
    }

    /// Goes to the next line; `false` at the end of the source.
    ///
    /// # Errors
    /// When the source fails, or the line is too long ([`Error::AtLine`]: the next call goes on behind it).
    pub fn advance(&mut self) -> Result<bool, Error> {
        if let Here::Buffer { taken, .. } = self.here {
            self.input.consume(taken);
        }
        self.here = Here::Nowhere;
        self.carry.clear();
        loop {
            let buffer = fill(&mut self.input)?;
            if buffer.is_empty() {
                return Ok(self.end_of_source());
            }
            let Some(end) = memchr(b'\n', buffer) else {
                let taken = buffer.len();
                if self.carry.len() + taken > self.line_bytes_max {
                    return self.pass_over();
                }
                self.carry.extend_from_slice(buffer);
                self.input.consume(taken);
                continue;
            };
            if self.carry.len() + end > self.line_bytes_max {
                return self.pass_over();
            }
            self.number += 1;
            if self.carry.is_empty() {
                self.here = Here::Buffer { line: end, taken: end + 1 };
            } else {
                self.carry.extend_from_slice(buffer.get(..end).unwrap_or_default());
                self.input.consume(end + 1);
                self.here = Here::Carry;
            }
            return Ok(true);
        }
    }

    /// The current line. Empty before the first call of [`advance`](Lines::advance) and where that failed.
    pub fn line(&mut self) -> &[u8] {
        let line = match self.here {
            Here::Nowhere => &[],
            Here::Carry => self.carry.as_slice(),
            // The bytes are in the buffer already, so asking for them again neither reads nor fails.
            Here::Buffer { line, .. } => {
                self.input.fill_buf().ok().and_then(|buffer| buffer.get(..line)).unwrap_or_default()
            }
        };
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Number of the current line, counted from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    fn end_of_source(&mut self) -> bool {
        let is_line = !self.carry.is_empty();
        if is_line {
            self.number += 1;
            self.here = Here::Carry;
        }
        is_line
    }

    fn pass_over(&mut self) -> Result<bool, Error> {
        self.carry.clear();
        self.number += 1;
        loop {
            let buffer = fill(&mut self.input)?;
            let end = memchr(b'\n', buffer);
            let taken = end.map_or(buffer.len(), |end| end + 1);
            let is_over = end.is_some() || buffer.is_empty();
            self.input.consume(taken);
            if is_over {
                return Err(Error::LineTooLong { limit: self.line_bytes_max }.at_line(self.number));
            }
        }
    }
}

/// Fills the buffer, as often as signals interrupt it.
fn fill<R: BufRead>(input: &mut R) -> Result<&[u8], Error> {
    loop {
        match input.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::Read(error)),
        }
    }
    input.fill_buf().map_err(Error::Read)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[track_caller]
    fn check(text: &[u8], line_bytes: usize, expect: &[&str]) {
        for capacity in [1, 2, 3, 7, 100] {
            let limits = Limits { line_bytes, ..Limits::default() };
            let mut lines = Lines::new(BufReader::with_capacity(capacity, text), &limits);
            let mut found = Vec::new();
            loop {
                match lines.advance() {
                    Ok(true) => found.push(String::from_utf8_lossy(lines.line()).into_owned()),
                    Ok(false) => break,
                    Err(error) => found.push(error.to_string()),
                }
            }
            assert_eq!(found, expect, "buffer of {capacity}");
        }
    }

    #[test]
    fn line_ends_of_both_kinds_are_dropped() {
        check(b"a\r\nbc\n\nlast", 10, &["a", "bc", "", "last"]);
        check(b"a\n", 10, &["a"]);
        check(b"", 10, &[]);
    }

    #[test]
    fn reading_goes_on_behind_a_line_that_is_too_long() {
        check(
            b"ok\n123456789\nfine\n12345",
            4,
            &["ok", "line 2: longer than 4 bytes", "fine", "line 4: longer than 4 bytes"],
        );
    }
}
