//! A capture that was found.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use warc::HttpHead;

use super::body::Body;
use super::payload::{Form, Payload};
use super::places::{Places, Spot};
use crate::error::Error;
use crate::original::Original;

/// A capture that was found, and a way to its payload.
pub struct Found {
    /// Its line of the index.
    pub row: cdx::Capture<'static>,
    /// The URL that was asked for then.
    pub url: String,
    /// When it was captured.
    pub at: Timestamp,
    /// The answer's head. Of a revisit its own; where the server only said "as before", that of the record with the payload. `None`
    /// for what is no HTTP.
    pub head: Option<HttpHead>,
    /// The record that holds the payload, if it is another.
    pub original: Option<Original>,
    /// Media type of the document as it was found out; may be empty.
    pub mime: String,
    pub(super) source: Source,
}

/// Where a payload is to be had.
pub(super) struct Source {
    pub(super) places: Places,
    pub(super) spot: Spot,
    pub(super) limit: u64,
    /// Opened already, for whoever reads it first.
    pub(super) opened: Mutex<Option<Body>>,
}

impl Found {
    /// The payload, from its start; as often as it is wanted.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn payload(&self, form: Form) -> Result<Payload, Error> {
        let source = &self.source;
        let opened = source.opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        let body = match opened {
            Some(body) => body,
            None => {
                let missing = || store::Error::Missing(source.spot.file.clone());
                source.places.open(&source.spot)?.ok_or_else(missing)?
            }
        };
        Payload::new(body, self.head.as_ref(), form, source.limit)
            .map_err(|error| Error::Record(warc::Error::Read { offset: source.spot.offset, source: error }))
    }

    /// The status to show it with.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.head.as_ref().and_then(HttpHead::status)
    }

    /// Whether it was stored by reference to another record.
    #[must_use]
    pub fn is_revisit(&self) -> bool {
        self.original.is_some()
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found").field("url", &self.url).field("at", &self.at).finish_non_exhaustive()
    }
}
