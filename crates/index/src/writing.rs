//! One writer at work: it holds the lock, and replaces the manifest when what it wrote is on the disk.
//!
//! Publishing goes: lock → leftovers of a crash removed → segment written and synced → manifest replaced → what it no longer
//! names removed. A crash between any two of these leaves the old state or the new one, and at most files that nobody names.

use std::fs::File;
use std::io::BufWriter;

use cdx::{Capture, Value};

use crate::folder::Out;
use crate::manifest::{Manifest, Named, Published};
use crate::merging::Merged;
use crate::segment::{NewRow, SegmentWriter, order_of};
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
struct Growing {
    number: u64,
    writer: SegmentWriter<BufWriter<Out>>,
}

impl<'a> Session<'a> {
    /// Waits for the lock, then removes what a crash left behind.
    pub(crate) fn begin(index: &'a Index) -> Result<Session<'a>, Error> {
        let folder = index.folder();
        let lock = folder.lock()?;
        let manifest = match folder.manifest(&index.settings().limits)? {
            Some(found) => found.manifest,
            None => {
                // So that segments without a manifest always mean that one got lost.
                let manifest = Manifest::default();
                folder.replace_manifest(&manifest)?;
                manifest
            }
        };
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
        let segments: Vec<Live> = chosen
            .iter()
            .map(|named| Ok(Live::new(self.index.open_segment(named)?, &live)))
            .collect::<Result<_, Error>>()?;
        let all = chosen.iter().flat_map(|named| &named.written.commits).map(|(commit, _)| *commit);
        let mut commits: Vec<u64> = all.filter(|commit| live.contains(commit)).collect();
        commits.sort_unstable();
        commits.dedup();
        let mut merged = Merged::new(&segments, &[], None)?;
        let named = self.write(&mut manifest, &commits, |growing, index| {
            while merged.advance()? {
                copy_row(&merged, &commits, growing, index)?;
            }
            Ok(())
        })?;
        manifest.segments.extend(named);
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

impl Feed<'_> {
    fn push(&mut self, growing: &mut Growing, capture: &Capture<'_>) -> Result<(), Error> {
        self.rows += 1;
        let row = self.rows;
        let refused = |what: String| Error::Row { row, what };
        let Some(time) = capture.timestamp else { return Err(refused("it has no time".to_owned())) };
        if capture.key.as_ref().is_none_or(|key| key.is_empty()) {
            return Err(refused("it has no key".to_owned()));
        }
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
        let digest = capture.digest.as_deref().filter(|_| !capture.is_revisit());
        let new = NewRow {
            line: &self.line,
            order,
            commit: 0,
            time: time.as_number(),
            url: capture.url.as_deref(),
            digest,
        };
        growing.push(&new, self.index)?;
        self.last.clear();
        self.last.extend_from_slice(order);
        Ok(())
    }
}

impl Growing {
    fn push(&mut self, row: &NewRow<'_>, index: &Index) -> Result<(), Error> {
        self.writer.push(row).map_err(|error| Error::write(&index.folder().segment_path(self.number), error))
    }
}

/// Copies the current row of a merge. What is asked of it later is read from its line again.
fn copy_row(merged: &Merged, commits: &[u64], growing: &mut Growing, index: &Index) -> Result<(), Error> {
    let Some((row, segment)) = merged.row() else { return Ok(()) };
    let commit = segment.commit(row.commit).and_then(|commit| commits.binary_search(&commit).ok());
    let Some(commit) = commit else { return Err(segment.damaged(merged.offset(), "a row of no commit")) };
    let capture = segment.parse(&row, || merged.offset())?;
    let new = NewRow {
        line: row.line,
        order: row.order,
        commit,
        time: capture.timestamp.map_or(0, cdx::Timestamp::as_number),
        url: capture.url.as_deref(),
        digest: capture.digest.as_deref().filter(|_| !capture.is_revisit()),
    };
    growing.push(&new, index)
}
