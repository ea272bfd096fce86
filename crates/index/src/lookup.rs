//! Questions with one capture for an answer.

use std::cell::LazyCell;
use std::fmt;
use std::iter::Peekable;

use cdx::Capture;
use jiff::Timestamp;

use crate::captures::key_column;
use crate::manifest::Kind;
use crate::segment::{PrintCursor, Row, RowCursor, Table, Target};
use crate::snapshot::Live;
use crate::{Captures, Error, Snapshot};

impl Snapshot {
    /// The capture of a key that is nearest to a time, to the second; of two as near the earlier.
    ///
    /// # Errors
    /// When the index is damaged or cannot be read.
    pub fn nearest(&self, key: &str, at: Timestamp) -> Result<Option<Capture<'static>>, Error> {
        if self.hides() {
            return self.nearest_visible(key, at);
        }
        let key = key_column(key);
        let mut order = key.clone();
        order.extend_from_slice(urlkey::time::to_14(at).as_bytes());
        let mut best: Option<(Rank, RowCursor)> = None;
        for live in self.segments() {
            if !live.segment.may_hold(&key)? {
                continue;
            }
            for cursor in
                [at_or_after(live, &key, &order)?, before(live, &key, &order)?].into_iter().flatten()
            {
                let rank = Rank::of(live, &cursor, at);
                if best.as_ref().is_none_or(|(best, _)| rank < *best) {
                    best = Some((rank, cursor));
                }
            }
        }
        let Some((_, cursor)) = best else { return Ok(None) };
        let Some(row) = cursor.row() else { return Ok(None) };
        cursor.segment().capture(&row, || cursor.offset()).map(Some)
    }

    /// The same where rows may hide others: the first of two streams, one each way.
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

    /// The captures of a key, the nearest to a time first; of two as near the earlier.
    ///
    /// Streams: each call reads a capture of either side at most.
    #[must_use]
    pub fn closest(&self, key: &str, at: cdx::Timestamp) -> Closest {
        Closest {
            at: at.seconds(),
            after: self.versions_from(key, at).peekable(),
            before: self.versions_before(key, at).peekable(),
        }
    }

    /// The newest capture of exactly this URL.
    ///
    /// # Errors
    /// When the index is damaged or cannot be read.
    pub fn latest(&self, url: &str) -> Result<Option<Capture<'static>>, Error> {
        // Most URLs that a crawl asks for are new to the archive, and need no key.
        let key = LazyCell::new(|| key_column(&urlkey::key(url)));
        self.first_print(Table::Urls, url, |capture, row| {
            capture.url.as_deref() == Some(url) && row.order.starts_with(&key)
        })
    }

    /// The first capture, by time, with this payload digest that is not a revisit. The digest is compared as it is written.
    ///
    /// # Errors
    /// When the index is damaged or cannot be read.
    pub fn by_digest(&self, digest: &str) -> Result<Option<Capture<'static>>, Error> {
        self.first_print(Table::Digests, digest, |capture, _| {
            capture.digest.as_deref() == Some(digest) && !capture.is_revisit()
        })
    }

    /// The row wanted most among those with the fingerprint of this text, and which really have it.
    fn first_print(
        &self,
        table: Table,
        text: &str,
        is_it: impl Fn(&Capture<'_>, &Row<'_>) -> bool,
    ) -> Result<Option<Capture<'static>>, Error> {
        let mut cursors = Vec::new();
        for live in self.segments() {
            let cursor = PrintCursor::seek(&live.segment, table, text)?;
            if let Some(candidate) = Candidate::of(live, cursor, table)? {
                cursors.push(candidate);
            }
        }
        // Rows are read one by one, best first: usually the first is the one.
        loop {
            let best = match table {
                Table::Urls => cursors.iter().enumerate().max_by_key(|(_, candidate)| candidate.age()),
                Table::Digests => cursors.iter().enumerate().min_by_key(|(_, candidate)| candidate.age()),
            };
            let Some(best) = best.map(|(at, _)| at) else { return Ok(None) };
            let candidate = cursors.swap_remove(best);
            if let Some(capture) = candidate.read(self, &is_it)? {
                return Ok(Some(capture));
            }
            // Another text with the same hash: rare, and the next may be the one.
            cursors.extend(candidate.next(table)?);
        }
    }
}

/// Captures of a key, the nearest to a time first.
pub struct Closest {
    at: i64,
    after: Peekable<Captures>,
    before: Peekable<Captures>,
}

impl Iterator for Closest {
    type Item = Result<Capture<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let distance = |next: Option<&Result<Capture<'static>, Error>>| match next {
            Some(Ok(capture)) => capture.timestamp.map(|time| time.seconds().abs_diff(at)),
            // An error is told before anything else.
            Some(Err(_)) => Some(0),
            None => None,
        };
        match (distance(self.before.peek()), distance(self.after.peek())) {
            (Some(before), Some(after)) if after < before => self.after.next(),
            (Some(_), _) => self.before.next(),
            (None, _) => self.after.next(),
        }
    }
}

impl fmt::Debug for Closest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Closest").finish_non_exhaustive()
    }
}

/// A fingerprint that may lead to the row wanted.
struct Candidate<'a> {
    live: &'a Live,
    cursor: PrintCursor<'a>,
    target: Target,
    commit: u64,
}

impl<'a> Candidate<'a> {
    /// The first fingerprint from here on whose commit was not withdrawn.
    fn of(live: &'a Live, mut cursor: PrintCursor<'a>, table: Table) -> Result<Option<Candidate<'a>>, Error> {
        while let Some(print) = cursor.print() {
            let target = print.target(table.wanted());
            let local = target.commit as usize;
            if live.kind(local).is_some_and(|kind| kind != Kind::Deletes) {
                let commit = live.segment.commit(local).unwrap_or_default();
                return Ok(Some(Candidate { live, cursor, target, commit }));
            }
            cursor.advance()?;
        }
        Ok(None)
    }

    fn next(mut self, table: Table) -> Result<Option<Candidate<'a>>, Error> {
        self.cursor.advance()?;
        Candidate::of(self.live, self.cursor, table)
    }

    /// Time, then the order in which commits were published, then that of rows.
    fn age(&self) -> (u64, u64, u32, u16) {
        (self.target.time, self.commit, self.target.leaf, self.target.row)
    }

    /// The row, if it is the one.
    fn read(
        &self,
        snapshot: &Snapshot,
        is_it: impl Fn(&Capture<'_>, &Row<'_>) -> bool,
    ) -> Result<Option<Capture<'static>>, Error> {
        let segment = &self.live.segment;
        let leaf = segment.leaf_of(&self.target)?;
        let Some(row) = leaf.get(usize::from(self.target.row)) else {
            return Err(
                segment.damaged(segment.offset_of(&self.target), "a fingerprint of a row that is not there")
            );
        };
        let capture = segment.capture(&row, || segment.offset_of(&self.target))?;
        let is_there = is_it(&capture, &row) && !snapshot.is_hidden(&row, self.commit, &capture)?;
        Ok(is_there.then_some(capture))
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
            Some(row) if live.has(row.commit) => return Ok(Some(cursor)),
            Some(_) => cursor.advance()?,
        }
    }
}

/// The last row of the key before this time; of several of one time the first.
fn before(live: &Live, key: &[u8], order: &[u8]) -> Result<Option<RowCursor>, Error> {
    let Some(mut cursor) = RowCursor::seek_before(&live.segment, order)? else { return Ok(None) };
    loop {
        match cursor.row() {
            Some(row) if row.order.starts_with(key) && live.has(row.commit) => {
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
