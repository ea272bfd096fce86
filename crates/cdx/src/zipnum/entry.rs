//! Lines of the index and of the location file.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use crate::error::excerpt;
use crate::{Capture, Error, Limits, Lines};

/// One line of the index: where a block lies and what it begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Key and time of the block's first line.
    pub begins: String,
    /// Name of the part that holds the block.
    pub part: String,
    /// Where in the part the block begins.
    pub offset: u64,
    /// Bytes of the block, packed.
    pub length: u64,
    /// Number of the block, counted from 1.
    pub number: Option<u64>,
}

impl Entry {
    /// Reads an index line: columns between tabs, or, as cdxj-indexer writes it for WACZ files, key, time and a JSON object.
    /// The latter may leave out the part, which then is `part`.
    ///
    /// # Errors
    /// When the line is not of that form.
    pub fn parse(line: &[u8], part: Option<&str>, limits: &Limits) -> Result<Entry, Error> {
        let text = crate::format::utf8(line)?;
        let bad = || Error::BadIndexLine(excerpt(text));
        if text.contains('\t') {
            return Entry::from_columns(text).ok_or_else(bad);
        }
        let capture = Capture::parse_cdxj(line, limits)?;
        let begins = text.split_once(" {").map_or(text, |(begins, _)| begins);
        let part = capture.filename.as_deref().or(part).ok_or_else(bad)?;
        Ok(Entry {
            begins: begins.to_owned(),
            part: part.to_owned(),
            offset: capture.offset.ok_or_else(bad)?,
            length: capture.length.ok_or_else(bad)?,
            number: None,
        })
    }

    /// Appends the entry as a line of columns, without a line end.
    pub fn write(&self, out: &mut Vec<u8>) {
        let Entry { begins, part, offset, length, .. } = self;
        out.extend_from_slice(format!("{begins}\t{part}\t{offset}\t{length}").as_bytes());
        if let Some(number) = self.number {
            out.extend_from_slice(format!("\t{number}").as_bytes());
        }
    }

    fn from_columns(text: &str) -> Option<Entry> {
        let mut columns = text.split('\t');
        let mut next = || columns.next();
        Some(Entry {
            begins: next()?.to_owned(),
            part: next()?.to_owned(),
            offset: next()?.parse().ok()?,
            length: next()?.parse().ok()?,
            number: match next() {
                Some(number) => Some(number.parse().ok()?),
                None => None,
            },
        })
    }
}

/// What stands before the second space of a line: all that an index tells of it.
pub(super) fn key_and_time(line: &[u8]) -> &[u8] {
    let end = memchr::memchr_iter(b' ', line).nth(1).unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

/// Where parts lie: each may have several places, to be tried one after another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Locations {
    /// Paths or URLs of each part.
    pub parts: BTreeMap<String, Vec<String>>,
}

impl Locations {
    /// Parts that a location file may name.
    const PARTS_MAX: usize = 1_000_000;

    /// Reads a location file.
    ///
    /// # Errors
    /// When it cannot be read, is not UTF-8, or names too many parts.
    pub fn read(input: impl BufRead, limits: &Limits) -> Result<Locations, Error> {
        let mut parts = BTreeMap::new();
        let mut lines = Lines::new(input, limits);
        while lines.advance()? {
            let number = lines.number();
            let text = crate::format::utf8(lines.line()).map_err(|error| error.at_line(number))?;
            if parts.len() == Locations::PARTS_MAX {
                return Err(Error::BadIndexLine(excerpt(text)).at_line(number));
            }
            let mut columns = text.split('\t');
            if let Some(part) = columns.next().filter(|part| !part.is_empty()) {
                parts.insert(part.to_owned(), columns.map(str::to_owned).collect());
            }
        }
        Ok(Locations { parts })
    }

    /// The places of a part.
    #[must_use]
    pub fn of(&self, part: &str) -> &[String] {
        self.parts.get(part).map_or(&[], Vec::as_slice)
    }

    /// Writes a location file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_to(&self, mut output: impl Write) -> Result<(), Error> {
        for (part, paths) in &self.parts {
            let paths: String = paths.iter().map(|path| format!("\t{path}")).collect();
            writeln!(output, "{part}{paths}").map_err(Error::Write)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_lines_go_both_ways() {
        for line in ["org,iana)/ 20140127171238\tzipnum\t275\t328\t2", "a)/ 2014\tcdx-00000.gz\t0\t9"] {
            let entry = Entry::parse(line.as_bytes(), None, &Limits::default()).unwrap();
            let mut out = Vec::new();
            entry.write(&mut out);
            assert_eq!(out, line.as_bytes());
        }
    }

    #[test]
    fn index_lines_of_wacz_files_are_read() {
        let line = br#"com,example)/ 20201007212236 {"offset": 7, "length": 194, "digest": "sha256:00"}"#;
        let entry = Entry::parse(line, Some("index.cdx.gz"), &Limits::default()).unwrap();
        assert_eq!(
            (entry.begins.as_str(), entry.offset, entry.length),
            ("com,example)/ 20201007212236", 7, 194)
        );
        assert_eq!(entry.part, "index.cdx.gz");
        assert!(Entry::parse(line, None, &Limits::default()).is_err());
    }

    #[test]
    fn locations_go_both_ways() {
        let text = "bar\tinvalid\nfoo2\nzipnum\tone\ttwo\n";
        let locations = Locations::read(text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(locations.of("zipnum"), ["one", "two"]);
        assert!(locations.of("foo2").is_empty() && locations.of("none").is_empty());
        let mut out = Vec::new();
        locations.write_to(&mut out).unwrap();
        assert_eq!(out, text.as_bytes());
    }

    #[test]
    fn broken_index_lines_are_refused() {
        for bad in ["", "a\tb", "a\tb\tc\td", "a\tb\t1\t2\tx", "a\tb\t-1\t2"] {
            assert!(Entry::parse(bad.as_bytes(), None, &Limits::default()).is_err(), "{bad}");
        }
    }
}
