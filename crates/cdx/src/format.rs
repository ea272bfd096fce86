//! What kind of line a line is.

use crate::layout::delimiter_of_header;
use crate::{Capture, Error, Layout, Limits};

/// How captures stand on lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// Columns; see [`Layout`].
    Cdx(Layout),
    /// A key, a time and a JSON object.
    Cdxj,
    /// A JSON object alone, which holds key and time too.
    Json,
}

impl Format {
    /// What a line, the first of a file or any other, says about the lines of its file: a CDX header names its columns, and a
    /// line without one is told by its shape. `None` for lines that say nothing: empty ones and those of metadata (`!…`).
    ///
    /// # Errors
    /// When a header is broken, or the line has a shape that we do not know.
    pub fn detect(line: &[u8]) -> Result<Option<Format>, Error> {
        if line.is_empty() || line.starts_with(b"!") {
            return Ok(None);
        }
        if delimiter_of_header(line).is_some() {
            return Layout::parse_header(line).map(|layout| Some(Format::Cdx(layout)));
        }
        if line.starts_with(b"{") {
            return Ok(Some(Format::Json));
        }
        // OpenWayback puts the type of the record between time and object.
        let mut words = line.splitn(5, |byte| *byte == b' ');
        if words.nth(2).into_iter().chain(words.next()).any(|word| word.starts_with(b"{")) {
            return Ok(Some(Format::Cdxj));
        }
        Layout::guess(line).map(|layout| Some(Format::Cdx(layout))).ok_or(Error::UnknownFormat)
    }

    /// Reads a line, without its line end.
    ///
    /// # Errors
    /// When the line is not of this format.
    pub fn parse<'a>(&self, line: &'a [u8], limits: &Limits) -> Result<Capture<'a>, Error> {
        match self {
            Format::Cdx(layout) => layout.parse(line),
            Format::Cdxj => Capture::parse_cdxj(line, limits),
            Format::Json => Capture::parse_json(line, limits),
        }
    }

    /// Appends a capture as a line of this format, without a line end.
    pub fn write(&self, capture: &Capture<'_>, out: &mut Vec<u8>) {
        match self {
            Format::Cdx(layout) => layout.write(capture, out),
            Format::Cdxj => capture.write_cdxj(out),
            Format::Json => capture.write_json(out),
        }
    }

    /// The header line that a file of this format begins with, if it has one, without a line end.
    #[must_use]
    pub fn header(&self) -> Option<String> {
        match self {
            Format::Cdx(layout) => Some(layout.header()),
            Format::Cdxj | Format::Json => None,
        }
    }
}

/// The line as text.
pub(crate) fn utf8(line: &[u8]) -> Result<&str, Error> {
    str::from_utf8(line).map_err(|error| Error::NotUtf8 { at: error.valid_up_to() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: Option<Format>) {
        assert_eq!(Format::detect(line.as_bytes()).unwrap(), expect, "{line}");
    }

    #[test]
    fn lines_tell_their_format() {
        check("", None);
        check("!context [\"http://example.org/\"]", None);
        check("!OpenWayback-CDXJ 1.0", None);
        check(" CDX N b a m s k r M S V g", Some(Format::Cdx(Layout::cdx11())));
        check("a)/ 20140126200624 {\"url\": \"x y z\"}", Some(Format::Cdxj));
        check("(a,)/ 2015-09-03T13:27:52Z response {\"uri\": \"x\"}", Some(Format::Cdxj));
        check("{\"urlkey\": \"a\"}", Some(Format::Json));
        check("1 2 3 4 5 6 7 8 9", Some(Format::Cdx(Layout::cdx9())));
        check("1 2 3 4 5 6 7", Some(Format::Cdx(Layout::netarchive(false))));
        assert!(matches!(Format::detect(b"two words"), Err(Error::UnknownFormat)));
    }
}
