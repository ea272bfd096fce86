//! The archive: a store, an index over it, and a place for work.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use index::{Index, Snapshot};
use store::Store;
use store::replica::Replica;

use crate::about::About;
use crate::collection::{Opened, WEB};
use crate::collection_list::CollectionList;
use crate::commit::remove_all;
use crate::error::Error;
use crate::job::{Intake, JobFolder, Mark, Packer, make_folders, make_work_folders};
use crate::limits::Limits;
use crate::read::{OnFault, Places};

/// An archive in a folder. A clone is cheap and is the same archive. Any number of processes may read it while others write.
#[derive(Debug, Clone)]
pub struct Archive {
    folder: PathBuf,
    pub(crate) store: Store,
    pub(crate) index: Index,
    pub(crate) committed: CollectionList,
    pub(crate) opened: Opened,
    pub(crate) limits: Limits,
    pub(crate) places: Places,
}

impl Archive {
    /// Makes an archive in a folder; one that is there already is opened.
    ///
    /// # Errors
    /// When the folder cannot be made, or holds a store of a later version.
    pub fn create(folder: &Path) -> Result<Archive, Error> {
        make_folders(folder)?;
        make_work_folders(&folder.join("work"), &[])?;
        Store::create(&folder.join("store"))?;
        Archive::open(folder)
    }

    /// Opens the archive in a folder.
    ///
    /// # Errors
    /// When there is none, it cannot be read, or an index is lost: then a rebuild makes it again.
    pub fn open(folder: &Path) -> Result<Archive, Error> {
        let store = open_store(folder)?;
        let index = Index::open(&folder.join("index"))?;
        let committed = CollectionList::open(folder, &store, &index)?;
        Ok(Archive::new(folder, store, index, committed))
    }

    /// Opens the archive in a folder whose indexes may be lost or damaged, for callers that only use its files. Whatever needs an index
    /// fails.
    ///
    /// # Errors
    /// When there is no archive, or it cannot be read.
    pub fn open_without_indexes(folder: &Path) -> Result<Archive, Error> {
        let store = open_store(folder)?;
        let index = Index::open_later(&folder.join("index"));
        Ok(Archive::new(folder, store, index, CollectionList::open_unchecked(folder)?))
    }

    fn new(folder: &Path, store: Store, index: Index, committed: CollectionList) -> Archive {
        let opened = Opened::default();
        let limits = Limits::default();
        let places = Places::of(store.clone(), limits.checked_bytes);
        Archive { folder: folder.to_owned(), store, index, committed, opened, limits, places }
    }

    /// The same archive with further places that have its files. What cannot be read in its own store, or is not what its digests say,
    /// is read in the first of them that has it; those that only have checksums are passed over.
    #[must_use]
    pub fn with_others(mut self, others: Vec<Arc<dyn Replica>>) -> Archive {
        self.places.set_others(others);
        self
    }

    /// The same archive, telling of every record that could not be had from where it should have been. Without this, those
    /// that were overcome go to the log.
    #[must_use]
    pub fn on_fault(mut self, on_fault: OnFault) -> Archive {
        self.places.set_on_fault(on_fault);
        self
    }

    /// The same archive, of whose readers at most so many wait at the same time for a whole file to be checked. Each record whose digest is
    /// wrong needs that once; those of whom too many wait are not given the record, until the check is done. Without this, all wait.
    #[must_use]
    pub fn with_waiting_readers(mut self, readers_max: usize) -> Archive {
        self.places.set_readers_max(readers_max);
        self
    }

    /// The same archive with another clock, by which it forgets which files it found damaged.
    #[must_use]
    pub fn with_ticks(mut self, ticks: Arc<dyn Fn() -> Instant + Send + Sync>) -> Archive {
        self.places.set_ticks(ticks);
        self
    }

    /// The archive's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where jobs are at work: a folder for each, until it is committed.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// Makes that folder where it is missing, so that only its owner can enter it; one that others can enter is tightened.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_work(&self) -> Result<(), Error> {
        make_work_folders(&self.work(), &[])
    }

    /// The folders that are written to; each may be on a disk of its own. Some may not be there yet.
    #[must_use]
    pub fn written(&self) -> Vec<PathBuf> {
        let inside = ["store", "work", "index", "collections"].map(|name| self.folder.join(name));
        std::iter::once(self.folder.clone()).chain(inside).collect()
    }

    /// What is committed, as of now; it stays as it is while later commits come in.
    ///
    /// # Errors
    /// When the index cannot be read, or is lost.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        self.committed.checked_snapshot(WEB, &self.store, || self.index.snapshot())
    }

    /// The sealed files.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The jobs whose files are sealed, all of them: those in the middle of a commit are left out, because they may yet be withdrawn.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn sealed_jobs(&self) -> Result<Vec<String>, Error> {
        let mut jobs = self.store.jobs()?;
        jobs.retain(|job| !self.is_committing(job));
        Ok(jobs)
    }

    /// Whether a commit of this job has begun and not come to its end: its files in the store may be few of many, and nobody has seen them.
    #[must_use]
    pub fn is_committing(&self, job: &str) -> bool {
        JobFolder::of(&self.work(), job).is_committing()
    }

    /// Begins a job. What an earlier one of this name left without ever having settled anything is removed.
    ///
    /// # Errors
    /// When the name is none, or a job of this name has been committed or is on its way there.
    pub fn begin(&self, job: &str, about: &About) -> Result<(Packer, Intake), Error> {
        let folder = self.job_folder(job)?;
        if folder.is_committing() {
            return Err(Error::Committing(job.to_owned()));
        }
        if !self.store.files_of(job)?.is_empty() || self.is_committed(job)? {
            return Err(Error::JobExists(job.to_owned()));
        }
        remove_all(folder.path())?;
        self.make_job_folder(job)?;
        Intake::open(folder, about, self.index.clone(), None)
    }

    /// Makes the folder of a job's files.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_job_folder(&self, job: &str) -> Result<(), Error> {
        make_work_folders(&self.work(), &[job, "warc"])
    }

    /// Goes on with a job: its files are cut back to the mark. Where a power loss has left less than that, what is whole is kept, and
    /// the loss is told as a warning.
    ///
    /// # Errors
    /// When there is no such job, it is committed already, or the mark is none.
    pub fn resume(&self, job: &str, about: &About, mark: &Mark) -> Result<(Packer, Intake), Error> {
        let folder = self.job_folder(job)?;
        if !folder.path().is_dir() {
            let is_committed = self.is_committed(job)?;
            let job = job.to_owned();
            return Err(if is_committed { Error::IsCommitted(job) } else { Error::NoJob(job) });
        }
        let path = self.work().join(job);
        private::check_folder(&path).map_err(Error::write(&path))?;
        Intake::open(folder, about, self.index.clone(), Some(mark.position()?))
    }

    /// Throws a job away that has not been committed: its whole folder in `work/`.
    ///
    /// # Errors
    /// When it is committed, or its folder cannot be removed.
    pub fn discard(&self, job: &str) -> Result<(), Error> {
        let folder = self.job_folder(job)?;
        // Also when its folder is half removed, or back from a copy.
        if self.is_committed(job)? {
            return Err(Error::IsCommitted(job.to_owned()));
        }
        if folder.is_committing() {
            // Some of its files may have been sealed, and nobody can have seen them.
            self.store.withdraw(job)?;
        }
        remove_all(&self.work().join(job))
    }

    /// The folder of a job's files until its commit.
    ///
    /// # Errors
    /// When the name is none.
    pub fn job_folder(&self, job: &str) -> Result<JobFolder, Error> {
        if !store::is_name(job) {
            return Err(store::Error::Name(job.chars().take(200).collect()).into());
        }
        Ok(JobFolder::of(&self.work(), job))
    }

    /// Whether the archive's own index has a commit of this job.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn is_committed(&self, job: &str) -> Result<bool, Error> {
        Ok(self.index.snapshot()?.commits().iter().any(|commit| commit.name == job))
    }
}

fn open_store(folder: &Path) -> Result<Store, Error> {
    Store::open(&folder.join("store")).map_err(|source| match source {
        // One that may not be read, or is of a later version, is there all the same.
        source if source.is_absent() => {
            Error::NoArchive { path: folder.to_owned(), source: Box::new(source) }
        }
        source => Error::Store(source),
    })
}
