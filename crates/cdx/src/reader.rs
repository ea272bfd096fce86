//! Reads captures from a file of lines, whatever their format, and goes on behind bad ones.

use std::io::BufRead;

use crate::{Capture, Error, Format, Limits, Lines};

/// The captures of a file.
///
/// The format is told by the header or by the first line; a header further down (files put one behind another) changes it.
/// Empty lines and lines of metadata (`!…`) are passed over. An error of a line names the line, and the next call reads on behind it.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    format: Option<Format>,
    limits: Limits,
    is_over: bool,
}

impl<R: BufRead> Reader<R> {
    /// Captures of this source, within the usual limits.
    pub fn new(input: R) -> Reader<R> {
        Reader::with_limits(input, Limits::default())
    }

    /// Captures of this source, within these limits.
    pub fn with_limits(input: R, limits: Limits) -> Reader<R> {
        Reader { lines: Lines::new(input, &limits), format: None, limits, is_over: false }
    }

    /// Captures of a source whose format is known, because its header has been read elsewhere.
    pub fn with_format(input: R, format: Format, limits: Limits) -> Reader<R> {
        Reader { format: Some(format), ..Reader::with_limits(input, limits) }
    }

    /// The format, as soon as it is known.
    pub fn format(&self) -> Option<&Format> {
        self.format.as_ref()
    }

    /// Number of the line of the last capture, counted from 1.
    pub fn line_number(&self) -> u64 {
        self.lines.number()
    }

    /// The next capture, which borrows from the line; or what ails the line. `None` at the end.
    pub fn next_capture(&mut self) -> Option<Result<Capture<'_>, Error>> {
        match self.next_line() {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        let number = self.lines.number();
        let format = self.format.as_ref()?;
        Some(format.parse(self.lines.line(), &self.limits).map_err(|error| error.at_line(number)))
    }

    /// Goes to the next line that should be a capture, with `self.format` set.
    fn next_line(&mut self) -> Result<bool, Error> {
        while !self.is_over {
            match self.lines.advance() {
                Ok(true) => {}
                Ok(false) => self.is_over = true,
                Err(error) => {
                    self.is_over = !error.is_of_line();
                    return Err(error);
                }
            }
            let number = self.lines.number();
            let line = self.lines.line();
            if line.is_empty() || line.starts_with(b"!") {
                continue;
            }
            let is_header = crate::is_header(line);
            if is_header || self.format.is_none() {
                self.format = Format::detect(line).map_err(|error| error.at_line(number))?;
            }
            if !is_header {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Capture<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_capture().map(|capture| capture.map(Capture::into_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let found: Vec<String> = Reader::new(text.as_bytes())
            .map(|capture| match capture {
                Ok(capture) => capture.key.unwrap_or_default().into_owned(),
                Err(error) => error.to_string(),
            })
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn headers_and_metadata_are_no_captures() {
        check("!meta {}\n\na)/ 20140126200624 {}\n!x\nb)/ 20140126200624 {}", &["a)/", "b)/"]);
        check(" CDX N b\na 20140126200624\n CDX b N\n20140126200624 c\n", &["a", "c"]);
        check("", &[]);
        check("\n\n", &[]);
    }

    #[test]
    fn reading_goes_on_behind_a_bad_line() {
        check(
            " CDX N b\na 2014\nb 20140126200624\nc\n",
            &["line 2: `2014` is not a time of 14 digits", "b", "line 4: 1 columns where the header has 2"],
        );
    }
}
