//! One writer at work: it holds the lock, and replaces the manifest when what it wrote is on the disk.
//!
//! Publishing goes: lock → leftovers of a crash removed → segment written and synced → manifest replaced → what it no longer
//! names removed. A crash between any two of these leaves the old state or the new one, and at most files that nobody names.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;

use cdx::{Capture, Value};

use crate::aliases::AliasTable;
use crate::batch::Batch;
use crate::folder::Out;
use crate::labels::Labels;
use crate::manifest::{Aliases, Kind, Manifest, Named, Published};
use crate::merging::Merged;
use crate::segment::{SegmentWriter, checksum, order_of};
use crate::snapshot::Live;
use crate::{Commit, Error, Index, tiers};

/// Of what a row says beyond the usual fields; more could not be read back.
const EXTRAS_MAX: usize = 1000;

pub(crate) struct Session<'a> {
    index: &'a Index,
    manifest: Manifest,
    /// Let go when it is closed, whatever becomes of the process.
    _lock: File,
}

/// A segment that is being written.
pub(crate) struct Growing {
    pub(crate) number: u64,
    pub(crate) writer: SegmentWriter<BufWriter<Out>>,
}

impl<'a> Session<'a> {
    /// Waits for the lock, then removes what a crash left behind.
    pub(crate) fn begin(index: &'a Index) -> Result<Session<'a>, Error> {
        Session::holding(index, index.folder().lock()?)
    }

    /// The same without waiting; `None` where somebody else writes.
    pub(crate) fn try_begin(index: &'a Index) -> Result<Option<Session<'a>>, Error> {
        let lock = index.folder().try_lock()?;
        lock.map(|lock| Session::holding(index, lock)).transpose()
    }

    fn holding(index: &'a Index, lock: File) -> Result<Session<'a>, Error> {
        let folder = index.folder();
        let manifest = match folder.manifest(&index.settings().limits)? {
            Some(found) => found.manifest,
            None => {
                // So that segments without a manifest always mean that one got lost.
                let manifest = Manifest::default();
                folder.replace_manifest(&manifest)?;
                manifest
            }
        };
        folder.unmark_backup()?;
        folder.remove_leftovers(&manifest)?;
        Ok(Session { index, manifest, _lock: lock })
    }

    /// `ready` is asked when the rows are on the disk; after its error they are removed again, because it may be the disk that is
    /// full.
    pub(crate) fn publish<E: From<Error>>(
        &mut self,
        commit: &Commit,
        rows: impl Iterator<Item = Result<Capture<'static>, Error>>,
        ready: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut manifest = self.manifest.clone();
        let number = manifest.take_number();
        let named = self.write(&mut manifest, &[number], |growing, index| {
            let mut feed = Feed { index, rows: 0, line: Vec::new(), last: Vec::new() };
            for row in rows {
                feed.push(growing, &row?)?;
            }
            Ok(())
        })?;
        if let Err(error) = ready() {
            // Whoever writes next would do it, too.
            let _ = self.index.folder().remove_leftovers(&self.manifest);
            return Err(error);
        }
        manifest.forget(&commit.name);
        let rows = named.as_ref().map_or(0, |named| named.written.rows);
        manifest.segments.extend(named);
        manifest.commits.push(Published { number, rows, commit: commit.clone() });
        Ok(self.replace(manifest)?)
    }

    /// Rows without a name, in the place of all older ones of their captures: how many.
    pub(crate) fn add(&mut self, batch: Batch) -> Result<u64, Error> {
        let mut manifest = self.manifest.clone();
        let number = manifest.take_number();
        let named = self.write_rows(&mut manifest, number, batch.into_rows())?;
        let Some(named) = named else { return Ok(0) };
        let rows = named.written.rows;
        manifest.loose.push(number);
        manifest.segments.push(named);
        self.replace(manifest)?;
        Ok(rows)
    }

    /// A whole segment that somebody else fills, under a name or without one.
    pub(crate) fn load(
        &mut self,
        commit: Option<&Commit>,
        fill: impl FnOnce(&mut Growing, &Index) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut manifest = self.manifest.clone();
        let number = manifest.take_number();
        let named = self.write(&mut manifest, &[number], fill)?;
        let rows = named.as_ref().map_or(0, |named| named.written.rows);
        match commit {
            Some(commit) => {
                manifest.forget(&commit.name);
                manifest.commits.push(Published { number, rows, commit: commit.clone() });
            }
            None if named.is_none() => return Ok(()),
            None => manifest.loose.push(number),
        }
        manifest.segments.extend(named);
        self.replace(manifest)
    }

    /// Says of captures that they are gone: of how many that was true.
    pub(crate) fn delete(&mut self, batch: Batch) -> Result<u64, Error> {
        let (deletes, count) = batch.into_deletes(&self.index.snapshot()?)?;
        let mut manifest = self.manifest.clone();
        let number = manifest.take_number();
        let Some(named) = self.write_rows(&mut manifest, number, deletes.into_iter())? else { return Ok(0) };
        manifest.deletes.push(number);
        manifest.segments.push(named);
        self.replace(manifest)?;
        Ok(count)
    }

    /// Changes the aliases.
    pub(crate) fn change_aliases(
        &mut self,
        change: impl FnOnce(&mut BTreeMap<String, String>),
    ) -> Result<(), Error> {
        let folder = self.index.folder();
        let before = match &self.manifest.aliases {
            Some(named) => folder.read_aliases(named)?.pairs,
            None => BTreeMap::new(),
        };
        let mut pairs = before.clone();
        change(&mut pairs);
        if pairs == before {
            return Ok(());
        }
        let mut manifest = self.manifest.clone();
        manifest.aliases = None;
        if !pairs.is_empty() {
            let number = manifest.take_number();
            let bytes = AliasTable::new(pairs).to_bytes();
            folder.write_aliases(number, &bytes)?;
            let seal = checksum(&bytes, 0);
            manifest.aliases = Some(Aliases { number, bytes: bytes.len() as u64, seal });
        }
        self.replace(manifest)
    }

    fn write_rows(
        &self,
        manifest: &mut Manifest,
        number: u64,
        rows: impl Iterator<Item = Capture<'static>>,
    ) -> Result<Option<Named>, Error> {
        self.write(manifest, &[number], |growing, index| {
            let mut feed = Feed { index, rows: 0, line: Vec::new(), last: Vec::new() };
            for row in rows {
                feed.push(growing, &row)?;
            }
            Ok(())
        })
    }

    pub(crate) fn withdraw(&mut self, name: &str) -> Result<(), Error> {
        let mut manifest = self.manifest.clone();
        if manifest.forget(name) { self.replace(manifest) } else { Ok(()) }
    }

    /// Merges until no tier is full.
    pub(crate) fn merge_due(&mut self) -> Result<(), Error> {
        while let Some(numbers) = tiers::due(&self.manifest, self.index.settings().segments_per_tier) {
            self.merge(&numbers)?;
        }
        Ok(())
    }

    fn merge(&mut self, numbers: &[u64]) -> Result<(), Error> {
        let mut manifest = self.manifest.clone();
        let (chosen, kept): (Vec<Named>, Vec<Named>) =
            manifest.segments.drain(..).partition(|named| numbers.contains(&named.number));
        manifest.segments = kept;
        let live = self.manifest.live();
        let open = |named: &Named| Ok(Live::new(self.index.open_segment(named)?, &live));
        let segments: Vec<Live> = chosen.iter().map(open).collect::<Result<_, Error>>()?;
        // Who says that a capture is gone must stay as long as it may be elsewhere.
        let others: Vec<Live> = if segments.iter().any(Live::hides) {
            manifest.segments.iter().map(open).collect::<Result<_, Error>>()?
        } else {
            Vec::new()
        };
        let labels = Labels::new(&chosen, &live);
        let mut merged = Merged::with_deletes(&segments)?;
        let named = self.write(&mut manifest, labels.commits(), |growing, index| {
            let mut line = Vec::new();
            while merged.advance()? {
                if !is_needless(&merged, &others)? {
                    copy_row(&merged, &labels, growing, index, &mut line)?;
                }
            }
            Ok(())
        })?;
        manifest.segments.extend(named);
        manifest.forget_empty();
        self.replace(manifest)
    }

    /// Writes a segment and syncs it; `None` where it has no rows.
    fn write(
        &self,
        manifest: &mut Manifest,
        commits: &[u64],
        fill: impl FnOnce(&mut Growing, &Index) -> Result<(), Error>,
    ) -> Result<Option<Named>, Error> {
        let folder = self.index.folder();
        let number = manifest.take_number();
        let path = folder.segment_path(number);
        let failed = |error| Error::write(&path, error);
        let written = folder.create_segment(number).and_then(|out| {
            let writer =
                SegmentWriter::new(out, commits, folder.path(), self.index.settings()).map_err(failed)?;
            let mut growing = Growing { number, writer };
            fill(&mut growing, self.index)?;
            let (out, written) = growing.writer.finish().map_err(failed)?;
            out.get_ref().sync().map_err(failed)?;
            Ok(written)
        });
        if !matches!(&written, Ok(written) if written.rows > 0) {
            // Room on the disk may be what is wanting. Should this fail, the next to publish will do it.
            let _ = folder.remove_leftovers(&self.manifest);
        }
        let written = written?;
        Ok((written.rows > 0).then_some(Named { number, written }))
    }

    fn replace(&mut self, manifest: Manifest) -> Result<(), Error> {
        let folder = self.index.folder();
        folder.replace_manifest(&manifest)?;
        self.manifest = manifest;
        // Who reads them still keeps them open. Should this fail, the next to publish will do it.
        let _ = folder.remove_leftovers(&self.manifest);
        Ok(())
    }
}

/// Rows on their way into a segment, as the caller hands them in.
struct Feed<'a> {
    index: &'a Index,
    /// How many there were.
    rows: u64,
    line: Vec<u8>,
    /// `key time` of the row before.
    last: Vec<u8>,
}

/// What makes a row one that no index can hold.
pub(crate) fn row_fault(capture: &Capture<'_>, row: u64) -> Result<(), Error> {
    let refused = |what: &str| Error::Row { row, what: what.to_owned() };
    match &capture.key {
        _ if capture.timestamp.is_none() => Err(refused("it has no time")),
        Some(key) if !key.is_empty() => Ok(()),
        _ => Err(refused("it has no key")),
    }
}

impl Feed<'_> {
    fn push(&mut self, growing: &mut Growing, capture: &Capture<'_>) -> Result<(), Error> {
        self.rows += 1;
        let row = self.rows;
        let refused = |what: String| Error::Row { row, what };
        row_fault(capture, row)?;
        self.line.clear();
        capture.write_cdxj(&mut self.line);
        let limits = &self.index.settings().limits;
        if self.line.len() > limits.line_bytes {
            return Err(refused(format!("its line is longer than {} bytes", limits.line_bytes)));
        }
        // JSON is written as it was handed in, so it is read back before anybody relies on it.
        let has_json = capture.extra.iter().any(|extra| matches!(extra.value, Value::Json(_)));
        if has_json || capture.extra.len() > EXTRAS_MAX {
            Capture::parse_cdxj(&self.line, &cdx::Limits::default())
                .map_err(|error| refused(error.to_string()))?;
        }
        let Some(order) = order_of(&self.line) else { return Err(refused("it has no key".to_owned())) };
        if order < self.last.as_slice() {
            return Err(Error::Unsorted { row, found: String::from_utf8_lossy(order).into_owned() });
        }
        growing.push(&self.line, order.len(), 0, self.index)?;
        self.last.clear();
        self.last.extend_from_slice(order);
        Ok(())
    }
}

impl Growing {
    fn push(&mut self, line: &[u8], order: usize, commit: usize, index: &Index) -> Result<(), Error> {
        let pushed = self.writer.push(line, order, commit);
        pushed.map_err(|error| Error::write(&index.folder().segment_path(self.number), error))
    }
}

/// Whether the current row of a merge says that a capture is gone which can be nowhere else.
fn is_needless(merged: &Merged, others: &[Live]) -> Result<bool, Error> {
    let Some((row, _)) =
        merged.row().filter(|_| merged.commit().is_some_and(|(_, kind)| kind == Kind::Deletes))
    else {
        return Ok(false);
    };
    for other in others {
        if other.segment.may_hold(row.key())? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Copies the current row of a merge.
fn copy_row(
    merged: &Merged,
    labels: &Labels,
    growing: &mut Growing,
    index: &Index,
    line: &mut Vec<u8>,
) -> Result<(), Error> {
    let Some((row, segment)) = merged.row() else { return Ok(()) };
    let commit = segment.commit(row.commit).and_then(|commit| labels.local(commit));
    let Some(commit) = commit else { return Err(segment.damaged(merged.offset(), "a row of no commit")) };
    line.clear();
    if row.write_line(line).is_none() {
        return Err(segment.damaged(merged.offset(), "a row that makes no sense"));
    }
    growing.push(line, row.order.len(), commit, index)
}
