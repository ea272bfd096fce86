//! Finding a capture by URL and time.

use std::sync::Mutex;

use index::Snapshot;
use jiff::Timestamp;
use warc::{Profile, RecordType};

use super::body::Body;
use super::budget::SearchBudget;
use super::found::{Found, Source};
use super::places::Spot;
use super::resolve::Wanted;
use crate::archive::Archive;
use crate::error::Error;
use crate::original::{Original, time_of};

impl Archive {
    /// The capture of a URL that is nearest to a time, or the newest. One whose record, or the record with its payload, cannot be
    /// had is passed over for the next nearest.
    ///
    /// # Errors
    /// When the index cannot be read, or every capture there is cannot be; [`Error::TooManyCaptures`] when too many would have to be examined.
    pub fn get(&self, url: &str, at: Option<Timestamp>) -> Result<Option<Found>, Error> {
        self.get_from(&self.snapshot()?, url, at)
    }

    /// The same from the captures of any collection.
    ///
    /// # Errors
    /// When its index cannot be read, or every capture there is cannot be.
    pub fn get_from(
        &self,
        snapshot: &Snapshot,
        url: &str,
        at: Option<Timestamp>,
    ) -> Result<Option<Found>, Error> {
        let key = urlkey::key(url);
        // Of several captures within a second the newest is found by URL alone.
        let newest = if at.is_none() { snapshot.latest(url)? } else { None };
        let at = at.unwrap_or(Timestamp::MAX);
        let nearest = match newest {
            Some(newest) => Some(newest),
            None => snapshot.nearest(&key, at)?,
        };
        let Some(nearest) = nearest else { return Ok(None) };
        let budget = SearchBudget::new(&self.limits);
        let first = match self.found_within(&nearest, snapshot, &budget) {
            Ok(Some(found)) => return Ok(Some(found)),
            other => other,
        };
        for row in self.others(snapshot, &key, at, &nearest)? {
            if let Ok(Some(found)) = self.found_within(&row, snapshot, &budget) {
                return Ok(Some(found));
            }
        }
        first
    }

    /// The capture that a line of the index is about; `None` where its payload is nowhere to be had.
    ///
    /// # Errors
    /// When its record, or the index, cannot be read; [`Error::TooManyCaptures`] when too many would have to be examined.
    pub fn found(&self, row: &cdx::Capture<'_>, snapshot: &Snapshot) -> Result<Option<Found>, Error> {
        self.found_within(row, snapshot, &SearchBudget::new(&self.limits))
    }

    fn found_within(
        &self,
        row: &cdx::Capture<'_>,
        snapshot: &Snapshot,
        budget: &SearchBudget,
    ) -> Result<Option<Found>, Error> {
        let (Some(file), Some(offset)) = (row.filename.as_deref(), row.offset) else { return Ok(None) };
        let spot = Spot { file: file.to_owned(), offset, length: row.length };
        let Some(body) = self.places.open(&spot)? else { return Ok(None) };
        let (url, at) = (row.url.as_deref().unwrap_or_default().to_owned(), time_of(row));
        let (own, is_not_modified) =
            (body.http().cloned(), body.head().profile() == Some(Profile::ServerNotModified));
        let (original, body) = if *body.head().record_type() == RecordType::Revisit {
            match self.original(&Wanted::of(row, &body), snapshot, budget)? {
                Some((original, body)) => (Some(original), body),
                None => return Ok(None),
            }
        } else {
            (None, body)
        };
        // "As before" is no head to show a document with.
        let head = own.filter(|_| !is_not_modified).or_else(|| body.http().cloned());
        let elsewhere = original.as_ref().and_then(|Original { file, offset, length, .. }| {
            Some(Spot { file: file.clone()?, offset: (*offset)?, length: *length })
        });
        let (places, spot) = (self.places.clone(), elsewhere.unwrap_or(spot));
        let source =
            Source { places, spot, limit: self.limits.payload_bytes, opened: Mutex::new(Some(body)) };
        let mime = if row.is_revisit() {
            row.extra("mime-detected").map(|value| value.as_str())
        } else {
            row.mime.as_deref()
        };
        let (row, mime) = (row.clone().into_owned(), mime.unwrap_or_default().to_owned());
        Ok(Some(Found { row, url, at: at.unwrap_or(Timestamp::MIN), head, original, mime, source }))
    }

    /// The record with the payload of a revisit: in its own collection, or else in any other.
    fn original(
        &self,
        wanted: &Wanted,
        own: &Snapshot,
        budget: &SearchBudget,
    ) -> Result<Option<(Original, Body)>, Error> {
        if let Some(found) = wanted.find(&self.places, own, budget)? {
            return Ok(Some(found));
        }
        for name in self.collections()? {
            let Some(collection) = self.collection(&name)? else { continue };
            if let Some(found) = wanted.find(&self.places, &collection.snapshot()?, budget)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The other captures of a key, nearest first: as many as may be tried. No others are read, however many there are.
    fn others(
        &self,
        snapshot: &Snapshot,
        key: &str,
        at: Timestamp,
        but: &cdx::Capture<'_>,
    ) -> Result<Vec<cdx::Capture<'static>>, Error> {
        let second = cdx::Timestamp::parse(&urlkey::time::to_14(at)).ok();
        let (earlier, later) = match second {
            Some(second) => {
                (snapshot.versions_before(key, second), Some(snapshot.versions_from(key, second)))
            }
            None => (snapshot.versions_backwards(key), None),
        };
        let (mut earlier, mut later) = (earlier.peekable(), later.into_iter().flatten().peekable());
        let mut rows = Vec::new();
        for _ in 0..=self.limits.candidates {
            let is_later = match (earlier.peek(), later.peek()) {
                (Some(Ok(one)), Some(Ok(other))) => distance(other, at) < distance(one, at),
                (earlier, _) => earlier.is_none(),
            };
            let next = if is_later { later.next() } else { earlier.next() };
            let Some(row) = next.transpose()? else { break };
            if (&row.filename, row.offset) != (&but.filename, but.offset) {
                rows.push(row);
            }
        }
        rows.truncate(self.limits.candidates);
        Ok(rows)
    }
}

/// Seconds between a capture and a time.
fn distance(row: &cdx::Capture<'_>, at: Timestamp) -> i64 {
    time_of(row).map_or(i64::MAX, |time| at.as_second().saturating_sub(time.as_second()).saturating_abs())
}
