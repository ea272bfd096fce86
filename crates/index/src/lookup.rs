//! Questions with one capture for an answer.

use std::cell::LazyCell;

use cdx::Capture;
use jiff::Timestamp;

use crate::captures::{bounds, key_column};
use crate::segment::{DigestCursor, PrintCursor, Row, RowCursor, Spotted, Table};
use crate::snapshot::Live;
use crate::{Error, Snapshot};

impl Snapshot {
    /// The capture of a key that is nearest to a time, to the second; of two as near the earlier.
    ///
    /// # Errors
    /// When the index is damaged or cannot be read.
    pub fn nearest(&self, key: &str, at: Timestamp) -> Result<Option<Capture<'static>>, Error> {
        let asked = key;
        let key = key_column(key);
        let mut order = key.clone();
        order.extend_from_slice(urlkey::time::to_14(at).as_bytes());
        let mut best: Option<(Rank, RowCursor)> = None;
        for live in self.segments() {
            if !live.segment.may_hold(&key)? {
                continue;
            }
            let mut consider = |cursor: Option<RowCursor>| {
                let Some(cursor) = cursor else { return };
                let rank = Rank::of(live, &cursor, at);
                if best.as_ref().is_none_or(|(best, _)| rank < *best) {
                    best = Some((rank, cursor));
                }
            };
            let after = at_or_after(live, &key, &order)?;
            let is_exact =
                after.as_ref().and_then(RowCursor::row).is_some_and(|row| row.order == order.as_slice());
            consider(after);
            // Of what is exactly of that time none before it is as near.
            if !is_exact {
                consider(before(live, &key, &order)?);
            }
        }
        let Some((_, cursor)) = best else { return Ok(None) };
        let Some(row) = cursor.row() else { return Ok(None) };
        let capture = cursor.segment().capture(&row, || cursor.offset())?;
        let commit = cursor.segment().commit(row.commit).unwrap_or_default();
        if self.is_hidden(&row, commit, &capture)? {
            return self.nearest_visible(asked, at);
        }
        Ok(Some(capture))
    }

    /// The same where the nearest is hidden: the first of two streams, one each way.
    fn nearest_visible(&self, key: &str, at: Timestamp) -> Result<Option<Capture<'static>>, Error> {
        let Ok(time) = cdx::Timestamp::parse(&urlkey::time::to_14(at)) else { return Ok(None) };
        let distance = |capture: &Capture<'_>| {
            capture.timestamp.map_or(u64::MAX, |time| time.seconds().abs_diff(at.as_second()))
        };
        let after = self.versions_from(key, time).next().transpose()?;
        let mut before = self.versions_before(key, time);
        let Some(last) = before.next().transpose()? else { return Ok(after) };
        if after.as_ref().is_some_and(|after| distance(after) < distance(&last)) {
            return Ok(after);
        }
        // Of several of one time it is the first.
        let mut nearest = last;
        for capture in before {
            let capture = capture?;
            if capture.timestamp != nearest.timestamp {
                break;
            }
            nearest = capture;
        }
        Ok(Some(nearest))
    }

    /// The newest capture of exactly this URL.
    ///
    /// Where a key has many captures of other spellings of the URL, those that are newer are gone over.
    ///
    /// # Errors
    /// When the index is damaged or cannot be read.
    pub fn latest(&self, url: &str) -> Result<Option<Capture<'static>>, Error> {
        // Most URLs that a crawl asks for are new to the archive, and need no key.
        let key = LazyCell::new(|| bounds(&urlkey::key(url)));
        let mut best: Option<(Age, Capture<'static>)> = None;
        for live in self.segments() {
            let found = if live.segment.has_url_prints() {
                self.latest_by_print(live, url, &key.0)?
            } else if live.segment.may_hold_url(url)? {
                self.latest_by_key(live, url, &key.0, &key.1)?
            } else {
                None
            };
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.0 > best.0)
            {
                best = Some(found);
            }
        }
        Ok(best.map(|(_, capture)| capture))
    }

    /// The first capture, by time, with this payload digest that is not a revisit. The digest is compared as it is written.
    ///
    /// # Errors
    /// When the index is damaged or cannot be read.
    pub fn by_digest(&self, digest: &str) -> Result<Option<Capture<'static>>, Error> {
        let mut best: Option<(Age, Capture<'static>)> = None;
        for live in self.segments() {
            let mut cursor = DigestCursor::seek(&live.segment, digest)?;
            while let Some(spotted) = cursor.spotted() {
                let has_it = |capture: &Capture<'_>, _: &Row<'_>| {
                    capture.digest.as_deref() == Some(digest) && !capture.is_revisit()
                };
                // They come in the order of time, so the first is the earliest of its segment.
                if let Some(found) = self.spotted(live, spotted, has_it)? {
                    if best.as_ref().is_none_or(|best| found.0 < best.0) {
                        best = Some(found);
                    }
                    break;
                }
                cursor.advance()?;
            }
        }
        Ok(best.map(|(_, capture)| capture))
    }

    /// The newest row of a URL in a segment of version 1, which has fingerprints of URLs.
    fn latest_by_print(
        &self,
        live: &Live,
        url: &str,
        key: &[u8],
    ) -> Result<Option<(Age, Capture<'static>)>, Error> {
        let mut cursor = PrintCursor::seek(&live.segment, Table::Urls, url)?;
        while let Some(print) = cursor.print() {
            let target = print.target(Table::Urls.wanted());
            let spotted = Spotted { leaf: target.leaf, row: target.row };
            let is_it = |capture: &Capture<'_>, row: &Row<'_>| {
                capture.url.as_deref() == Some(url) && row.order.starts_with(key)
            };
            if let Some(found) = self.spotted(live, spotted, is_it)? {
                return Ok(Some(found));
            }
            cursor.advance()?;
        }
        Ok(None)
    }

    /// The newest row of a URL, by going back from the last of its key.
    fn latest_by_key(
        &self,
        live: &Live,
        url: &str,
        key: &[u8],
        end: &[u8],
    ) -> Result<Option<(Age, Capture<'static>)>, Error> {
        let Some(mut cursor) = RowCursor::seek_before(&live.segment, end)? else { return Ok(None) };
        while let Some(row) = cursor.row().filter(|row| row.order.starts_with(key)) {
            if live.shows(row.commit) {
                let capture = live.segment.capture(&row, || cursor.offset())?;
                let commit = live.segment.commit(row.commit).unwrap_or_default();
                if capture.url.as_deref() == Some(url) && !self.is_hidden(&row, commit, &capture)? {
                    return Ok(Some((Age::of(&row, commit), capture)));
                }
            }
            cursor.retreat_out()?;
        }
        Ok(None)
    }

    /// The row at a place, if it counts and is the one.
    fn spotted(
        &self,
        live: &Live,
        spotted: Spotted,
        is_it: impl Fn(&Capture<'_>, &Row<'_>) -> bool,
    ) -> Result<Option<(Age, Capture<'static>)>, Error> {
        let segment = &live.segment;
        let leaf = segment.leaf_of(spotted.leaf)?;
        let Some(row) = leaf.get(usize::from(spotted.row)) else {
            let what = "a fingerprint of a row that is not there";
            return Err(segment.damaged(segment.offset_of(spotted.leaf), what));
        };
        if !live.shows(row.commit) {
            return Ok(None);
        }
        let capture = segment.capture(&row, || segment.offset_of(spotted.leaf))?;
        let commit = segment.commit(row.commit).unwrap_or_default();
        let is_there = is_it(&capture, &row) && !self.is_hidden(&row, commit, &capture)?;
        Ok(is_there.then(|| (Age::of(&row, commit), capture)))
    }
}

/// What says which of two rows is older: the time, then the order in which commits were published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Age {
    time: Option<cdx::Timestamp>,
    commit: u64,
}

impl Age {
    fn of(row: &Row<'_>, commit: u64) -> Age {
        Age { time: row.time(), commit }
    }
}

/// How near a row is, and which of two as near comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    distance: u64,
    time: Option<cdx::Timestamp>,
    commit: u64,
}

impl Rank {
    fn of(live: &Live, cursor: &RowCursor, at: Timestamp) -> Rank {
        let row = cursor.row();
        let time = row.and_then(|row| row.time());
        let distance = time.map_or(u64::MAX, |time| time.seconds().abs_diff(at.as_second()));
        let commit = row.and_then(|row| live.segment.commit(row.commit)).unwrap_or(u64::MAX);
        Rank { distance, time, commit }
    }
}

/// The first row of the key from this time on.
fn at_or_after(live: &Live, key: &[u8], order: &[u8]) -> Result<Option<RowCursor>, Error> {
    let mut cursor = RowCursor::seek(&live.segment, order)?;
    loop {
        match cursor.row() {
            Some(row) if !row.order.starts_with(key) => return Ok(None),
            None => return Ok(None),
            Some(row) if live.shows(row.commit) => return Ok(Some(cursor)),
            Some(_) => cursor.advance()?,
        }
    }
}

/// The last row of the key before this time; of several of one time the first.
fn before(live: &Live, key: &[u8], order: &[u8]) -> Result<Option<RowCursor>, Error> {
    let Some(mut cursor) = RowCursor::seek_before(&live.segment, order)? else { return Ok(None) };
    loop {
        match cursor.row() {
            Some(row) if row.order.starts_with(key) && live.shows(row.commit) => {
                let order = row.order.to_vec();
                return at_or_after(live, key, &order);
            }
            Some(row) if row.order.starts_with(key) => {
                if !cursor.retreat()? {
                    return Ok(None);
                }
            }
            _ => return Ok(None),
        }
    }
}
