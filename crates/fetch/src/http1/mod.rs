//! Reads HTTP/1 responses from bytes as they come: no socket, no clock, no copy of the body.
//!
//! [`Reader`] is told the bytes in pieces of any size and says which of them belong to the response, where its head ends
//! and where it ends. The bytes themselves stay with the caller, who keeps them as they came. Tolerated is what browsers
//! tolerate; what was odd is told by [`Oddity`].

mod chunks;
mod framing;
mod head;
mod reader;
mod sniff;
#[cfg(test)]
mod tests;

use std::fmt;

pub use reader::{Asked, Fed, Message, Reader, Step};

/// The version that a server claims to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Version {
    /// No head at all: a document, then the end of the connection.
    Http09,
    /// `HTTP/1.0`.
    Http10,
    /// `HTTP/1.1`.
    Http11,
    /// `ICY`, as servers of audio streams say.
    Icy,
    /// Another number, or none.
    Other,
}

impl Version {
    /// As `WARC-Protocol` has it; `None` for what has no name there.
    #[must_use]
    pub fn protocol(self) -> Option<&'static str> {
        match self {
            Version::Http09 => Some("http/0.9"),
            Version::Http10 => Some("http/1.0"),
            Version::Http11 => Some("http/1.1"),
            Version::Icy | Version::Other => None,
        }
    }

    /// The version in a status line.
    fn of_line(line: &[u8]) -> Version {
        let word = line.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        if word.eq_ignore_ascii_case(b"HTTP/1.1") {
            Version::Http11
        } else if word.eq_ignore_ascii_case(b"HTTP/1.0") {
            Version::Http10
        } else if word == b"ICY" {
            Version::Icy
        } else {
            Version::Other
        }
    }
}

/// What a server did that the standard does not foresee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Oddity {
    /// Blank lines stood before the status line; so many bytes, which are not part of the response.
    BlankLinesBefore(u64),
    /// The status line has no status.
    NoStatus,
    /// Lines end in LF alone.
    BareLf,
    /// A line of the head has no colon.
    LineWithoutColon,
    /// Blanks stand between a field's name and its colon.
    BlankBeforeColon,
    /// A field's value goes on in the next line.
    FoldedField,
    /// NUL stands in the head.
    NulInHead,
    /// There is more than one `Content-Length`, and they differ.
    ConflictingLengths,
    /// `Content-Length` is no number.
    BadLength,
    /// Both a length and chunks are announced; the chunks count.
    LengthAndChunks,
    /// The chunk framing is broken; what followed was taken as it came.
    BrokenChunks,
    /// The connection ended between the last chunk and the blank line behind it.
    NoLastBlankLine,
    /// So many bytes came behind the end of the response, and are not part of it.
    Surplus(u64),
    /// The TLS connection was closed without saying so.
    NoCloseNotify,
    /// A new connection was made, because one that was kept had been closed by the server.
    Retried,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oddity::BlankLinesBefore(_) => "blank lines before the status line",
            Oddity::NoStatus => "a status line without a status",
            Oddity::BareLf => "lines that end in LF alone",
            Oddity::LineWithoutColon => "a header line without a colon",
            Oddity::BlankBeforeColon => "a blank before a header's colon",
            Oddity::FoldedField => "a header over several lines",
            Oddity::NulInHead => "NUL in the head",
            Oddity::ConflictingLengths => "several lengths that differ",
            Oddity::BadLength => "a length that is no number",
            Oddity::LengthAndChunks => "both a length and chunks",
            Oddity::BrokenChunks => "broken chunk framing",
            Oddity::NoLastBlankLine => "no blank line behind the last chunk",
            Oddity::Surplus(bytes) => return write!(f, "{bytes} bytes behind the end"),
            Oddity::NoCloseNotify => "a TLS connection closed without saying so",
            Oddity::Retried => "a kept connection that was closed, and a new one",
        })
    }
}
