//! Writes a segment from sorted rows, one by one, in bounded memory.

use std::io::{self, Write};
use std::path::Path;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use super::hash;
use super::page::{Packing, Pages, checksum};
use super::prints::{Print, Target, Wanted};
use super::rows;
use super::sorter::{Sorted, Sorter};
use super::tail::{Footer, MAGIC, Tail, VERSION};
use super::tree::{NewLeaf, Root, TreeWriter};
use crate::Settings;

/// Rows of one leaf, at most: their numbers have 16 bits.
const LEAF_ROWS_MAX: usize = 1 << 12;
/// Fingerprints of one leaf.
const LEAF_PRINTS: usize = 340;

/// A row to be written. Rows come sorted by `order`, then commit.
pub(crate) struct NewRow<'a> {
    /// The CDXJ line.
    pub(crate) line: &'a [u8],
    /// `key time` at its front.
    pub(crate) order: &'a [u8],
    /// Number of the commit in this segment.
    pub(crate) commit: usize,
    /// The 14 digits as a number.
    pub(crate) time: u64,
    pub(crate) url: Option<&'a str>,
    /// Digest of the payload; `None` for revisits, which have none of their own.
    pub(crate) digest: Option<&'a str>,
}

/// What has been written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Length of the file.
    pub bytes: u64,
    /// Rows in it.
    pub rows: u64,
    /// Checksum of its end, as the manifest repeats it.
    pub seal: u64,
    /// Commits in it by number, and how many rows each has.
    pub commits: Vec<(u64, u64)>,
}

/// A segment that is being written.
pub(crate) struct SegmentWriter<W: Write> {
    pages: Pages<W>,
    seed: u64,
    commits: Vec<(u64, u64)>,
    tree: TreeWriter,
    leaf: Leaf,
    leaf_bytes: usize,
    urls: Sorter,
    digests: Sorter,
}

/// The leaf that is being filled.
#[derive(Default)]
struct Leaf {
    bytes: Vec<u8>,
    rows: usize,
    first: Vec<u8>,
    last: Vec<u8>,
    /// Hashes of its keys, each once.
    keys: Vec<u64>,
}

impl<W: Write> SegmentWriter<W> {
    /// Starts a segment of these commits, whose numbers ascend. What does not fit into memory is put aside in the folder.
    pub(crate) fn new(out: W, commits: &[u64], folder: &Path, settings: &Settings) -> io::Result<Self> {
        let mut pages = Pages::new(out, settings.level)?;
        pages.raw(MAGIC)?;
        pages.raw(&VERSION.to_le_bytes())?;
        Ok(SegmentWriter {
            pages,
            seed: RandomState::new().build_hasher().finish(),
            commits: commits.iter().map(|commit| (*commit, 0)).collect(),
            tree: TreeWriter::default(),
            leaf: Leaf::default(),
            leaf_bytes: settings.leaf_bytes,
            urls: Sorter::new(folder, settings.sort_rows),
            digests: Sorter::new(folder, settings.sort_rows),
        })
    }

    pub(crate) fn push(&mut self, row: &NewRow<'_>) -> io::Result<()> {
        let is_full =
            self.leaf.bytes.len() + row.line.len() > self.leaf_bytes || self.leaf.rows >= LEAF_ROWS_MAX;
        if is_full && self.leaf.rows > 0 {
            self.close_leaf()?;
        }
        let too_many = || io::Error::other("more leaves or commits than a segment can number");
        let commit = u32::try_from(row.commit).map_err(|_| too_many())?;
        let leaf = u32::try_from(self.tree.leaves()).map_err(|_| too_many())?;
        let number = u16::try_from(self.leaf.rows).map_err(|_| too_many())?;
        let target = Target { time: row.time, commit, leaf, row: number };
        if let Some(url) = row.url {
            self.urls.push(Print::new(hash(self.seed, url.as_bytes()), &target, Wanted::Latest))?;
        }
        if let Some(digest) = row.digest {
            self.digests.push(Print::new(hash(self.seed, digest.as_bytes()), &target, Wanted::Earliest))?;
        }
        self.leaf.push(self.seed, commit, row);
        if let Some((_, rows)) = self.commits.get_mut(row.commit) {
            *rows += 1;
        }
        Ok(())
    }

    /// Writes what is left. The output is flushed, not synced.
    pub(crate) fn finish(mut self) -> io::Result<(W, Written)> {
        if self.leaf.rows > 0 {
            self.close_leaf()?;
        }
        let rows = self.tree.finish(&mut self.pages)?;
        let urls = write_prints(&mut self.pages, self.urls.finish()?)?;
        let digests = write_prints(&mut self.pages, self.digests.finish()?)?;
        let tail = Tail { seed: self.seed, commits: self.commits, rows, urls, digests };
        let bytes = tail.to_bytes();
        let place = self.pages.put(&bytes, Packing::Zstd)?;
        let (footer, seal) = Footer { tail: place, tail_checksum: checksum(&bytes, 0) }.to_bytes();
        self.pages.raw(&footer)?;
        let written = Written {
            bytes: self.pages.at(),
            rows: tail.commits.iter().map(|(_, rows)| rows).sum(),
            seal,
            commits: tail.commits,
        };
        Ok((self.pages.finish()?, written))
    }

    fn close_leaf(&mut self) -> io::Result<()> {
        let leaf = &self.leaf;
        let new = NewLeaf {
            bytes: &leaf.bytes,
            packing: Packing::Zstd,
            first: &leaf.first,
            last: &leaf.last,
            members: &leaf.keys,
        };
        self.tree.push(&mut self.pages, &new)?;
        self.leaf.clear();
        Ok(())
    }
}

impl Leaf {
    fn push(&mut self, seed: u64, commit: u32, row: &NewRow<'_>) {
        let key = key_of(row.order);
        if self.rows == 0 {
            self.first.extend_from_slice(row.order);
        }
        if self.rows == 0 || key_of(&self.last) != key {
            self.keys.push(hash(seed, key));
        }
        self.last.clear();
        self.last.extend_from_slice(row.order);
        rows::put(&mut self.bytes, commit, row.line);
        self.rows += 1;
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.first.clear();
        self.last.clear();
        self.keys.clear();
        self.rows = 0;
    }
}

/// The key and the space behind it: all of `key time` but 14 digits.
fn key_of(order: &[u8]) -> &[u8] {
    order.get(..order.len().saturating_sub(14)).unwrap_or_default()
}

fn write_prints<W: Write>(pages: &mut Pages<W>, mut sorted: Sorted) -> io::Result<Vec<Root>> {
    let mut tree = TreeWriter::default();
    let mut prints = Vec::with_capacity(LEAF_PRINTS);
    loop {
        let next = sorted.next()?;
        if prints.len() == LEAF_PRINTS || next.is_none() {
            push_prints(&mut tree, pages, &prints)?;
            prints.clear();
        }
        match next {
            Some(print) => prints.push(print),
            None => return tree.finish(pages),
        }
    }
}

fn push_prints<W: Write>(tree: &mut TreeWriter, pages: &mut Pages<W>, prints: &[Print]) -> io::Result<()> {
    let (Some(first), Some(last)) = (prints.first(), prints.last()) else { return Ok(()) };
    let bytes: Vec<u8> = prints.iter().flat_map(|print| print.to_bytes()).collect();
    let mut members: Vec<u64> = prints.iter().map(|print| print.hash()).collect();
    members.dedup();
    let (first, last) = (&first.to_bytes(), &last.to_bytes());
    tree.push(pages, &NewLeaf { bytes: &bytes, packing: Packing::None, first, last, members: &members })
}
