//! Captures that are taken out of a collection's index. It is written down in the store before, as a job of its own, so that they
//! stay out when the index is made again.
//!
//! ```text
//! store/removal-20261118093000/removal-20261118093000-metadata.warc.gz
//!     setup/commit         kind=removal, and of which job or how many captures
//!     index/removed.cdxj   their lines; none where it is a whole job
//! work/.removal/<job>/     until it is carried out: its lines, and `removal`, which says what it is
//! ```
//! After a crash the next one, or whoever tidies up, withdraws it if it was not sealed, and carries it out if it was.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::iter;
use std::path::Path;

use cdx::Capture;
use index::{Commit, Index};
use jiff::Timestamp;

use crate::about::{About, Dedup};
use crate::archive::Archive;
use crate::collection::Collection;
use crate::commit::{Published, remove_all, write_metadata};
use crate::error::Error;
use crate::job::{CAPTURES_HEAD, JobFolder, make_work_folders};
use crate::notes::{Content, Note};

/// The file of lines in a removal's metadata.
pub(crate) const REMOVED: &str = "removed.cdxj";

/// What its job begins with.
const NAME: &str = "removal-";
/// The kind of it, among the facts of its commit.
const KIND: &str = "removal";
/// Where it is put together, and what tells that somebody does.
const ROOM: &str = ".removal";
const LOCK: &str = ".removal.lock";
/// What it is, in its room.
const MARKER: &str = "removal";
const MARKER_VERSION: &str = "varve-removal 1";
const MARKER_BYTES_MAX: u64 = 64 << 10;
/// Captures that are taken out in one step.
const ROWS_AT_ONCE: usize = 50_000;

/// What is taken out.
#[derive(Debug, Clone, Copy)]
pub enum Removal<'a> {
    /// All captures of a job.
    Job(&'a str),
    /// These, as far as they are there; what counts is key, time, file and offset.
    Captures(&'a [Capture<'static>]),
}

/// What was taken out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Removed {
    /// Captures.
    pub captures: u64,
    /// The job that says so in the store; `None` where nothing in the store's files was meant.
    pub job: Option<String>,
}

/// Whether a commit takes captures out instead of bringing some.
#[must_use]
pub fn is_removal(commit: &Commit) -> bool {
    crate::kind::kind(commit) == Some(KIND)
}

impl Archive {
    /// Takes captures out of a collection. What lies in the store's files is written down there first.
    ///
    /// # Errors
    /// When that cannot be written, or the index cannot.
    pub fn remove(
        &self,
        collection: &Collection,
        removal: Removal<'_>,
        about: &About,
    ) -> Result<Removed, Error> {
        let _lock = self.lock_removals()?;
        self.finish_removals()?;
        let index = collection.index();
        self.committed.checked_snapshot(collection.name(), &self.store, || index.snapshot())?;
        let present;
        let removal = match removal {
            Removal::Captures(captures) => {
                present = present_in(index, captures)?;
                Removal::Captures(&present)
            }
            job @ Removal::Job(_) => job,
        };
        match removal {
            Removal::Captures(captures) if !self.is_any_ours(captures)? => {
                let rows = captures.iter().cloned().map(Ok);
                Ok(Removed { captures: delete(index, rows)?, job: None })
            }
            removal => self.remove_ours(collection, removal, about),
        }
    }

    /// Brings to its end, or takes back, what a crash has left of a removal. Whoever is at one is waited for.
    ///
    /// # Errors
    /// When the archive cannot be read or written.
    pub fn tidy_up_removals(&self) -> Result<(), Error> {
        if !self.work().join(ROOM).exists() {
            return Ok(());
        }
        let _lock = self.lock_removals()?;
        self.finish_removals()
    }

    fn lock_removals(&self) -> Result<File, Error> {
        self.make_work()?;
        let path = self.work().join(LOCK);
        let lock = private::options().write(true).create(true).truncate(true).open(&path);
        let lock = lock.map_err(Error::write(&path))?;
        lock.lock().map_err(Error::write(&path))?;
        Ok(lock)
    }

    fn finish_removals(&self) -> Result<(), Error> {
        let room = self.work().join(ROOM);
        for entry in fs::read_dir(&room).into_iter().flatten().flatten() {
            let job = entry.file_name().to_string_lossy().into_owned();
            let folder = JobFolder::of(&room, &job);
            match Marker::read(&entry.path()) {
                Some(marker) if !self.store.files_of(&job)?.is_empty() => {
                    self.carry_out(&folder, &marker)?;
                }
                // Nobody was told that it is done.
                _ => self.store.withdraw(&job)?,
            }
        }
        remove_all(&room)
    }

    fn is_any_ours(&self, captures: &[Capture<'static>]) -> Result<bool, Error> {
        let jobs: HashSet<String> = self.store.jobs()?.into_iter().collect();
        let is_ours = |capture: &Capture<'static>| {
            let job = capture.filename.as_deref().and_then(|file| file.split_once('/'));
            job.is_some_and(|(job, _)| jobs.contains(job))
        };
        Ok(captures.iter().any(is_ours))
    }

    /// Writes it down, and does it.
    fn remove_ours(
        &self,
        collection: &Collection,
        removal: Removal<'_>,
        about: &About,
    ) -> Result<Removed, Error> {
        let job = self.free_name(about)?;
        let room = self.work().join(ROOM);
        let folder = JobFolder::of(&room, &job);
        make_work_folders(&self.work(), &[ROOM, &job, "warc"])?;
        let marker = Marker::of(collection, removal, (&job, about.started));
        let sealed = self.seal_removal(&folder, &marker, removal, about);
        if let Err(error) = sealed {
            // It is taken back; what cannot be now, the next one takes back.
            if self.store.withdraw(&job).is_ok() {
                drop(remove_all(&room));
            }
            return Err(error);
        }
        let captures = self.carry_out(&folder, &marker)?;
        // It is done; what cannot be removed now the next one removes.
        drop(remove_all(&room));
        Ok(Removed { captures, job: Some(job) })
    }

    /// A name that no job has.
    fn free_name(&self, about: &About) -> Result<String, Error> {
        let base = format!("{NAME}{}", urlkey::time::to_14(about.started));
        let mut names = iter::once(base.clone()).chain((2_u64..).map(|number| format!("{base}-{number}")));
        let jobs = self.store.jobs()?;
        let free = names.find(|name| !jobs.contains(name));
        free.ok_or(Error::JobExists(base))
    }

    fn seal_removal(
        &self,
        folder: &JobFolder,
        marker: &Marker,
        removal: Removal<'_>,
        about: &About,
    ) -> Result<(), Error> {
        let lines = folder.path().join(REMOVED);
        if let Removal::Captures(captures) = removal {
            write_lines(captures, &lines).map_err(Error::write(&lines))?;
        }
        let collection = self.collection_of(marker)?;
        let after = collection.snapshot()?.commits().last().map(|last| last.name.clone());
        let published =
            Published { commit: marker.commit.clone(), collection: Some(marker.collection.clone()), after };
        let note = Note::new(folder.job(), "index", REMOVED, "application/x-cdxj", Content::File(lines));
        let about = &About { dedup: Dedup::Off, ..about.clone() };
        write_metadata(folder, about, &[note], &published, &[])?;
        let own = folder.path().with_file_name(MARKER);
        marker.write(&own).map_err(Error::write(&own))?;
        folder.sync_with_those_above()?;
        self.store.seal(folder.job(), &folder.path().join(folder.metadata_name()))?;
        Ok(())
    }

    /// Takes the captures out: how many. May have been done before, as far as it came.
    fn carry_out(&self, folder: &JobFolder, marker: &Marker) -> Result<u64, Error> {
        let collection = self.collection_of(marker)?;
        let index = collection.index();
        index.publish(&marker.commit, iter::empty())?;
        self.committed.add(collection.name());
        if let Some(job) = removed_job(&marker.commit) {
            let before = index.snapshot()?.rows();
            index.withdraw(job)?;
            return Ok(before.saturating_sub(index.snapshot()?.rows()));
        }
        let path = folder.path().join(REMOVED);
        let lines = File::open(&path).map_err(Error::read(&path))?;
        delete_lines(index, BufReader::new(lines))
    }

    fn collection_of(&self, marker: &Marker) -> Result<Collection, Error> {
        self.create_collection(&marker.collection)
    }
}

/// The job that a removal takes out, if it is a whole one.
#[must_use]
pub fn removed_job(commit: &Commit) -> Option<&str> {
    fact(commit, "job")
}

/// Whether a job has the name of a removal.
#[must_use]
pub fn is_removal_name(job: &str) -> bool {
    job.starts_with(NAME)
}

/// Takes captures out of an index: how many. Lines that make no sense are an error, behind which nothing is taken out.
///
/// # Errors
/// When a line makes no sense, or the index cannot be written.
pub fn delete_lines(index: &Index, lines: impl std::io::BufRead) -> Result<u64, Error> {
    delete(index, cdx::Reader::new(lines).map(|row| row.map_err(index::Error::rows)))
}

/// The same, a few at a time.
fn delete(
    index: &Index,
    rows: impl Iterator<Item = Result<Capture<'static>, index::Error>>,
) -> Result<u64, Error> {
    let (mut rows, mut count) = (rows.peekable(), 0);
    while rows.peek().is_some() {
        count += index.delete(rows.by_ref().take(ROWS_AT_ONCE))?;
    }
    Ok(count)
}

fn fact<'c>(commit: &'c Commit, wanted: &str) -> Option<&'c str> {
    commit.facts.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
}

/// Those captures that the index has; what makes no sense it has not.
fn present_in(index: &Index, captures: &[Capture<'static>]) -> Result<Vec<Capture<'static>>, Error> {
    let snapshot = index.snapshot()?;
    let identity = |row: &Capture<'static>| (row.timestamp, row.filename.clone(), row.offset);
    // Of one URL there may be many, one behind another.
    let (mut present, mut known) = (Vec::new(), (String::new(), HashSet::new()));
    for capture in captures {
        let Some(key) = capture.key.as_deref().filter(|key| !key.is_empty()) else { continue };
        if known.0 != key {
            let rows = snapshot.versions(key).map(|row| row.map(|row| identity(&row)));
            known = (key.to_owned(), rows.collect::<Result<_, _>>()?);
        }
        if known.1.contains(&identity(capture)) {
            present.push(capture.clone());
        }
    }
    Ok(present)
}

fn write_lines(captures: &[Capture<'static>], path: &Path) -> std::io::Result<()> {
    let mut lines = BufWriter::new(File::create(path)?);
    lines.write_all(CAPTURES_HEAD)?;
    let mut line = Vec::new();
    for capture in captures {
        line.clear();
        capture.write_cdxj(&mut line);
        line.push(b'\n');
        lines.write_all(&line)?;
    }
    lines.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()
}

/// `work/.removal/<job>/removal`: what a removal is, for who finds it unfinished.
#[derive(Debug, PartialEq, Eq)]
struct Marker {
    collection: String,
    commit: Commit,
}

impl Marker {
    fn of(collection: &Collection, removal: Removal<'_>, (name, at): (&str, Timestamp)) -> Marker {
        let what = match removal {
            Removal::Job(job) => ("job", job.to_owned()),
            Removal::Captures(captures) => ("captures", captures.len().to_string()),
        };
        let facts = [("kind", KIND.to_owned()), what];
        let facts = facts.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let commit = Commit { name: name.to_owned(), at, facts };
        Marker { collection: collection.name().to_owned(), commit }
    }

    /// Its last line is its end, so that one that was cut is none.
    fn write(&self, path: &Path) -> std::io::Result<()> {
        let published =
            Published { commit: self.commit.clone(), collection: Some(self.collection.clone()), after: None };
        let mut file = File::create(path)?;
        file.write_all(format!("{MARKER_VERSION}\n").as_bytes())?;
        file.write_all(&published.to_block())?;
        file.write_all(b"end: 1\r\n")?;
        file.sync_all()
    }

    fn read(folder: &Path) -> Option<Marker> {
        let mut text = String::new();
        File::open(folder.join(MARKER)).ok()?.take(MARKER_BYTES_MAX).read_to_string(&mut text).ok()?;
        let block = text.strip_prefix(MARKER_VERSION)?.strip_prefix('\n')?.strip_suffix("end: 1\r\n")?;
        let published = Published::parse(block)?;
        Some(Marker { collection: published.collection?, commit: published.commit })
    }
}
