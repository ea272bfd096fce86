//! What can go wrong with a line, a file of lines, or an index over them.

use std::io;

/// Why a line could not be read, or an operation on lines could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source of bytes failed.
    #[error("cannot read")]
    Read(#[source] io::Error),
    /// The place written to failed.
    #[error("cannot write")]
    Write(#[source] io::Error),
    /// Something is wrong with one line of a file; the lines after it can still be read.
    #[error("line {line}: {fault}")]
    AtLine {
        /// Number of the line, counted from 1.
        line: u64,
        /// What ails it.
        fault: Box<Error>,
    },
    /// A line is longer than the limit.
    #[error("longer than {limit} bytes")]
    LineTooLong {
        /// The limit that was passed.
        limit: usize,
    },
    /// A line that should become a capture is not UTF-8.
    #[error("not UTF-8 from byte {at} on")]
    NotUtf8 {
        /// How many bytes of the line are sound.
        at: usize,
    },
    /// Nothing tells what kind of line this is.
    #[error(
        "neither CDXJ nor a CDX line of a known number of columns, and no header says what the columns are"
    )]
    UnknownFormat,
    /// A ` CDX …` header line that cannot be understood.
    #[error("not a CDX header: `{0}`")]
    BadHeader(String),
    /// A CDX line has more or fewer columns than its header.
    #[error("{found} columns where the header has {expected}")]
    ColumnCount {
        /// Columns of the layout.
        expected: usize,
        /// Columns of the line.
        found: usize,
    },
    /// A CDXJ line without its three parts.
    #[error("a CDXJ line is a key, a time and a JSON object, with a space between them")]
    NotCdxj,
    /// The time of a capture is not a time.
    #[error("`{0}` is not a time of 14 digits")]
    BadTimestamp(String),
    /// It is no beginning of a timestamp.
    #[error("`{0}` is not a time of 1 to 14 digits")]
    BadDigits(String),
    /// A number that is not one, or too large.
    #[error("the {field} is `{value}`, which is not a number in range")]
    BadNumber {
        /// Name of the field.
        field: String,
        /// What stands there.
        value: String,
    },
    /// A value of a kind that its field cannot have, such as a list for a URL.
    #[error("the {field} is not a text or a number")]
    BadValue {
        /// Name of the field.
        field: String,
    },
    /// The JSON part of a line is broken.
    #[error("broken JSON at byte {at} of the object: {what}")]
    BadJson {
        /// Bytes of the object that are sound.
        at: usize,
        /// What was expected or found.
        what: &'static str,
    },
    /// The JSON part of a line nests deeper, or has more members, than the limits allow.
    #[error("the JSON object has more than {limit} {what}")]
    JsonTooBig {
        /// The limit that was passed.
        limit: usize,
        /// What there is too much of.
        what: &'static str,
    },
    /// A filter expression that cannot be understood.
    #[error("not a filter: `{text}`: {why}")]
    BadFilter {
        /// The expression.
        text: String,
        /// What ails it.
        why: String,
    },
    /// Two inputs of a merge have different headers, so their columns mean different things.
    #[error("input {input} has the header `{found}`, those before it `{expected}`")]
    HeadersDiffer {
        /// Number of the input, counted from 0.
        input: usize,
        /// Header of the inputs before.
        expected: String,
        /// Header of this one.
        found: String,
    },
    /// Lines that must be sorted are not.
    #[error("line {line} of input {input} sorts before the line above it")]
    OutOfOrder {
        /// Number of the input, counted from 0.
        input: usize,
        /// Number of the line, counted from 1.
        line: u64,
    },
    /// A line of a ZipNum index or location file that cannot be understood.
    #[error("not a ZipNum index line: `{0}`")]
    BadIndexLine(String),
    /// A key or time that cannot stand in a ZipNum index, whose columns are cut by tabs.
    #[error("the key or time holds a control character: `{0}`")]
    KeyWithControl(String),
    /// A block of a ZipNum file cannot be had or is damaged.
    #[error("cannot read the block at byte {offset} of part `{part}`")]
    Block {
        /// Name of the part.
        part: String,
        /// Where in the part the block begins.
        offset: u64,
        /// What the source or the decompressor said.
        source: io::Error,
    },
    /// A block of a ZipNum file is larger than the limit, packed or unpacked.
    #[error("the block at byte {offset} of part `{part}` is larger than {limit} bytes")]
    BlockTooBig {
        /// Name of the part.
        part: String,
        /// Where in the part the block begins.
        offset: u64,
        /// The limit that was passed.
        limit: u64,
    },
}

impl Error {
    /// The same fault, said of a line.
    #[must_use]
    pub fn at_line(self, line: u64) -> Error {
        Error::AtLine { line, fault: Box::new(self) }
    }

    /// Whether one line is to blame, so that the lines after it can still be read.
    #[must_use]
    pub fn is_of_line(&self) -> bool {
        matches!(self, Error::AtLine { .. })
    }
}

/// The first few characters of a text from outside, so that an error stays small.
pub(crate) fn excerpt(text: &str) -> String {
    const CHARS_MAX: usize = 80;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
