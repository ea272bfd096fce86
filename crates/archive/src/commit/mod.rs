//! Bringing a finished job into the archive: all of it, or nothing.
//!
//! ```text
//! 1 everything appended is brought to the disk
//! 2 the lines are sorted; unless there is much, they become a part of the index from here on that nobody sees yet, and the
//!   files are read for their checksums
//! 3 the metadata file is written
//! 4 `commit` names the files, with the checksums of those that came from elsewhere: from here on it only goes forward
//! 5 each file is sealed in the store
//! 6 the lines are published: one rename makes all of them visible
//! 7 the job's files in the work folder are removed
//! ```
//! After a crash before 4 the job is resumed from its mark and commits anew; behind it the rest is done again from where it
//! stopped, by the same call.

mod list;
mod metadata;
mod published;
mod rows;

use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use store::{Digested, Sealed};

use crate::about::About;
use crate::archive::Archive;
use crate::collection::{Collection, WEB};
use crate::error::Error;
use crate::job::{Intake, JobFolder, sync_folder};
use crate::notes::{Content, Note};

pub use list::ListedFile;
pub use published::Published;
pub use rows::{publish_lines, sort_file};

pub(crate) use metadata::write as write_metadata;

/// A job that is part of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// Its files, the metadata file last.
    pub files: Vec<Sealed>,
    /// Lines in the index.
    pub captures: u64,
}

impl Archive {
    /// Brings a job into the archive: its notes become a metadata file, all files are sealed, all captures published in one step.
    /// Its files in `work/<job>/warc` are gone then; whatever else is in `work/<job>` is the caller's.
    ///
    /// # Errors
    /// When anything of this fails: then nothing of the job is visible. The same can be asked again after
    /// [`resume`](Archive::resume), also after a crash.
    pub fn commit(
        &self,
        mut intake: Intake,
        last: Vec<Note>,
        commit: index::Commit,
    ) -> Result<Committed, Error> {
        let commit = index::Commit { name: intake.job().to_owned(), ..commit };
        let folder = self.job_folder(&commit.name)?;
        let (files, notes) = if intake.is_committing() {
            (list::read(&folder)?, None)
        } else {
            let mark = intake.flush()?.position()?;
            intake.sync()?;
            let files = (1..=mark.serial).map(|serial| folder.file_name(serial));
            (files.chain([folder.metadata_name()]).map(ListedFile::new).collect(), Some(last))
        };
        intake.forget_digests();
        let (about, index) = (intake.about(), &self.index);
        let job = Finished { folder: &folder, about, index, collection: WEB, commit: &commit, files: &files };
        let committed = self.bring_in(&job, notes)?;
        remove(&folder, about)?;
        Ok(committed)
    }

    /// The same for files that lie in a job's folder, are on the disk and not written by us, into any collection. Without them the commit
    /// has begun already, and is brought to its end; unless they have changed ([`Error::Changed`]).
    ///
    /// # Errors
    /// As [`Archive::commit`], and [`Error::Changed`].
    pub fn commit_files(
        &self,
        collection: &Collection,
        (folder, about): (&JobFolder, &About),
        commit: &index::Commit,
        files: Option<Vec<ListedFile>>,
        notes: Vec<Note>,
    ) -> Result<Committed, Error> {
        let (files, notes) = match files {
            Some(files) => {
                (files.into_iter().chain([ListedFile::new(folder.metadata_name())]).collect(), Some(notes))
            }
            None => (list::read(folder)?, None),
        };
        let (index, collection) = (collection.index(), collection.name());
        let job = Finished { folder, about, index, collection, commit, files: &files };
        let committed = self.bring_in(&job, notes)?;
        remove(folder, about)?;
        Ok(committed)
    }

    /// Seals and publishes; with notes, after writing down what there is. Each step may have been done before.
    fn bring_in(&self, job: &Finished<'_>, notes: Option<Vec<Note>>) -> Result<Committed, Error> {
        let snapshot =
            self.committed.checked_snapshot(job.collection, &self.store, || job.index.snapshot())?;
        let to_write = notes.map(|notes| (notes, snapshot));
        if to_write.is_some() {
            rows::sort(job.folder, job.about)?;
        }
        let prepare = || match &to_write {
            Some((notes, against)) => job.prepare(notes, against.commits()),
            None => Ok(()),
        };
        let notes = to_write.as_ref().map(|(notes, _)| notes.as_slice()).unwrap_or_default();
        let committed = if job.bytes(notes) <= job.about.limits.at_once_bytes {
            self.at_once(job, prepare)?
        } else {
            prepare()?;
            let files = self.seal(job, Vec::new())?;
            let captures = rows::publish(job.index, job.folder, job.commit, || Ok(()))?;
            Committed { files, captures }
        };
        self.committed.add(job.collection);
        Ok(committed)
    }

    /// Files are read and notes are packed while lines are put together, which become visible when all files are sealed. Whoever
    /// else wants to commit waits for all that, so it is done only where it does not take long.
    fn at_once(
        &self,
        job: &Finished<'_>,
        prepare: impl FnOnce() -> Result<(), Error> + Send,
    ) -> Result<Committed, Error> {
        thread::scope(|scope| {
            let reading = scope.spawn(|| job.read());
            let mut sealing = Some(scope.spawn(|| {
                prepare()?;
                self.seal(job, reading.join().map_err(|_| Error::Panicked)?)
            }));
            let mut wait = || match sealing.take().map(ScopedJoinHandle::join) {
                Some(sealed) => sealed.unwrap_or(Err(Error::Panicked)),
                None => Ok(Vec::new()),
            };
            let mut files = Vec::new();
            let published = rows::publish(job.index, job.folder, job.commit, || {
                files = wait()?;
                Ok(())
            });
            match published {
                Ok(captures) => Ok(Committed { files, captures }),
                // Where both have failed, that the disk is full tells more.
                Err(error) => Err(wait().err().filter(Error::is_full).unwrap_or(error)),
            }
        })
    }

    fn seal(&self, job: &Finished<'_>, digested: Vec<Option<Digested>>) -> Result<Vec<Sealed>, Error> {
        let files = job.files.iter().zip(digested.into_iter().chain(iter::repeat(None)));
        let mut sealing = self.store.sealing(job.folder.job())?;
        files
            .map(|(file, digested)| {
                let digested = file.digested(job.folder, digested)?;
                let sealed = sealing.seal(&job.path(file), digested)?;
                file.compare(job.folder, &sealed.sha256)?;
                Ok(sealed)
            })
            .collect()
    }
}

/// A job that is to become part of the archive.
struct Finished<'a> {
    folder: &'a JobFolder,
    about: &'a About,
    /// Where its lines go.
    index: &'a index::Index,
    /// What that is called.
    collection: &'a str,
    commit: &'a index::Commit,
    /// Its files, the metadata file last.
    files: &'a [ListedFile],
}

impl Finished<'_> {
    /// Everything that must be there before the first file leaves the work folder.
    fn prepare(&self, notes: &[Note], against: &[index::Commit]) -> Result<(), Error> {
        let published = Published {
            commit: self.commit.clone(),
            collection: Some(self.collection.to_owned()),
            after: against.last().map(|last| last.name.clone()),
        };
        metadata::write(self.folder, self.about, notes, &published, against)?;
        list::write(self.folder, self.about, self.files)
    }

    /// The checksums of its files but the metadata file, which is written only now. Of those that are not there, sealing tells
    /// what that means.
    fn read(&self) -> Vec<Option<Digested>> {
        let files = self.files.split_last().map(|(_, files)| files).unwrap_or_default();
        files.iter().map(|file| Digested::of(&self.path(file)).ok()).collect()
    }

    /// Bytes that are still to be read: files, lines, notes.
    fn bytes(&self, notes: &[Note]) -> u64 {
        let files = self.files.iter().map(|file| self.path(file)).chain([self.folder.sorted()]);
        let notes = notes.iter().filter_map(|note| match &note.content {
            Content::File(path) => Some(path.clone()),
            Content::Bytes(_) => None,
        });
        let lengths = files.chain(notes).filter_map(|path| fs::metadata(path).ok());
        lengths.map(|facts| facts.len()).sum()
    }

    fn path(&self, file: &ListedFile) -> PathBuf {
        self.folder.path().join(&file.name)
    }
}

/// Removes the job's files from the work folder: in one step out of sight, then one by one.
fn remove(folder: &JobFolder, about: &About) -> Result<(), Error> {
    let done = folder.path().with_extension("done");
    remove_all(&done)?;
    about.disk.rename(folder.path(), &done).map_err(Error::write(folder.path()))?;
    if let Some(above) = done.parent() {
        sync_folder(above)?;
    }
    remove_all(&done)
}

/// Removes a folder with everything in it; one that does not exist is fine.
///
/// # Errors
/// When the disk fails.
pub fn remove_all(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(folder)(error)),
        _ => Ok(()),
    }
}
