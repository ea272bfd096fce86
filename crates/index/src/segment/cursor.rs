//! Goes through the rows of a segment, or through the fingerprints of one hash.

use std::sync::Arc;

use super::hashes::{self, ShortHashes};
use super::pager::Keep;
use super::prints::{Print, Prints};
use super::rows::{Row, Rows};
use super::tree::{Spot, Tree};
use super::{Segment, Table};
use crate::Error;

/// A place among the rows of a segment.
#[derive(Clone)]
pub(crate) struct RowCursor {
    segment: Arc<Segment>,
    /// The leaf and its number, and which row of it; `None` behind the last.
    here: Option<(Spot, Arc<Rows>, usize)>,
}

impl RowCursor {
    /// At the first row that does not sort before this.
    pub(crate) fn seek(segment: &Arc<Segment>, order: &[u8]) -> Result<RowCursor, Error> {
        let mut cursor = RowCursor { segment: Arc::clone(segment), here: None };
        if let Some((spot, place)) = segment.rows.find(&segment.pager, order)? {
            let rows = segment.pager.rows(place, Keep::Yes)?;
            let at = rows.count_before(order);
            let is_over = at == rows.len();
            cursor.here = Some((spot, rows, at));
            if is_over {
                cursor.go_to_next_leaf(Keep::Yes)?;
            }
        }
        Ok(cursor)
    }

    /// The row here; `None` behind the last.
    pub(crate) fn row(&self) -> Option<Row<'_>> {
        self.here.as_ref().and_then(|(_, rows, at)| rows.get(*at))
    }

    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        let Some((_, rows, at)) = &mut self.here else { return Ok(()) };
        *at += 1;
        if *at < rows.len() { Ok(()) } else { self.go_to_next_leaf(Keep::No) }
    }

    /// At the row before the one that [`seek`](RowCursor::seek) would find; `None` where there is none.
    pub(crate) fn seek_before(segment: &Arc<Segment>, order: &[u8]) -> Result<Option<RowCursor>, Error> {
        let Some((spot, place)) = segment.rows.find(&segment.pager, order)? else { return Ok(None) };
        let rows = segment.pager.rows(place, Keep::Yes)?;
        let at = rows.count_before(order);
        let mut cursor = RowCursor { segment: Arc::clone(segment), here: Some((spot, rows, at)) };
        Ok(cursor.retreat()?.then_some(cursor))
    }

    /// Goes back by a row; `false` at the first, and then stays.
    pub(crate) fn retreat(&mut self) -> Result<bool, Error> {
        let Some((spot, _, at)) = &mut self.here else { return Ok(false) };
        if let Some(before) = at.checked_sub(1) {
            *at = before;
            return Ok(true);
        }
        let Some(spot) = self.segment.rows.previous(*spot) else { return Ok(false) };
        let rows = self.segment.leaf_rows(spot, Keep::Yes)?;
        let at = rows.len().saturating_sub(1);
        self.here = Some((spot, rows, at));
        Ok(true)
    }

    /// At the last row of all; `None` where there is none.
    pub(crate) fn last(segment: &Arc<Segment>) -> Result<Option<RowCursor>, Error> {
        let Some(spot) = segment.rows.last() else { return Ok(None) };
        let rows = segment.leaf_rows(spot, Keep::Yes)?;
        let at = rows.len().saturating_sub(1);
        Ok(Some(RowCursor { segment: Arc::clone(segment), here: Some((spot, rows, at)) }))
    }

    /// Goes back by a row; before the first there is none.
    pub(crate) fn retreat_out(&mut self) -> Result<(), Error> {
        if !self.retreat()? {
            self.here = None;
        }
        Ok(())
    }

    /// The segment that it goes through.
    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    /// Where the leaf begins that it stands in.
    pub(crate) fn offset(&self) -> u64 {
        let spot = self.here.as_ref().map(|(spot, ..)| *spot);
        let place = spot.and_then(|spot| self.segment.rows.place(&self.segment.pager, spot).ok().flatten());
        place.map_or(0, |place| place.at)
    }

    fn go_to_next_leaf(&mut self, keep: Keep) -> Result<(), Error> {
        let next = self.here.as_ref().and_then(|(spot, ..)| self.segment.rows.next(*spot));
        self.here = match next {
            Some(spot) => Some((spot, self.segment.leaf_rows(spot, keep)?, 0)),
            None => None,
        };
        Ok(())
    }
}

/// Where a row lies: number of the leaf, and of the row in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spotted {
    pub(crate) leaf: u32,
    pub(crate) row: u16,
}

/// Rows that may have a digest, the earliest first; of either version.
pub(crate) enum DigestCursor<'a> {
    Prints(PrintCursor<'a>),
    Hashes(HashCursor<'a>),
}

impl<'a> DigestCursor<'a> {
    /// At the first row that may have it. Reads no leaf where the filters say that there is none.
    pub(crate) fn seek(segment: &'a Segment, digest: &str) -> Result<DigestCursor<'a>, Error> {
        if segment.has_url_prints() {
            return PrintCursor::seek(segment, Table::Digests, digest).map(DigestCursor::Prints);
        }
        HashCursor::seek(segment, digest).map(DigestCursor::Hashes)
    }

    /// The row here; `None` behind the last.
    pub(crate) fn spotted(&self) -> Option<Spotted> {
        match self {
            DigestCursor::Prints(cursor) => {
                let target = cursor.print()?.target(Table::Digests.wanted());
                Some(Spotted { leaf: target.leaf, row: target.row })
            }
            DigestCursor::Hashes(cursor) => cursor.spotted(),
        }
    }

    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        match self {
            DigestCursor::Prints(cursor) => cursor.advance(),
            DigestCursor::Hashes(cursor) => cursor.advance(),
        }
    }
}

/// A place among short hashes.
pub(crate) struct HashCursor<'a> {
    segment: &'a Segment,
    hash: u64,
    here: Option<(Spot, Arc<ShortHashes>, usize)>,
}

impl<'a> HashCursor<'a> {
    fn seek(segment: &'a Segment, text: &str) -> Result<HashCursor<'a>, Error> {
        let hash = segment.hash(text.as_bytes());
        let start = hashes::key(hash);
        let mut cursor = HashCursor { segment, hash: hashes::cut(hash), here: None };
        if !segment.digests.may_hold(&segment.pager, &start, hash)? {
            return Ok(cursor);
        }
        if let Some((spot, place)) = segment.digests.find(&segment.pager, &start)? {
            let hashes = segment.pager.hashes(place)?;
            let at = hashes.count_before(cursor.hash);
            cursor.settle(spot, hashes, at)?;
        }
        Ok(cursor)
    }

    fn spotted(&self) -> Option<Spotted> {
        let (_, hashes, at) = self.here.as_ref()?;
        let found = hashes.get(*at).filter(|found| found.hash == self.hash)?;
        Some(Spotted { leaf: found.leaf, row: u16::from(found.row) })
    }

    fn advance(&mut self) -> Result<(), Error> {
        match self.here.take() {
            Some((spot, hashes, at)) => self.settle(spot, hashes, at + 1),
            None => Ok(()),
        }
    }

    fn settle(&mut self, spot: Spot, hashes: Arc<ShortHashes>, at: usize) -> Result<(), Error> {
        self.here = if at < hashes.len() {
            Some((spot, hashes, at))
        } else {
            match self.segment.digests.next(spot) {
                Some(next) => Some((next, self.segment.leaf_hashes(next)?, 0)),
                None => None,
            }
        };
        Ok(())
    }
}

/// A place among the fingerprints of one hash, as version 1 has them.
pub(crate) struct PrintCursor<'a> {
    segment: &'a Segment,
    table: Table,
    hash: u64,
    here: Option<(Spot, Arc<Prints>, usize)>,
}

impl<'a> PrintCursor<'a> {
    /// At the first fingerprint of this text. Reads no leaf where the filters say that there is none.
    pub(crate) fn seek(segment: &'a Segment, table: Table, text: &str) -> Result<PrintCursor<'a>, Error> {
        let hash = segment.hash(text.as_bytes());
        let mut cursor = PrintCursor { segment, table, hash, here: None };
        let start = hash.to_be_bytes();
        let tree = cursor.tree();
        if !tree.may_hold(&segment.pager, &start, hash)? {
            return Ok(cursor);
        }
        if let Some((spot, place)) = tree.find(&segment.pager, &start)? {
            let prints = segment.pager.prints(place)?;
            let at = prints.count_before(hash);
            cursor.settle(spot, prints, at)?;
        }
        Ok(cursor)
    }

    /// The fingerprint here; `None` behind the last of its hash.
    pub(crate) fn print(&self) -> Option<Print> {
        let (_, prints, at) = self.here.as_ref()?;
        prints.get(*at).filter(|print| print.hash() == self.hash)
    }

    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        match self.here.take() {
            Some((spot, prints, at)) => self.settle(spot, prints, at + 1),
            None => Ok(()),
        }
    }

    fn settle(&mut self, spot: Spot, prints: Arc<Prints>, at: usize) -> Result<(), Error> {
        self.here = if at < prints.len() {
            Some((spot, prints, at))
        } else {
            match self.tree().next(spot) {
                Some(next) => Some((next, self.segment.leaf_prints(self.tree(), next)?, 0)),
                None => None,
            }
        };
        Ok(())
    }

    fn tree(&self) -> &'a Tree {
        match self.table {
            Table::Urls => &self.segment.urls,
            Table::Digests => &self.segment.digests,
        }
    }
}
