//! The lines of one job, into its new index.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::WEB;
use archive::disk::{Disk, Plain};
use archive::job_files::job_files;
use archive::job_files::{CAPTURES_HEAD, delete_lines, is_removal_name, removed_job};
use archive::job_files::{publish_lines, sort_file};
use archive::{Error, is_removal};
use index::{Commit, Index};
use jiff::Timestamp;
use warc::{Limits, Options, Reader};

use crate::card::{Card, Lines};
use crate::check::{Checked, told};
use crate::crew::Read;
use crate::old::Old;
use crate::places::Places;
use crate::report::{Done, Kind, Problem};
use crate::room::Room;

const BUFFER_BYTES: usize = 256 << 10;

/// Brings job after job back.
pub(crate) struct Builder<'a> {
    pub(crate) places: Places<'a>,
    pub(crate) store_folder: &'a Path,
    pub(crate) indexes: HashMap<String, Index>,
    /// Of files that are not what they were, where their sound records begin.
    pub(crate) sound: HashMap<String, Vec<u64>>,
    pub(crate) others: Others,
}

/// Files of other jobs that lines speak of: where their sound records begin, `None` where all can be had.
pub(crate) type Others = HashMap<String, Option<Vec<u64>>>;

impl Builder<'_> {
    /// Learns what an earlier run has found out of files that later jobs may speak of.
    pub(crate) fn learn(&mut self, done: &Done) -> Result<(), Error> {
        for problem in &done.problems {
            let Some(file) = &problem.file else { continue };
            let sound = match problem.kind {
                Kind::Missing => Vec::new(),
                Kind::Damaged | Kind::Unlisted => self.places.sound_records(file)?,
                _ => continue,
            };
            self.sound.insert(file.clone(), sound);
        }
        Ok(())
    }

    /// Publishes what a job had published, as far as it can be had.
    pub(crate) fn build(&mut self, card: &Card, read: Read, old: &Old, room: &Room) -> Result<Done, Error> {
        let mut done = Done {
            job: card.job.clone(),
            collection: String::new(),
            files: read.files.len() as u64,
            bytes: read.files.iter().map(|file| file.bytes).sum(),
            captures: 0,
            removed: 0,
            problems: card.problems.clone(),
        };
        let mut own = HashSet::new();
        for Checked { name, problem, sound, .. } in &read.files {
            own.insert(name.as_str());
            done.problems.extend(problem.clone());
            if let Some(sound) = sound {
                self.sound.insert(name.clone(), sound.clone());
            }
        }
        let is_removal = match (&card.published, old.find(&card.job)) {
            (Some(published), _) => is_removal(&published.commit),
            (None, Some(known)) => is_removal(&known.commit),
            (None, None) => is_removal_name(&card.job) && read.files.is_empty(),
        };
        if is_removal {
            self.take_out(card, old, room, &mut done)?;
            return Ok(done);
        }
        let commit = self.commit(card, &read, old, &mut done);
        let index = self.index(&done.collection, room)?;
        let filter = Filter::new(self, &card.job, &own);
        let published = match &card.lines {
            Some(lines) => match filter.publish_kept(lines, &index, &commit) {
                Err(error) if is_of_lines(&error) => Err((told(&error), self.lines_of(&card.job, room)?)),
                published => Ok(published?),
            },
            None => Err(("there is no sound list of them".to_owned(), read.lines)),
        };
        done.captures = match published {
            Ok(captures) => captures,
            Err((why, lines)) => {
                let why = format!(
                    "its lines are made from its records, and say no more how they were come to and what was gone ({why})"
                );
                done.problems.push(Problem::of_job(Kind::Anew, &card.job, why));
                filter.lost.borrow_mut().clear();
                filter.publish_anew(&lines, &room.lines(), &index, &commit)?
            }
        };
        let Filter { lost, others, .. } = filter;
        self.others = others.into_inner();
        charge(lost.into_inner(), &mut done);
        Ok(done)
    }

    fn index(&mut self, collection: &str, room: &Room) -> Result<Index, Error> {
        if let Some(index) = self.indexes.get(collection) {
            return Ok(index.clone());
        }
        let index = Index::open(&room.index(collection))?;
        self.indexes.insert(collection.to_owned(), index.clone());
        Ok(index)
    }

    /// Takes out again what was taken out; where it is not known what that was, it is found again, which is told.
    fn take_out(&mut self, card: &Card, old: &Old, room: &Room, done: &mut Done) -> Result<(), Error> {
        let known = old.find(&card.job);
        let said =
            card.published.as_ref().map(|published| (published.commit.clone(), published.collection.clone()));
        let said = said.or_else(|| known.map(|known| (known.commit.clone(), Some(known.collection.clone()))));
        let (commit, collection) =
            said.map_or((None, None), |(commit, collection)| (Some(commit), collection));
        done.collection = collection.filter(|name| store::is_name(name)).unwrap_or_else(|| WEB.to_owned());
        // From an index that is in its place already whoever wrote it down has taken it himself.
        if room.is_swapped(&done.collection) {
            return Ok(());
        }
        let index = self.index(&done.collection, room)?;
        let taken = match (commit.as_ref().and_then(removed_job), &card.lines) {
            (Some(job), _) => {
                let before = index.snapshot()?.rows();
                index.withdraw(job)?;
                Ok(before.saturating_sub(index.snapshot()?.rows()))
            }
            (None, Some(lines)) => self.delete_kept(lines, &index),
            (None, None) => Err("its list of captures is lost".to_owned()),
        };
        done.removed = taken.unwrap_or_else(|why| {
            let why = format!("what it had taken out is found again ({why})");
            done.problems.push(Problem::of_job(Kind::Returned, &card.job, why));
            0
        });
        if let Some(commit) = commit {
            index.publish(&commit, iter::empty())?;
        }
        Ok(())
    }

    /// Takes out what a list names. Why not, if it makes no sense.
    fn delete_kept(&self, lines: &Lines, index: &Index) -> Result<u64, String> {
        let deleted = || {
            let source = BufReader::with_capacity(BUFFER_BYTES, lines.open(&self.places)?);
            let options = Options { lenient: false, verify: true, limits: Limits::default() };
            let mut reader = Reader::new(source, options)?;
            match reader.next_record()? {
                Some(record) => delete_lines(index, BufReader::with_capacity(BUFFER_BYTES, record)),
                None => Ok(0),
            }
        };
        deleted().map_err(|error: Error| told(&error))
    }

    /// Lines made from the records of all files of a job whose list of captures makes no sense, for all that its checksum is right.
    fn lines_of(&self, job: &str, room: &Room) -> Result<Vec<PathBuf>, Error> {
        let files = job_files(self.places.store, self.store_folder, job)?;
        let files = files.iter().filter(|file| !file.is_metadata()).enumerate();
        files
            .map(|(number, file)| {
                let path = room.lines().join(format!("again-{number}.cdxj"));
                self.places.check(file, Some(&path), &|_| {})?;
                Ok(path)
            })
            .collect()
    }

    /// Of a file of another job, which may not have come yet, where its sound records begin; `None` where all can be had.
    fn look_at(&self, file: &str) -> Result<Option<Vec<u64>>, Error> {
        let job = file.split('/').next().unwrap_or_default();
        let jobs = self.places.store.jobs()?;
        let files = match jobs.iter().any(|name| name == job) {
            true => job_files(self.places.store, self.store_folder, job)?,
            false => Vec::new(),
        };
        match files.iter().find(|kept| kept.name == file) {
            Some(kept) => Ok(self.places.check(kept, None, &|_| {})?.sound),
            None => Ok(Some(Vec::new())),
        }
    }

    /// What it is published under; where nothing says that, what can be thought of.
    fn commit(&self, card: &Card, read: &Read, old: &Old, done: &mut Done) -> Commit {
        let known = old.find(&card.job);
        let own = format!("{0}/{0}-00001.warc.gz", card.job);
        let is_harvest = read.files.iter().any(|file| file.name == own);
        let commit = match (&card.published, known) {
            (Some(published), _) => published.commit.clone(),
            (None, Some(known)) => known.commit.clone(),
            (None, None) => self.thought_of(card, read, is_harvest),
        };
        let said = card.published.as_ref().and_then(|published| published.collection.clone());
        let said = said.filter(|name| store::is_name(name));
        done.collection = said.or_else(|| known.map(|known| known.collection.clone())).unwrap_or_else(|| {
            // What was harvested has always gone there.
            let is_import = commit.facts.iter().any(|(name, value)| name == "kind" && value == "import");
            if is_import {
                let why = "nothing says to which collection it belongs; its captures are in `web` now";
                done.problems.push(Problem::of_job(Kind::Unplaced, &card.job, why));
            }
            WEB.to_owned()
        });
        commit
    }

    /// A commit without anything that says what it was.
    fn thought_of(&self, card: &Card, read: &Read, is_harvest: bool) -> Commit {
        let first = || {
            let file = read.files.first()?;
            let source = self.places.here(&file.name, 0).ok()?;
            let options = Options { lenient: true, verify: false, limits: Limits::default() };
            let mut reader = Reader::new(source, options).ok()?;
            reader.next_record().ok()??.head().date()
        };
        // Jobs are named after the time at which they began.
        let at = time_in(&card.job).or_else(first);
        let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let facts = if is_harvest {
            Vec::new()
        } else {
            let bytes: u64 = read.files.iter().map(|file| file.bytes).sum();
            vec![
                fact("kind", "import"),
                fact("files", &read.files.len().to_string()),
                fact("bytes", &bytes.to_string()),
            ]
        };
        Commit { name: card.job.clone(), at: at.unwrap_or(Timestamp::UNIX_EPOCH), facts }
    }
}

/// Decides which lines of a job can stay.
struct Filter<'a> {
    builder: &'a Builder<'a>,
    /// What the job's own files begin with.
    prefix: String,
    own: &'a HashSet<&'a str>,
    lost: RefCell<BTreeMap<String, u64>>,
    others: RefCell<Others>,
    /// Why a file of another job could not be looked at.
    failed: RefCell<Option<Error>>,
}

impl<'a> Filter<'a> {
    fn new(builder: &'a Builder<'a>, job: &str, own: &'a HashSet<&'a str>) -> Filter<'a> {
        let others = RefCell::new(builder.others.clone());
        let prefix = format!("{job}/");
        Filter { builder, prefix, own, lost: RefCell::default(), others, failed: RefCell::default() }
    }

    /// Lines as they were published.
    fn publish_kept(&self, lines: &Lines, index: &Index, commit: &Commit) -> Result<u64, Error> {
        let source = BufReader::with_capacity(BUFFER_BYTES, lines.open(&self.builder.places)?);
        let options = Options { lenient: false, verify: true, limits: Limits::default() };
        let mut reader = Reader::new(source, options)?;
        let Some(record) = reader.next_record()? else {
            return Err(Error::Read {
                path: PathBuf::from("captures.cdxj"),
                source: io::ErrorKind::UnexpectedEof.into(),
            });
        };
        let lines = BufReader::with_capacity(BUFFER_BYTES, record);
        publish_lines(
            index,
            lines,
            commit,
            |row| self.is_wanted(row),
            || self.failed.take().map_or(Ok(()), Err),
        )
    }

    /// Lines that were made from the records of each file.
    fn publish_anew(
        &self,
        lines: &[PathBuf],
        room: &Path,
        index: &Index,
        commit: &Commit,
    ) -> Result<u64, Error> {
        let disk: Arc<dyn Disk> = Arc::new(Plain);
        let (all, sorted) = (room.join("captures.cdxj"), room.join("sorted.cdxj"));
        let mut out = BufWriter::new(File::create(&all).map_err(Error::write(&all))?);
        out.write_all(CAPTURES_HEAD).map_err(Error::write(&all))?;
        // Of a file that could not be opened there are none.
        for path in lines.iter().filter(|path| path.exists()) {
            let mut part = File::open(path).map_err(Error::read(path))?;
            io::copy(&mut part, &mut out).map_err(Error::write(&all))?;
            fs::remove_file(path).map_err(Error::write(path))?;
        }
        out.flush().map_err(Error::write(&all))?;
        sort_file(&all, &sorted, &disk)?;
        let file = File::open(&sorted).map_err(Error::read(&sorted))?;
        let lines = BufReader::with_capacity(BUFFER_BYTES, file);
        publish_lines(
            index,
            lines,
            commit,
            |row| self.is_wanted(row),
            || self.failed.take().map_or(Ok(()), Err),
        )
    }

    /// Whether the record of a line can be had. One that cannot must not be in the index: what is harvested later would be compared
    /// with it, and not be stored again.
    fn is_wanted(&self, row: &cdx::Capture<'_>) -> bool {
        let Some(file) = row.filename.as_deref() else { return true };
        let is_there = match self.builder.sound.get(file) {
            Some(sound) => row.offset.is_some_and(|offset| sound.binary_search(&offset).is_ok()),
            None if file.starts_with(&self.prefix) => self.own.contains(file),
            None => match self.is_of_another(file, row.offset) {
                Ok(is_there) => is_there,
                Err(error) => {
                    self.failed.borrow_mut().get_or_insert(error);
                    false
                }
            },
        };
        if !is_there {
            *self.lost.borrow_mut().entry(file.to_owned()).or_default() += 1;
        }
        is_there
    }

    /// Whether a record of another job's file can be had. That job may come later, if it is of another collection.
    fn is_of_another(&self, file: &str, offset: Option<u64>) -> Result<bool, Error> {
        let mut others = self.others.borrow_mut();
        if !others.contains_key(file) {
            others.insert(file.to_owned(), self.builder.look_at(file)?);
        }
        Ok(match others.get(file) {
            Some(Some(sound)) => offset.is_some_and(|offset| sound.binary_search(&offset).is_ok()),
            _ => true,
        })
    }
}

/// Tells how many captures are lost with which file.
fn charge(lost: BTreeMap<String, u64>, done: &mut Done) {
    for (file, lost) in lost {
        match done.problems.iter_mut().find(|problem| problem.file.as_ref() == Some(&file)) {
            Some(problem) => problem.lost = lost,
            None => {
                let mut problem =
                    Problem::of_file(Kind::Missing, &file, "the job's captures are not to be had from it");
                problem.job.clone_from(&done.job);
                problem.lost = lost;
                done.problems.push(problem);
            }
        }
    }
}

/// Whether it is the lines that make no sense, and not the disk that fails.
fn is_of_lines(error: &Error) -> bool {
    matches!(
        error,
        Error::Line(_)
            | Error::Record(_)
            | Error::Index(index::Error::Rows(_) | index::Error::Row { .. } | index::Error::Unsorted { .. })
    )
}

/// The time that a name ends with, 14 digits, perhaps with a number behind them.
fn time_in(job: &str) -> Option<Timestamp> {
    let digits = job.split('-').rev().take(2).find(|part| part.len() == 14)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(urlkey::time::parse_14_clamped(digits))
}
