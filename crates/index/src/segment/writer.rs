//! Writes a segment from sorted rows, one by one, in bounded memory.
//!
//! Rows are gathered into leaves; leaves are packed, on other threads where there are many; what is packed is written in its order.

use std::io::{self, Write};
use std::path::Path;

use super::bloom;
use super::columns::{Encoder, LeafLines, Packed};
use super::crew::Crew;
use super::hashes::{self, LEAF_HASHES, ShortHash};
use super::page::{Packing, Pages, checksum};
use super::prints::{Print, Target, Wanted};
use super::sorter::{Sorted, Sorter};
use super::tail::{Footer, MAGIC, Tail, UrlFilter, VERSION};
use super::tree::{NewLeaf, Root, TreeWriter};
use crate::Settings;

/// Leaves that are packed before others help: a small segment is done before they have begun.
const LEAVES_ALONE: usize = 64;
/// Hashes of URLs in one filter.
const FILTER_HASHES: usize = 2048;

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
    body: Body<W>,
    leaf: LeafLines,
    leaf_bytes: usize,
    leaves: usize,
    threads: usize,
    level: i32,
    packer: Packer,
}

/// Who packs leaves.
enum Packer {
    Alone(Box<Encoder>),
    Crew(Crew<LeafLines, io::Result<Packed>>),
    /// Nobody: it has failed, or is done.
    Nobody,
}

/// What has been written, and what is to be written behind the rows.
struct Body<W: Write> {
    pages: Pages<W>,
    seed: u64,
    commits: Vec<(u64, u64)>,
    tree: TreeWriter,
    digests: Sorter<Print>,
    urls: Sorter<u64>,
}

impl<W: Write> SegmentWriter<W> {
    /// Starts a segment of these commits, whose numbers ascend. What does not fit into memory is put aside in the folder.
    pub(crate) fn new(out: W, commits: &[u64], folder: &Path, settings: &Settings) -> io::Result<Self> {
        let mut pages = Pages::new(out, settings.level)?;
        pages.raw(MAGIC)?;
        pages.raw(&VERSION.to_le_bytes())?;
        let seed = getrandom::u64()?;
        let body = Body {
            pages,
            seed,
            commits: commits.iter().map(|commit| (*commit, 0)).collect(),
            tree: TreeWriter::default(),
            digests: Sorter::new(folder, settings.sort_rows),
            urls: Sorter::new(folder, settings.sort_rows.saturating_mul(2)),
        };
        Ok(SegmentWriter {
            body,
            leaf: LeafLines::with_room(settings.leaf_bytes),
            leaf_bytes: settings.leaf_bytes,
            leaves: 0,
            threads: settings.threads,
            level: settings.level,
            packer: Packer::Alone(Box::new(Encoder::new(seed, settings.level)?)),
        })
    }

    /// Seed of all hashes: whoever packs leaves elsewhere needs it.
    pub(crate) fn seed(&self) -> u64 {
        self.body.seed
    }

    /// Takes a line, of which so many bytes are key and time. Lines come sorted by those, then by commit, which is a number of this
    /// segment.
    pub(crate) fn push(&mut self, line: &[u8], order: usize, commit: usize) -> io::Result<()> {
        if !self.leaf.has_room(line.len(), self.leaf_bytes) {
            self.close_leaf()?;
        }
        self.leaf.push(line, order, u32::try_from(commit).map_err(|_| too_many())?);
        Ok(())
    }

    /// Takes a leaf that was packed elsewhere.
    pub(crate) fn put(&mut self, packed: Packed) -> io::Result<()> {
        self.body.put(packed)
    }

    /// Writes what is left. The output is flushed, not synced.
    pub(crate) fn finish(mut self) -> io::Result<(W, Written)> {
        if self.leaf.len() > 0 {
            self.close_leaf()?;
        }
        let body = &mut self.body;
        if let Packer::Crew(crew) = std::mem::replace(&mut self.packer, Packer::Nobody) {
            crew.finish(|packed| body.put(packed?))?;
        }
        self.body.finish()
    }

    fn close_leaf(&mut self) -> io::Result<()> {
        let leaf = std::mem::replace(&mut self.leaf, LeafLines::with_room(self.leaf_bytes));
        self.leaves += 1;
        if self.leaves == LEAVES_ALONE && self.threads > 1 {
            let (seed, level) = (self.body.seed, self.level);
            self.packer = Packer::Crew(Crew::start(self.threads, || {
                let mut encoder = Encoder::new(seed, level)?;
                Ok(move |leaf: LeafLines| encoder.pack(&leaf))
            })?);
        }
        let body = &mut self.body;
        match &mut self.packer {
            Packer::Alone(encoder) => body.put(encoder.pack(&leaf)?),
            Packer::Crew(crew) => crew.push(leaf, |packed| body.put(packed?)),
            Packer::Nobody => Err(io::Error::other("nobody packs rows any more")),
        }
    }
}

impl<W: Write> Body<W> {
    /// Writes a leaf, and keeps in mind what is in it.
    fn put(&mut self, mut packed: Packed) -> io::Result<()> {
        let leaf = u32::try_from(self.tree.leaves()).map_err(|_| too_many())?;
        for print in &packed.prints {
            let target = Target { time: print.time, commit: print.commit, leaf, row: print.row };
            self.digests.push(Print::new(print.hash, &target, Wanted::Earliest))?;
        }
        for url in &packed.urls {
            self.urls.push(*url)?;
        }
        for (commit, rows) in &packed.commits {
            if let Some((_, sum)) = self.commits.get_mut(*commit as usize) {
                *sum += rows;
            }
        }
        let place = self.pages.put_made(&mut packed.page)?;
        let Packed { first, last, filter, .. } = &packed;
        self.tree.push(&mut self.pages, &NewLeaf { place, first, last, filter })
    }

    fn finish(mut self) -> io::Result<(W, Written)> {
        let rows = self.tree.finish(&mut self.pages)?;
        let digests = write_hashes(&mut self.pages, self.digests.finish()?)?;
        let filters = write_filters(&mut self.pages, self.urls.finish()?)?;
        let tail = Tail { seed: self.seed, commits: self.commits, rows, urls: Vec::new(), digests, filters };
        let bytes = tail.to_bytes();
        let place = self.pages.put(&bytes, Packing::Zstd)?;
        let footer = Footer { tail: place, tail_checksum: checksum(&bytes, 0), version: VERSION };
        let (footer, seal) = footer.to_bytes();
        self.pages.raw(&footer)?;
        let written = Written {
            bytes: self.pages.at(),
            rows: tail.commits.iter().map(|(_, rows)| rows).sum(),
            seal,
            commits: tail.commits,
        };
        Ok((self.pages.finish()?, written))
    }
}

fn too_many() -> io::Error {
    io::Error::other("more leaves or commits than a segment can number")
}

fn write_hashes<W: Write>(pages: &mut Pages<W>, mut sorted: Sorted<Print>) -> io::Result<Vec<Root>> {
    let mut tree = TreeWriter::default();
    let mut prints: Vec<Print> = Vec::with_capacity(LEAF_HASHES);
    loop {
        let next = sorted.next()?;
        if prints.len() == LEAF_HASHES || next.is_none() {
            push_hashes(&mut tree, pages, &prints)?;
            prints.clear();
        }
        match next {
            Some(print) => prints.push(print),
            None => return tree.finish(pages),
        }
    }
}

fn push_hashes<W: Write>(tree: &mut TreeWriter, pages: &mut Pages<W>, prints: &[Print]) -> io::Result<()> {
    let (Some(first), Some(last)) = (prints.first(), prints.last()) else { return Ok(()) };
    let short = |print: &Print| {
        let target = print.target(Wanted::Earliest);
        ShortHash { hash: hashes::cut(print.hash()), leaf: target.leaf, row: target.row.to_le_bytes()[0] }
    };
    let mut bytes = Vec::with_capacity(prints.len() * 8);
    hashes::put(&mut bytes, &prints.iter().map(short).collect::<Vec<_>>());
    let mut members: Vec<u64> = prints.iter().map(|print| print.hash()).collect();
    members.dedup();
    let place = pages.put(&bytes, Packing::None)?;
    let (first, last) = (&hashes::key(first.hash()), &hashes::key(last.hash()));
    tree.push(pages, &NewLeaf { place, first, last, filter: &bloom::build(&members) })
}

fn write_filters<W: Write>(pages: &mut Pages<W>, mut sorted: Sorted<u64>) -> io::Result<Vec<UrlFilter>> {
    let mut filters = Vec::new();
    let mut hashes: Vec<u64> = Vec::with_capacity(FILTER_HASHES);
    loop {
        let next = sorted.next()?;
        if next.is_some() && next.as_ref() == hashes.last() {
            continue;
        }
        if hashes.len() == FILTER_HASHES || next.is_none() {
            if let Some(first) = hashes.first() {
                let place = pages.put(&bloom::build(&hashes), Packing::None)?;
                filters.push(UrlFilter { first: *first, place });
            }
            hashes.clear();
        }
        match next {
            Some(hash) => hashes.push(hash),
            None => return Ok(filters),
        }
    }
}
