//! A segment: rows of one or more commits in one file that never changes.
//!
//! It holds two trees, rows by key and time and digests by their hash, and filters of URLs. `docs/formats/index.md` has the
//! whole layout, and that of version 1, which had a third tree. Public for attacks only; nothing here is promised.

mod bloom;
mod branch;
mod bytes;
mod cache;
mod columns;
mod crew;
mod cursor;
mod hashes;
mod heads;
mod page;
mod pager;
mod prints;
mod rows;
mod sorter;
mod source;
mod tail;
mod tree;
mod writer;

use std::path::Path;
use std::sync::Arc;

use cdx::Capture;
use twox_hash::XxHash3_64;

use crate::snapshot::Live;
use crate::{Error, Snapshot};

pub(crate) use columns::{Encoder, LeafLines, Packed};
pub(crate) use crew::Crew;
pub(crate) use cursor::{DigestCursor, PrintCursor, RowCursor, Spotted};
pub(crate) use page::checksum;
pub(crate) use pager::Keep;
pub use pager::Shared;
pub(crate) use prints::Wanted;
pub(crate) use rows::{Row, Rows, order_of};
pub use source::Source;
pub(crate) use writer::SegmentWriter;
pub use writer::Written;

use hashes::ShortHashes;
use page::Place;
use pager::Pager;
use prints::Prints;
use tail::{BadFooter, FOOTER_BYTES, Footer, MAGIC, Tail, UrlFilter, VERSION};
use tree::{Spot, Tree};

/// Which fingerprints are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    /// Those of URLs: the newest row first.
    Urls,
    /// Those of payload digests: the earliest row first.
    Digests,
}

impl Table {
    pub(crate) fn wanted(self) -> Wanted {
        match self {
            Table::Urls => Wanted::Latest,
            Table::Digests => Wanted::Earliest,
        }
    }
}

/// A segment to be read.
pub struct Segment {
    pager: Pager,
    seed: u64,
    commits: Vec<(u64, u64)>,
    rows: Tree,
    urls: Tree,
    digests: Tree,
    filters: Vec<UrlFilter>,
    written: Written,
}

impl Segment {
    /// Opens a segment: reads its tail.
    ///
    /// # Errors
    /// When it cannot be read, is damaged, or is of a newer version.
    pub fn open(source: Box<dyn Source>, path: &Path, shared: &Arc<Shared>) -> Result<Segment, Error> {
        let mut pager = Pager::new(source, path, Arc::clone(shared))?;
        let length = pager.length();
        let Some(at) = length.checked_sub(FOOTER_BYTES as u64) else {
            return Err(pager.damaged(0, "too short for a segment"));
        };
        let footer = pager.read(Place { at, bytes: FOOTER_BYTES })?;
        let (footer, seal) = Footer::parse(&footer, pager.is_trusting()).map_err(|bad| match bad {
            BadFooter::Damaged(what) => pager.damaged(at, what),
            BadFooter::Future(found) => {
                Error::Future { path: path.to_owned(), found: u64::from(found), known: VERSION }
            }
        })?;
        pager.version = footer.version;
        if pager.read(Place { at: 0, bytes: MAGIC.len() })? != *MAGIC {
            return Err(pager.damaged(0, "does not begin as a segment"));
        }
        let bytes = pager.page(footer.tail, pager.limits().tail_bytes)?;
        let tail = Tail::parse(&bytes, footer.version)
            .filter(|_| pager.is_trusting() || checksum(&bytes, 0) == footer.tail_checksum);
        let Some(tail) = tail else {
            return Err(pager.damaged(footer.tail.at, "a tail that makes no sense"));
        };
        let rows = tail.commits.iter().fold(0, |sum: u64, (_, rows)| sum.saturating_add(*rows));
        let written = Written { bytes: length, rows, seal, commits: tail.commits.clone() };
        Ok(Segment {
            pager,
            seed: tail.seed,
            commits: tail.commits,
            rows: Tree::new(tail.rows),
            urls: Tree::new(tail.urls),
            digests: Tree::new(tail.digests),
            filters: tail.filters,
            written,
        })
    }

    /// What the file says of itself.
    #[must_use]
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// An index of nothing but this segment.
    #[must_use]
    pub fn alone(self) -> Snapshot {
        let live = self.commits.iter().map(|(commit, _)| (*commit, crate::manifest::Kind::Named)).collect();
        Snapshot::new(Vec::new(), vec![Live::new(Arc::new(self), &live)], Arc::default(), None, 0)
    }

    /// Number of the commit that has this place in the segment.
    pub(crate) fn commit(&self, local: usize) -> Option<u64> {
        self.commits.get(local).map(|(commit, _)| *commit)
    }

    /// Whether there may be rows of a key, given with the space behind it. Wrong one time in a hundred; reads no leaf.
    pub(crate) fn may_hold(&self, key: &[u8]) -> Result<bool, Error> {
        self.rows.may_hold(&self.pager, key, self.hash(key))
    }

    /// Whether there are fingerprints of URLs, as in version 1.
    pub(crate) fn has_url_prints(&self) -> bool {
        self.pager.version < 2
    }

    /// Whether there may be rows of this URL. Wrong one time in a hundred; reads no leaf.
    pub(crate) fn may_hold_url(&self, url: &str) -> Result<bool, Error> {
        let hash = self.hash(url.as_bytes());
        let Some(at) = self.filters.partition_point(|filter| filter.first <= hash).checked_sub(1) else {
            return Ok(false);
        };
        let Some(filter) = self.filters.get(at) else { return Ok(false) };
        Ok(bloom::may_hold(&self.pager.filter(filter.place)?, hash))
    }

    /// Numbers of the first and the last leaf that may hold rows from one place up to another.
    pub(crate) fn leaves(&self, start: &[u8], end: Option<&[u8]>) -> Result<Option<(usize, usize)>, Error> {
        let Some((first, _)) = self.rows.find(&self.pager, start)? else { return Ok(None) };
        let last = match end {
            Some(end) => self.rows.find(&self.pager, end)?.map(|(last, _)| last),
            None => self.rows.last(),
        };
        Ok(last.map(|last| (self.rows.number(first), self.rows.number(last))))
    }

    /// What separates a leaf of rows from the one before it.
    pub(crate) fn separator(&self, leaf: usize) -> Result<Option<Vec<u8>>, Error> {
        match self.rows.leaf(leaf) {
            Some(spot) => self.rows.separator(&self.pager, spot),
            None => Ok(None),
        }
    }

    /// The leaf that a fingerprint points to.
    pub(crate) fn leaf_of(&self, leaf: u32) -> Result<Arc<Rows>, Error> {
        match self.rows.leaf(leaf as usize) {
            Some(spot) => self.leaf_rows(spot, Keep::Yes),
            None => Err(self.pager.damaged(0, "a fingerprint of a row that is not there")),
        }
    }

    /// Says that the leaf at this place is damaged.
    pub(crate) fn damaged(&self, offset: u64, what: impl Into<String>) -> Error {
        self.pager.damaged(offset, what)
    }

    /// Where the leaf begins that a fingerprint points to, for an error.
    pub(crate) fn offset_of(&self, leaf: u32) -> u64 {
        let spot = self.rows.leaf(leaf as usize);
        let place = spot.and_then(|spot| self.rows.place(&self.pager, spot).ok().flatten());
        place.map_or(0, |place| place.at)
    }

    /// A row as a capture. Where it is none, its leaf at the given offset is damaged.
    pub(crate) fn capture(&self, row: &Row<'_>, offset: impl Fn() -> u64) -> Result<Capture<'static>, Error> {
        let limits = cdx::Limits { line_bytes: self.pager.limits().line_bytes, ..cdx::Limits::default() };
        let mut line = Vec::with_capacity(512);
        if row.write_line(&mut line).is_none() {
            return Err(self.pager.damaged(offset(), "a row that makes no sense"));
        }
        Capture::parse_cdxj(&line, &limits)
            .map(Capture::into_owned)
            .map_err(|error| self.pager.damaged(offset(), format!("a row that is no CDXJ: {error}")))
    }

    fn hash(&self, bytes: &[u8]) -> u64 {
        hash(self.seed, bytes)
    }

    fn leaf_rows(&self, spot: Spot, keep: Keep) -> Result<Arc<Rows>, Error> {
        match self.rows.place(&self.pager, spot)? {
            Some(place) => self.pager.rows(place, keep),
            None => Err(self.pager.damaged(0, "a leaf that is not there")),
        }
    }

    fn leaf_hashes(&self, spot: Spot) -> Result<Arc<ShortHashes>, Error> {
        match self.digests.place(&self.pager, spot)? {
            Some(place) => self.pager.hashes(place),
            None => Err(self.pager.damaged(0, "a leaf that is not there")),
        }
    }

    fn leaf_prints(&self, tree: &Tree, spot: Spot) -> Result<Arc<Prints>, Error> {
        match tree.place(&self.pager, spot)? {
            Some(place) => self.pager.prints(place),
            None => Err(self.pager.damaged(0, "a leaf that is not there")),
        }
    }
}

/// What filters and fingerprints know a text by.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(seed, bytes)
}
