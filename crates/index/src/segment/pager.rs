//! The pages of one segment: read, verified, unpacked, and kept for a while.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::branch::Branch;
use super::cache::Cache;
use super::columns::Columns;
use super::hashes::ShortHashes;
use super::page::{Place, Unpacker};
use super::prints::Prints;
use super::rows::{Lines, Rows};
use super::source::Source;
use crate::{Error, Limits, Settings};

/// What all segments of an index share: pages that were read lately, and the means to unpack them.
pub struct Shared {
    branches: Cache<Branch>,
    rows: Cache<Rows>,
    prints: Cache<Prints>,
    hashes: Cache<ShortHashes>,
    filters: Cache<Vec<u8>>,
    unpacker: Unpacker,
    pub(crate) limits: Limits,
}

impl Shared {
    /// Empty caches.
    #[must_use]
    pub fn new(settings: &Settings) -> Shared {
        // Leaves of rows are asked for most, and by neighbours; a leaf of fingerprints is seldom asked for twice.
        let prints_bytes = settings.leaf_cache_bytes / 8;
        // Branches hold the filters of keys and digests, these those of URLs.
        let filters_bytes = settings.branch_cache_bytes / 3;
        Shared {
            branches: Cache::new(settings.branch_cache_bytes - filters_bytes),
            rows: Cache::new(settings.leaf_cache_bytes - 2 * prints_bytes),
            prints: Cache::new(prints_bytes),
            hashes: Cache::new(prints_bytes),
            filters: Cache::new(filters_bytes),
            unpacker: Unpacker::default(),
            limits: settings.limits,
        }
    }

    /// As [`new`](Shared::new), but checksums are not looked at: for attacks on what stands behind them.
    #[must_use]
    pub fn trusting(settings: &Settings) -> Shared {
        Shared { unpacker: Unpacker::trusting(), ..Shared::new(settings) }
    }
}

impl Shared {
    /// Removes the pages of a segment that is closed.
    fn forget(&self, opening: u64) {
        self.branches.forget(opening);
        self.rows.forget(opening);
        self.prints.forget(opening);
        self.hashes.forget(opening);
        self.filters.forget(opening);
    }

    /// The bytes of all pages that are kept.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.branches.bytes()
            + self.rows.bytes()
            + self.prints.bytes()
            + self.hashes.bytes()
            + self.filters.bytes()
    }
}

impl Drop for Pager {
    fn drop(&mut self) {
        self.shared.forget(self.opening);
    }
}

/// Whether a page is worth keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// It may soon be asked for again.
    Yes,
    /// It is one of many that are passed over.
    No,
}

/// Reads the pages of one segment.
pub(crate) struct Pager {
    source: Box<dyn Source>,
    /// How long the file is. It never changes.
    length: u64,
    path: PathBuf,
    /// Number of this opening in this process. File names return when an index is built again, these do not.
    opening: u64,
    /// Version of the format, known when the footer is read.
    pub(crate) version: u32,
    shared: Arc<Shared>,
}

impl Pager {
    pub(crate) fn new(source: Box<dyn Source>, path: &Path, shared: Arc<Shared>) -> Result<Pager, Error> {
        static OPENINGS: AtomicU64 = AtomicU64::new(0);
        let opening = OPENINGS.fetch_add(1, Ordering::Relaxed);
        let length = source.bytes().map_err(|error| Error::read(path, error))?;
        Ok(Pager { source, length, path: path.to_owned(), opening, version: 0, shared })
    }

    pub(crate) fn branch(&self, place: Place) -> Result<Arc<Branch>, Error> {
        let name = (self.opening, place.at);
        if let Some(branch) = self.shared.branches.get(name) {
            return Ok(branch);
        }
        let bytes = self.page(place, self.shared.limits.page_bytes)?;
        let branch =
            Branch::parse(bytes).ok_or_else(|| self.damaged(place.at, "a branch that makes no sense"))?;
        let branch = Arc::new(branch);
        self.shared.branches.put(name, &branch, branch.weight());
        Ok(branch)
    }

    pub(crate) fn rows(&self, place: Place, keep: Keep) -> Result<Arc<Rows>, Error> {
        let name = (self.opening, place.at);
        if let Some(rows) = self.shared.rows.get(name) {
            return Ok(rows);
        }
        let bytes_max = self.shared.limits.page_bytes;
        let bytes = self.page(place, bytes_max)?;
        let rows = if self.version < 2 {
            Lines::parse(bytes).map(Rows::Lines)
        } else {
            let unpack = |frame: &[u8], unpacked| self.shared.unpacker.inflate(frame, unpacked).ok();
            Columns::parse(&bytes, bytes_max, unpack).map(Rows::Columns)
        };
        let rows = rows.ok_or_else(|| self.damaged(place.at, "rows that make no sense"))?;
        let rows = Arc::new(rows);
        if keep == Keep::Yes {
            self.shared.rows.put(name, &rows, rows.weight());
        }
        Ok(rows)
    }

    pub(crate) fn prints(&self, place: Place) -> Result<Arc<Prints>, Error> {
        let name = (self.opening, place.at);
        if let Some(prints) = self.shared.prints.get(name) {
            return Ok(prints);
        }
        let bytes = self.page(place, self.shared.limits.page_bytes)?;
        let prints =
            Prints::parse(&bytes).ok_or_else(|| self.damaged(place.at, "fingerprints that make no sense"))?;
        let prints = Arc::new(prints);
        self.shared.prints.put(name, &prints, prints.weight());
        Ok(prints)
    }

    pub(crate) fn hashes(&self, place: Place) -> Result<Arc<ShortHashes>, Error> {
        let name = (self.opening, place.at);
        if let Some(hashes) = self.shared.hashes.get(name) {
            return Ok(hashes);
        }
        let bytes = self.page(place, self.shared.limits.page_bytes)?;
        let hashes =
            ShortHashes::parse(&bytes).ok_or_else(|| self.damaged(place.at, "hashes that make no sense"))?;
        let hashes = Arc::new(hashes);
        self.shared.hashes.put(name, &hashes, hashes.weight());
        Ok(hashes)
    }

    pub(crate) fn filter(&self, place: Place) -> Result<Arc<Vec<u8>>, Error> {
        let name = (self.opening, place.at);
        if let Some(filter) = self.shared.filters.get(name) {
            return Ok(filter);
        }
        let filter = Arc::new(self.page(place, self.shared.limits.page_bytes)?);
        self.shared.filters.put(name, &filter, filter.len());
        Ok(filter)
    }

    /// The bytes of a page, at most so many.
    pub(crate) fn page(&self, place: Place, bytes_max: usize) -> Result<Vec<u8>, Error> {
        // What zstd cannot make smaller it makes a little larger.
        let packed_max = bytes_max.saturating_add(bytes_max / 128).saturating_add(1024);
        if place.bytes > packed_max {
            return Err(self.damaged(place.at, format!("a page of {} bytes", place.bytes)));
        }
        let page = self.read(place)?;
        self.shared.unpacker.unpack(page, place.at, bytes_max).map_err(|what| self.damaged(place.at, what))
    }

    /// Bytes of the file as they are.
    pub(crate) fn read(&self, place: Place) -> Result<Vec<u8>, Error> {
        // Looked at first, so that a wrong length cannot ask for more memory than the file has bytes.
        if place.at.saturating_add(place.bytes as u64) > self.length {
            return Err(self.damaged(place.at, "the file ends too early"));
        }
        let mut bytes = vec![0; place.bytes];
        match self.source.read_at(&mut bytes, place.at) {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                Err(self.damaged(place.at, "the file ends too early"))
            }
            Err(error) => Err(Error::read(&self.path, error)),
        }
    }

    /// How long the file is.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether checksums are not looked at.
    pub(crate) fn is_trusting(&self) -> bool {
        self.shared.unpacker.is_trusting()
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    pub(crate) fn damaged(&self, offset: u64, what: impl Into<String>) -> Error {
        Error::damaged(&self.path, offset, what)
    }
}
