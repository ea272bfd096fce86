//! The way out: a capture, with the payload of the record that holds it.

use jiff::Timestamp;
use warc::HttpHead;

/// How a payload is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// As the server sent it, chunk framing and content coding included.
    Sent,
    /// Without chunk framing.
    Unchunked,
    /// Without chunk framing and content coding.
    #[default]
    Decoded,
}

/// A capture that was found.
#[derive(Debug)]
pub struct Found {
    /// Its line of the index.
    pub row: cdx::Capture<'static>,
    /// When it was captured.
    pub at: Timestamp,
    /// The answer's head: of the capture itself where it has one.
    pub head: Option<HttpHead>,
}

/// A payload, read and checked.
#[derive(Debug)]
pub struct Payload;
