//! One rebuild, from the store to the indexes in their places.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use archive::job_files::{JobFile, JobFolder, job_files, replace_list};
use archive::{Error, Stop};
use store::Store;
use store::replica::Replica;

use crate::build::Builder;
use crate::card::Card;
use crate::crew::Crew;
use crate::old::Old;
use crate::order;
use crate::places::Places;
use crate::report::{Kind, Problem, Report};
use crate::room::Room;

/// How to rebuild.
#[derive(Clone)]
pub struct Settings {
    /// Files that are read at once.
    pub threads: usize,
    /// Where files may be had that are damaged or missing in the store.
    pub replicas: Vec<Arc<dyn Replica>>,
    /// Whether to end before the end; the next rebuild goes on from there.
    pub stop: Stop,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { threads: 2, replicas: Vec::new(), stop: Stop::default() }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("threads", &self.threads)
            .field("replicas", &self.replicas.len())
            .finish_non_exhaustive()
    }
}

/// How far a rebuild has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// So many more jobs, with files of so many bytes, are to be brought back.
    Found {
        /// Jobs.
        jobs: u64,
        /// Bytes of their files.
        bytes: u64,
    },
    /// So many more bytes have been read.
    Read(u64),
    /// One more job is in its new index.
    Job,
    /// Everything is read; the new indexes take their places.
    Whole,
    /// One of them has.
    InPlace,
}

/// Makes the indexes of the archive in this folder again, from its store. The old ones, if there are any, can be read meanwhile.
/// The report lists what is damaged or missing; the rest is restored.
///
/// # Errors
/// When there is no store, somebody else rebuilds it, or the disk fails or is full: then the same call continues from there.
pub fn rebuild_indexes(
    folder: &Path,
    settings: &Settings,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Report, Error> {
    let store_folder = folder.join("store");
    let store = Store::open(&store_folder).map_err(|source| match source {
        source if source.is_absent() => {
            Error::NoArchive { path: folder.to_owned(), source: Box::new(source) }
        }
        source => Error::Store(source),
    })?;
    let (room, done) = Room::open(folder)?;
    let places = Places { store: &store, replicas: &settings.replicas, stop: &settings.stop };
    let builder = Builder {
        places,
        store_folder: &store_folder,
        indexes: HashMap::new(),
        sound: HashMap::new(),
        others: HashMap::new(),
    };
    let mut rebuild = Rebuild {
        folder,
        store_folder: &store_folder,
        settings,
        progress,
        places,
        old: Old::of(folder),
        done: HashSet::new(),
        report: Report { jobs_before: done.len() as u64, ..Report::default() },
    };
    let mut work = Work { room, builder };
    for done in &done {
        work.builder.learn(done)?;
        rebuild.report.take(done);
        rebuild.done.insert(done.job.clone());
    }
    rebuild.bring_back(&mut work)?;
    let report = rebuild.put_in_place(work)?;
    replace_list(folder)?;
    Ok(report)
}

/// One run.
struct Rebuild<'a> {
    folder: &'a Path,
    store_folder: &'a Path,
    settings: &'a Settings,
    progress: &'a (dyn Fn(Step) + Sync),
    places: Places<'a>,
    old: Old,
    /// Jobs that are in their new index.
    done: HashSet<String>,
    report: Report,
}

/// What is written to.
struct Work<'a> {
    room: Room,
    builder: Builder<'a>,
}

impl Rebuild<'_> {
    /// Brings back all jobs that the store has and the new indexes have not.
    fn bring_back(&mut self, work: &mut Work<'_>) -> Result<(), Error> {
        let jobs = self.jobs_to_do(&work.room)?;
        let cards = self.cards(&jobs, &work.room)?;
        let cards = order::in_order(cards);
        let list = |job: &str| {
            let files = job_files(self.places.store, self.store_folder, job)?;
            Ok(files.into_iter().filter(|file| !file.is_metadata()).collect::<Vec<JobFile>>())
        };
        let tell = |bytes| (self.progress)(Step::Read(bytes));
        let threads = self.settings.threads.clamp(1, 64);
        let crew = Crew { places: self.places, threads, room: work.room.lines(), list: &list, tell: &tell };
        let (old, progress) = (&self.old, self.progress);
        let (mut report, mut brought) = (std::mem::take(&mut self.report), Vec::new());
        let result = crew.read(&cards, |card, read| {
            let done = work.builder.build(card, read, old, &work.room)?;
            work.room.note(&done)?;
            report.take(&done);
            brought.push(done.job);
            progress(Step::Job);
            Ok(())
        });
        self.report = report;
        self.done.extend(brought);
        result
    }

    /// Jobs of the store that are still to be brought back. One in the middle of its commit is not: whoever began it brings it to its
    /// end. If its lines are in the old index it is past that.
    fn jobs_to_do(&mut self, room: &Room) -> Result<Vec<String>, Error> {
        let (mut jobs, mut waiting) = (Vec::new(), Vec::new());
        for job in self.places.store.jobs()? {
            let known = self.old.find(&job);
            // Into an index that is in its place already others have published since.
            let is_in = known.is_some_and(|known| room.is_swapped(&known.collection));
            if self.done.contains(&job) || is_in {
                continue;
            }
            if known.is_none() && JobFolder::of(&self.folder.join("work"), &job).is_committing() {
                waiting.push(job);
                continue;
            }
            let files = job_files(self.places.store, self.store_folder, &job)?;
            if JobFile::are_indexed(&job, &files) {
                jobs.push(job);
            }
        }
        self.report.waiting = waiting;
        Ok(jobs)
    }

    /// What the metadata files of these jobs say.
    fn cards(&self, jobs: &[String], room: &Room) -> Result<Vec<Card>, Error> {
        let (next, bytes) = (AtomicUsize::new(0), Mutex::new(0));
        let cards: Mutex<Vec<Result<Card, Error>>> = Mutex::new(Vec::new());
        let copies = room.lines();
        let card = |job: &String| {
            let files = job_files(self.places.store, self.store_folder, job)?;
            let (metadata, others): (Vec<JobFile>, Vec<JobFile>) =
                files.into_iter().partition(JobFile::is_metadata);
            let length: u64 = others.iter().map(|file| file.bytes).sum();
            *bytes.lock().unwrap_or_else(PoisonError::into_inner) += length;
            let mut card = Card::read(&self.places, job, metadata.first(), &copies)?;
            // An old index knows more than a job of the first version said.
            if let Some(known) = self.old.find(job) {
                card.at = if card.published.is_none() { known.commit.at } else { card.at };
                card.after = card.after.take().or_else(|| known.after.clone());
            }
            Ok(card)
        };
        thread::scope(|scope| {
            for _ in 0..self.settings.threads.clamp(1, 64).min(jobs.len()) {
                scope.spawn(|| {
                    while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let card = card(job);
                        if card.is_err() {
                            next.store(jobs.len(), Ordering::Relaxed);
                        }
                        cards.lock().unwrap_or_else(PoisonError::into_inner).push(card);
                    }
                });
            }
        });
        let bytes = *bytes.lock().unwrap_or_else(PoisonError::into_inner);
        (self.progress)(Step::Found { jobs: jobs.len() as u64, bytes });
        cards.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }

    /// Puts the new indexes in the places of the old ones.
    fn put_in_place(mut self, mut work: Work<'_>) -> Result<Report, Error> {
        (self.progress)(Step::Whole);
        let mut held = HashMap::new();
        // A job that comes in until all are held may have brought a collection of its own.
        loop {
            let fresh: Vec<String> =
                self.report.collections.iter().filter(|name| !held.contains_key(*name)).cloned().collect();
            if fresh.is_empty() {
                break;
            }
            for name in fresh {
                // One that is in its place is written to as any other is.
                let lock = if work.room.is_swapped(&name) { None } else { Some(work.room.hold(&name)?) };
                held.insert(name, lock);
            }
            self.old.look_again();
            self.bring_back(&mut work)?;
        }
        let jobs: HashSet<String> = self.places.store.jobs()?.into_iter().collect();
        let collections = self.report.collections.clone();
        for name in collections.iter().filter(|name| !work.room.is_swapped(name)) {
            if let (None, Some(index)) = (self.old.unreadable.get(name), work.builder.indexes.get(name)) {
                self.report.kept += self.old.carry(name, &jobs, index)?;
            }
        }
        self.settings.stop.check()?;
        drop(work.builder);
        work.room.set_whole(&collections)?;
        for name in &collections {
            work.room.swap(name)?;
            (self.progress)(Step::InPlace);
            if let Some(why) = self.old.unreadable.get(name) {
                let aside = work.room.set_aside(name)?;
                let aside = aside.display();
                let why = format!("its old index could not be read ({why}), and lies at {aside} now");
                self.report.problems.push(Problem::of_job(Kind::Index, name, why));
            }
        }
        work.room.finish(&collections)?;
        drop(held);
        Ok(self.report)
    }
}
