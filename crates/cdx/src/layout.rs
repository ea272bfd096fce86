//! CDX lines: columns between delimiters, which a header line names by letters.
//!
//! ```text
//!  CDX N b a m s k r M S V g
//! org,example)/ 20140126200624 http://example.org/ text/html 200 OSSAPWJ23L56IYVRW3GFEAR4MCJMGPTB - - 2258 334 a.warc.gz
//! ```
//!
//! The first byte of the header is the delimiter. Letters: <https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/>.

use std::borrow::Cow;

use memchr::memchr_iter;

use crate::cdxj::write_number;
use crate::error::excerpt;
use crate::{Capture, Error, Field};

/// What the columns of a CDX line are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    delimiter: u8,
    columns: Vec<Column>,
}

/// One column of a CDX line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The letter that the header has for it, or `None` where there is no such letter.
    pub letter: Option<char>,
    /// The field that the column holds.
    pub field: Field,
}

/// Letters that have a field of their own. A letter further down stands for its field only where the one above is absent:
/// `c` is a digest in files without `k`.
const LETTERS: [(char, Field); 14] = [
    ('N', Field::Key),
    ('b', Field::Timestamp),
    ('a', Field::Url),
    ('m', Field::Mime),
    ('s', Field::Status),
    ('k', Field::Digest),
    ('r', Field::Redirect),
    ('M', Field::Robots),
    ('S', Field::Length),
    ('V', Field::Offset),
    ('g', Field::Filename),
    ('A', Field::Key),
    ('c', Field::Digest),
    ('v', Field::Offset),
];

/// Letters whose field is an extra one, with the name it is kept under. All other letters are names themselves.
const NAMES: [(char, &str); 4] = [('e', "ip"), ('n', "document-length"), ('t', "title"), ('o', "port")];

impl Layout {
    /// The layout of 9 columns.
    #[must_use]
    pub fn cdx9() -> Layout {
        Layout::of_letters("NbamskrVg")
    }

    /// The layout of 11 columns.
    #[must_use]
    pub fn cdx11() -> Layout {
        Layout::of_letters("NbamskrMSVg")
    }

    /// The layout of 14 columns: [`cdx11`](Layout::cdx11), then where the payload of a revisit lies.
    #[must_use]
    pub fn cdx14() -> Layout {
        Layout::cdx11().with_original()
    }

    /// What NetarchiveSuite writes without a header: URL, IP address, time, media type, length, file, offset and, since
    /// version 5, a digest.
    #[must_use]
    pub fn netarchive(has_digest: bool) -> Layout {
        Layout::of_letters(if has_digest { "aebmngvk" } else { "aebmngv" })
    }

    /// Columns that hold these fields, such as a query asks for.
    #[must_use]
    pub fn of_fields(fields: impl IntoIterator<Item = Field>) -> Layout {
        let column = |field| {
            let letter = LETTERS.iter().find(|(_, of)| *of == field).map(|(letter, _)| *letter);
            Column { letter, field }
        };
        Layout { delimiter: b' ', columns: fields.into_iter().map(column).collect() }
    }

    /// Reads a header line. Headers that lack the delimiter before `CDX` exist and are understood.
    ///
    /// # Errors
    /// When the line is not a header.
    pub fn parse_header(line: &[u8]) -> Result<Layout, Error> {
        let bad = || Error::BadHeader(excerpt(&String::from_utf8_lossy(line)));
        let delimiter = delimiter_of_header(line).ok_or_else(bad)?;
        let text = str::from_utf8(line).map_err(|_| bad())?;
        let mut letters = String::new();
        for word in text.split(char::from(delimiter)).filter(|word| !matches!(*word, "" | "CDX")) {
            let mut chars = word.chars();
            match (chars.next(), chars.next()) {
                (Some(letter), None) => letters.push(letter),
                _ => return Err(bad()),
            }
        }
        if letters.is_empty() {
            return Err(bad());
        }
        Ok(Layout { delimiter, ..Layout::of_letters(&letters) })
    }

    /// The layout of a line without header, by its number of columns.
    #[must_use]
    pub fn guess(line: &[u8]) -> Option<Layout> {
        match memchr_iter(b' ', line).count() + 1 {
            7 => Some(Layout::netarchive(false)),
            8 => Some(Layout::netarchive(true)),
            9 => Some(Layout::cdx9()),
            11 => Some(Layout::cdx11()),
            12 => Some(Layout::cdx9().with_original()),
            14 => Some(Layout::cdx14()),
            _ => None,
        }
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The byte between columns.
    #[must_use]
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The header line, without a line end. Columns without a letter are left out, as pywb does with those of a
    /// resolved revisit.
    #[must_use]
    pub fn header(&self) -> String {
        let delimiter = char::from(self.delimiter);
        let mut header = format!("{delimiter}CDX");
        for letter in self.columns.iter().filter_map(|column| column.letter) {
            header.push(delimiter);
            header.push(letter);
        }
        header
    }

    /// Reads a line, without its line end.
    ///
    /// # Errors
    /// When the number of columns is another one, or a value is not what its field needs.
    pub fn parse<'a>(&self, line: &'a [u8]) -> Result<Capture<'a>, Error> {
        let line = crate::format::utf8(line)?;
        self.read(line).map_err(|fault| {
            // Values in the wrong column are bad values too; say the cause, not its effect.
            let found = memchr_iter(self.delimiter, line.as_bytes()).count() + 1;
            if found == self.columns.len() {
                fault
            } else {
                Error::ColumnCount { expected: self.columns.len(), found }
            }
        })
    }

    /// Appends the capture as a line of this layout, without a line end.
    pub fn write(&self, capture: &Capture<'_>, out: &mut Vec<u8>) {
        for (at, column) in self.columns.iter().enumerate() {
            if at > 0 {
                out.push(self.delimiter);
            }
            match (&column.field, capture) {
                (Field::Timestamp, Capture { timestamp: Some(timestamp), .. }) => {
                    out.extend_from_slice(&timestamp.digits());
                }
                (Field::Status, Capture { status: Some(status), .. }) => {
                    write_number(out, u64::from(*status))
                }
                (Field::Length, Capture { length: Some(number), .. })
                | (Field::Offset, Capture { offset: Some(number), .. }) => write_number(out, *number),
                (field, capture) => write_column(out, capture.text(field).as_deref(), self.delimiter),
            }
        }
    }

    fn read<'a>(&self, line: &'a str) -> Result<Capture<'a>, Error> {
        let mut capture = Capture::default();
        let mut columns = self.columns.iter();
        let mut found = 0;
        let mut rest = Some(line);
        while let Some(here) = rest {
            // The delimiter is ASCII, so it lies between characters.
            let (text, behind) = match memchr::memchr(self.delimiter, here.as_bytes()) {
                Some(at) => (here.get(..at).unwrap_or_default(), here.get(at + 1..)),
                None => (here, None),
            };
            found += 1;
            if let Some(column) = columns.next() {
                capture.set_text(&column.field, Cow::Borrowed(text))?;
            }
            rest = behind;
        }
        let expected = self.columns.len();
        if found == expected { Ok(capture) } else { Err(Error::ColumnCount { expected, found }) }
    }

    fn of_letters(letters: &str) -> Layout {
        let field = |letter: char| {
            let (at, field) =
                LETTERS.iter().enumerate().find(|(_, (of, _))| *of == letter).map(|(at, of)| (at, &of.1))?;
            let mut above = LETTERS.iter().take(at).filter(|of| of.1 == *field);
            above.all(|(better, _)| !letters.contains(*better)).then(|| field.clone())
        };
        let name = |letter: char| match NAMES.iter().find(|(of, _)| *of == letter) {
            Some((_, name)) => Field::Other((*name).into()),
            None => Field::Other(letter.to_string().into()),
        };
        let column =
            |letter| Column { letter: Some(letter), field: field(letter).unwrap_or_else(|| name(letter)) };
        Layout { delimiter: b' ', columns: letters.chars().map(column).collect() }
    }

    fn with_original(mut self) -> Layout {
        let fields = [Field::OriginalLength, Field::OriginalOffset, Field::OriginalFilename];
        self.columns.extend(fields.map(|field| Column { letter: None, field }));
        self
    }
}

/// The delimiter, if the line is a header.
pub(crate) fn delimiter_of_header(line: &[u8]) -> Option<u8> {
    let delimiter = match line.strip_prefix(b"CDX") {
        Some(behind) => *behind.first()?,
        None => {
            let (first, behind) = line.split_first()?;
            (behind.strip_prefix(b"CDX")?.first() == Some(first)).then_some(*first)?
        }
    };
    // A letter or digit cannot tell columns apart.
    (delimiter.is_ascii() && !delimiter.is_ascii_alphanumeric()).then_some(delimiter)
}

/// Appends a value, or `-` for none. Whatever would break the line apart is percent-encoded: a line that we write reads back.
pub(crate) fn write_column(out: &mut Vec<u8>, text: Option<&str>, delimiter: u8) {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        out.push(b'-');
        return;
    };
    let breaks = |byte: u8| byte.is_ascii_control() || byte == delimiter;
    if !text.bytes().any(breaks) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    for byte in text.bytes() {
        if breaks(byte) {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            out.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    #[track_caller]
    fn check(header: &str, line: &str) -> Capture<'static> {
        let layout = Layout::parse_header(header.as_bytes()).unwrap();
        assert_eq!(layout.header().trim_start(), header.trim_start());
        let capture = layout.parse(line.as_bytes()).unwrap();
        let mut out = Vec::new();
        layout.write(&capture, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), line);
        capture.into_owned()
    }

    #[test]
    fn layouts_go_both_ways() {
        let capture = check(
            " CDX N b a m s k r M S V g",
            "a)/ 20140126200624 http://a/ text/html 200 D - - 2258 334 f",
        );
        assert_eq!((capture.status, capture.length, capture.offset), (Some(200), Some(2258), Some(334)));
        assert_eq!((capture.redirect, capture.robots), (None, None));
        check(" CDX N b a m s k r V g", "a)/ 20140126200624 http://a/ warc/revisit - D http://b/ 334 f");
        let capture = check("\tCDX\tg\tV\te\ta\tb", "f\t334\t1.2.3.4\thttp://a/ b\t20140126200624");
        assert_eq!(capture.extra("ip").map(Value::as_str), Some("1.2.3.4"));
        assert_eq!(capture.url.as_deref(), Some("http://a/ b"));
    }

    #[test]
    fn older_letters_stand_in_for_newer_ones() {
        let capture = check("CDX b c v n g", "20140126200624 SUM 12 34 f");
        assert_eq!(
            (capture.digest.as_deref(), capture.offset, capture.length),
            (Some("SUM"), Some(12), None)
        );
        let capture = check(" CDX k c V v", "D SUM 12 99");
        assert_eq!((capture.digest.as_deref(), capture.offset), (Some("D"), Some(12)));
        assert_eq!(capture.extra("c").map(Value::as_str), Some("SUM"));
    }

    #[test]
    fn headers_that_are_none_are_refused() {
        for bad in ["", "CDX", " CDX", " CDXN b", "CDXA", " CDX bb a", "xCDXxa", " CDX\tb", "é CDX"] {
            assert!(Layout::parse_header(bad.as_bytes()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_line_that_is_written_reads_back() {
        let capture = Capture {
            url: Some("http://a/ b\nc\u{7f}é".into()),
            filename: Some("".into()),
            ..Capture::default()
        };
        let mut out = Vec::new();
        Layout::cdx9().write(&capture, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "- - http://a/%20b%0Ac%7Fé - - - - - -");
    }

    #[test]
    fn the_number_of_columns_must_be_right() {
        for line in ["a)/ 20140126200624", "a b"] {
            let error = Layout::cdx9().parse(line.as_bytes()).unwrap_err();
            assert!(matches!(error, Error::ColumnCount { expected: 9, found: 2 }), "{error}");
        }
    }
}
