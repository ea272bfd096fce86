//! The archive: a store, an index over it, and a place for work.

use std::path::{Path, PathBuf};

use index::{Index, Snapshot};
use store::Store;

use crate::about::About;
use crate::collection::Opened;
use crate::commit::remove_all;
use crate::error::Error;
use crate::job::{Folder, Intake, Mark, Packer, make_folders};
use crate::limits::Limits;

/// An archive in a folder. A clone is cheap and is the same archive. Any number of processes may read it while others write.
#[derive(Debug, Clone)]
pub struct Archive {
    folder: PathBuf,
    pub(crate) store: Store,
    pub(crate) index: Index,
    pub(crate) opened: Opened,
    pub(crate) limits: Limits,
}

impl Archive {
    /// Makes an archive in a folder; one that is there already is opened.
    ///
    /// # Errors
    /// When the folder cannot be made, or holds a store of a later version.
    pub fn create(folder: &Path) -> Result<Archive, Error> {
        let work = folder.join("work");
        make_folders(&work)?;
        Store::create(&folder.join("store"))?;
        Archive::open(folder)
    }

    /// Opens the archive in a folder.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(folder: &Path) -> Result<Archive, Error> {
        let store = Store::open(&folder.join("store")).map_err(|source| match source {
            // One that may not be read, or is of a later version, is there all the same.
            source if source.is_absent() => {
                Error::NoArchive { path: folder.to_owned(), source: Box::new(source) }
            }
            source => Error::Store(source),
        })?;
        let index = Index::open(&folder.join("index"))?;
        let opened = Opened::default();
        Ok(Archive { folder: folder.to_owned(), store, index, opened, limits: Limits::default() })
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

    /// The folders that are written to; each may be on a disk of its own. Some may not be there yet.
    #[must_use]
    pub fn written(&self) -> Vec<PathBuf> {
        let inside = ["store", "work", "index", "collections"].map(|name| self.folder.join(name));
        std::iter::once(self.folder.clone()).chain(inside).collect()
    }

    /// What is committed, as of now; it stays as it is while later commits come in.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        Ok(self.index.snapshot()?)
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
        jobs.retain(|job| !Folder::of(&self.work(), job).is_committing());
        Ok(jobs)
    }

    /// Begins a job. What an earlier one of this name left without ever having settled anything is removed.
    ///
    /// # Errors
    /// When the name is none, or a job of this name has been committed or is on its way there.
    pub fn begin(&self, job: &str, about: &About) -> Result<(Packer, Intake), Error> {
        let folder = self.job(job)?;
        if folder.is_committing() {
            return Err(Error::Committing(job.to_owned()));
        }
        if !self.store.files_of(job)?.is_empty() || self.is_committed(job)? {
            return Err(Error::JobExists(job.to_owned()));
        }
        remove_all(folder.path())?;
        make_folders(folder.path())?;
        Intake::open(folder, about, self.index.clone(), None)
    }

    /// Goes on with a job: its files are cut back to the mark. Where a power loss has left less than that, what is whole is kept, and
    /// the loss is told as a warning.
    ///
    /// # Errors
    /// When there is no such job, it is committed already, or the mark is none.
    pub fn resume(&self, job: &str, about: &About, mark: &Mark) -> Result<(Packer, Intake), Error> {
        let folder = self.job(job)?;
        if !folder.path().is_dir() {
            let is_committed = self.is_committed(job)?;
            let job = job.to_owned();
            return Err(if is_committed { Error::IsCommitted(job) } else { Error::NoJob(job) });
        }
        Intake::open(folder, about, self.index.clone(), Some(mark.position()?))
    }

    /// Throws a job away that has not been committed: its whole folder in `work/`.
    ///
    /// # Errors
    /// When it is committed, or its folder cannot be removed.
    pub fn discard(&self, job: &str) -> Result<(), Error> {
        let folder = self.job(job)?;
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

    pub(crate) fn job(&self, job: &str) -> Result<Folder, Error> {
        if !store::is_name(job) {
            return Err(store::Error::Name(job.chars().take(200).collect()).into());
        }
        Ok(Folder::of(&self.work(), job))
    }

    pub(crate) fn is_committed(&self, job: &str) -> Result<bool, Error> {
        Ok(self.index.snapshot()?.commits().iter().any(|commit| commit.name == job))
    }
}
