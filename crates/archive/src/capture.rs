//! What goes in, and what became of it.

use fetch::Exchange;
use fetch::dns::Answer;
use jiff::Timestamp;

use crate::original::Original;

/// One exchange, and what is known of it besides.
#[derive(Debug, Clone, Copy)]
pub struct Capture<'a> {
    /// Both sides' bytes.
    pub exchange: &'a Exchange,
    /// Media type of the document as it was found out, not as it was claimed; may be empty.
    pub mime: &'a str,
    /// How it was come to, a letter a step; empty for a seed.
    pub hops: &'a str,
    /// The page that led here.
    pub via: Option<&'a str>,
    /// Where it leads, for its `metadata` record.
    pub outlinks: Option<&'a [Outlink<'a>]>,
    /// The answer of the name servers, if it is to be written along.
    pub dns: Option<&'a Answer>,
}

/// A link, as Heritrix writes it down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlink<'a> {
    /// Where it leads.
    pub url: &'a str,
    /// The letter of the step.
    pub hop: char,
    /// Where it stood, such as `a/@href`.
    pub context: &'a str,
}

/// What the archive has of a URL: its newest committed capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Last {
    /// When it was captured.
    pub at: Timestamp,
    /// What the server answered; 304 where it said that nothing had changed.
    pub status: Option<u16>,
    /// Media type of the document, also where it was not stored again; may be empty.
    pub mime: String,
    /// Digest of the payload.
    pub digest: Option<String>,
    /// To ask by whether it changed; `None` where the document is not one to compare with.
    pub etag: Option<String>,
    /// To ask by whether it changed; `None` where the document is not one to compare with.
    pub last_modified: Option<String>,
    /// Whether the document was there: an answer of 2xx or 3xx, or one that said "as before".
    pub was_there: bool,
    /// The record that holds the payload.
    pub original: Original,
}

/// What became of a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// Stored with its payload.
    New,
    /// The payload was there already: a `revisit` that refers to it.
    Revisit,
    /// The server said that nothing changed: a `revisit` that refers to the last capture.
    NotModified,
    /// Was there before and answers 404 or 410 now; [`Placed::original`] tells whether that answer was stored before.
    Gone,
    /// Nothing came, so there is nothing to be found again.
    Nothing,
}

/// Where a capture lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// What became of it.
    pub outcome: Outcome,
    /// `<job>/<file>`, as it will be called in the store.
    pub file: String,
    /// Where its record begins.
    pub offset: u64,
    /// Bytes of its record.
    pub length: u64,
    /// Bytes of all its records: request, metadata and name servers' answer included.
    pub bytes: u64,
    /// Digest of its payload.
    pub digest: Option<String>,
    /// The record that holds the payload, if it is another.
    pub original: Option<Original>,
}
