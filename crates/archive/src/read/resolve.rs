//! Resolves a revisit to the record that holds its payload.
//!
//! Tried in this order: the place that its line names, the URL and time that its record names, another capture of that URL with the
//! same digest, any capture with the same digest. The record must hold a payload with that digest. A search examines a bounded number
//! of captures: a site can answer with endless revisits of a payload that it never sent.

use std::ops::ControlFlow;

use index::{Captures, Snapshot};
use jiff::Timestamp;
use warc::{Digest, RecordType};

use super::body::Body;
use super::budget::SearchBudget;
use super::places::{Places, Spot};
use crate::error::Error;
use crate::original::{Original, time_of};

/// What a revisit says of its payload.
pub(super) struct Wanted {
    url: Option<String>,
    date: Option<Timestamp>,
    digest: Option<Digest>,
    place: Option<(String, u64)>,
    length: Option<u64>,
}

impl Wanted {
    /// By a revisit's line and record.
    pub(super) fn of(row: &cdx::Capture<'_>, body: &Body) -> Wanted {
        let head = body.head();
        let named = Original::of(row).filter(|_| row.is_revisit());
        let place = named.as_ref().and_then(|named| Some((named.file.clone()?, named.offset?)));
        let length = named.as_ref().and_then(|named| named.length);
        let uri = head.refers_to_target_uri().map(|uri| uri.into_owned());
        Wanted {
            url: uri.or_else(|| named.as_ref().map(|named| named.url.clone())),
            date: head.refers_to_date().or(named.map(|named| named.date)),
            digest: head.payload_digest().and_then(Result::ok),
            place,
            length,
        }
    }

    /// The record with the payload, opened.
    ///
    /// # Errors
    /// When the index cannot be read, or the budget is used up.
    pub(super) fn find(
        &self,
        places: &Places,
        snapshot: &Snapshot,
        budget: &SearchBudget,
    ) -> Result<Option<(Original, Body)>, Error> {
        if let Some((file, offset)) = &self.place
            && let Some(found) = self.open(places, file, *offset, self.length)
        {
            return Ok(Some(found));
        }
        let key = self.url.as_deref().map(urlkey::key);
        if let (Some(key), Some(date)) = (&key, self.date)
            && let Some(row) = snapshot.nearest(key, date)?
            && self.is_named(&row)
            && let Some(found) = self.open_row(places, &row)
        {
            return Ok(Some(found));
        }
        let digest = self.digest.as_ref().map(ToString::to_string);
        let mut is_cut = false;
        if let Some(key) = &key {
            match self.find_version(places, snapshot.versions(key), digest.as_deref(), budget)? {
                ControlFlow::Break(found) => return Ok(Some(found)),
                ControlFlow::Continue(cut) => is_cut = cut,
            }
        }
        if let Some(digest) = digest
            && let Some(row) = snapshot.by_digest(&digest)?
            && let Some(found) = self.open_row(places, &row)
        {
            return Ok(Some(found));
        }
        if is_cut { Err(budget.exhausted(self.url.as_deref().unwrap_or_default())) } else { Ok(None) }
    }

    /// Another capture of the URL that holds the payload; or whether the budget ended the search.
    fn find_version(
        &self,
        places: &Places,
        versions: Captures,
        digest: Option<&str>,
        budget: &SearchBudget,
    ) -> Result<ControlFlow<(Original, Body), bool>, Error> {
        for row in versions {
            if !budget.spend_line() {
                return Ok(ControlFlow::Continue(true));
            }
            let row = row?;
            let is_same = digest.is_some() && row.digest.as_deref() == digest;
            if row.is_revisit() || !(is_same || self.is_named(&row)) {
                continue;
            }
            if !budget.spend_record() {
                return Ok(ControlFlow::Continue(true));
            }
            if let Some(found) = self.open_row(places, &row) {
                return Ok(ControlFlow::Break(found));
            }
        }
        Ok(ControlFlow::Continue(false))
    }

    fn is_named(&self, row: &cdx::Capture<'_>) -> bool {
        !row.is_revisit() && row.url.as_deref() == self.url.as_deref() && time_of(row) == self.date
    }

    fn open_row(&self, places: &Places, row: &cdx::Capture<'_>) -> Option<(Original, Body)> {
        self.open(places, row.filename.as_deref()?, row.offset?, row.length)
    }

    /// Opens a record, if it holds the payload. One that cannot be read does not.
    fn open(
        &self,
        places: &Places,
        file: &str,
        offset: u64,
        length: Option<u64>,
    ) -> Option<(Original, Body)> {
        let spot = Spot { file: file.to_owned(), offset, length };
        let body = places
            .open(&spot)
            .inspect_err(|error| tracing::warn!("{file} at byte {offset}: {error}"))
            .ok()??;
        let head = body.head();
        let holds_payload = matches!(head.record_type(), RecordType::Response | RecordType::Resource);
        let digest = head.payload_digest().and_then(Result::ok);
        if !holds_payload || (self.digest.is_some() && digest.is_some() && self.digest != digest) {
            return None;
        }
        let original = Original {
            url: head.target_uri()?.into_owned(),
            date: head.date()?,
            record_id: head.record_id().map(|id| id.into_owned()),
            file: Some(file.to_owned()),
            offset: Some(offset),
            length,
        };
        Some((original, body))
    }
}
