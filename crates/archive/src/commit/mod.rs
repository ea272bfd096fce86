//! Bringing a finished job into the archive: all of it, or nothing.
//!
//! ```text
//! 1 everything appended is brought to the disk; files are read from here on for their checksums
//! 2 the lines are sorted; from here on they become a part of the index that nobody sees yet
//! 3 the metadata file is written
//! 4 `commit` names the files: from here on it only goes forward
//! 5 each file is sealed in the store
//! 6 the lines are published: one rename makes all of them visible
//! 7 the job's files in the work folder are removed
//! ```
//! After a crash before 4 the job is resumed from its mark and commits anew; behind it the rest is done again from where it
//! stopped, by the same call.

mod list;
mod metadata;
mod rows;

use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use store::{Content, Sealed};

use crate::about::About;
use crate::archive::Archive;
use crate::error::Error;
use crate::job::{Folder, Intake, sync_folder};
use crate::notes::Note;

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
        let folder = self.job(&commit.name)?;
        let (names, notes) = if intake.is_committing() {
            (list::read(&folder)?, None)
        } else {
            let mark = intake.flush()?.position()?;
            intake.sync()?;
            let files = (1..=mark.serial).map(|serial| folder.file_name(serial));
            (files.chain([folder.metadata_name()]).collect(), Some(last))
        };
        intake.forget_digests();
        let job = Finished { folder: &folder, about: intake.about(), commit: &commit, names: &names };
        let committed = self.bring_in(&job, notes)?;
        remove(&folder, intake.about())?;
        Ok(committed)
    }

    /// Seals and publishes; with notes, after writing down what there is. Each step may have been done before.
    ///
    /// Most of it is reading: files are read from the start, lines are put together while the notes are packed, and become
    /// visible when all files are sealed.
    fn bring_in(&self, job: &Finished<'_>, notes: Option<Vec<Note>>) -> Result<Committed, Error> {
        let against = self.index.snapshot()?;
        thread::scope(|scope| {
            let reading = scope.spawn(|| job.read());
            if notes.is_some() {
                rows::sort(job.folder, job.about)?;
            }
            let mut sealing = Some(scope.spawn(|| {
                if let Some(notes) = notes {
                    job.prepare(&notes, against.commits())?;
                }
                self.seal(job, reading.join().unwrap_or_default())
            }));
            let mut wait = || match sealing.take().map(ScopedJoinHandle::join) {
                Some(sealed) => sealed.unwrap_or(Err(Error::Panicked)),
                None => Ok(Vec::new()),
            };
            if job.bytes() > MEANWHILE_BYTES_MAX {
                let files = wait()?;
                let captures = rows::publish(&self.index, job.folder, job.commit, || Ok(()))?;
                return Ok(Committed { files, captures });
            }
            let mut files = Vec::new();
            let published = rows::publish(&self.index, job.folder, job.commit, || {
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

    fn seal(&self, job: &Finished<'_>, contents: Vec<Option<Content>>) -> Result<Vec<Sealed>, Error> {
        let contents = contents.into_iter().chain(iter::repeat(None));
        let files = job.names.iter().zip(contents);
        files
            .map(|(name, content)| Ok(self.store.seal_read(job.folder.job(), &job.path(name), content)?))
            .collect()
    }
}

/// A job that is to become part of the archive.
struct Finished<'a> {
    folder: &'a Folder,
    about: &'a About,
    commit: &'a index::Commit,
    /// Its files, the metadata file last.
    names: &'a [String],
}

impl Finished<'_> {
    /// Everything that must be there before the first file leaves the work folder.
    fn prepare(&self, notes: &[Note], against: &[index::Commit]) -> Result<(), Error> {
        metadata::write(self.folder, self.about, notes, self.commit, against)?;
        list::write(self.folder, self.about, self.names)
    }

    /// What is in its files. Of those that are not there, sealing tells what that means.
    fn read(&self) -> Vec<Option<Content>> {
        self.names.iter().map(|name| Content::of(&self.path(name)).ok()).collect()
    }

    /// Bytes of files that are still to be sealed.
    fn bytes(&self) -> u64 {
        let lengths = self.names.iter().filter_map(|name| fs::metadata(self.path(name)).ok());
        lengths.map(|facts| facts.len()).sum()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// How much is sealed while the index is being written, at most: others who commit wait for that.
const MEANWHILE_BYTES_MAX: u64 = 2 << 30;

/// Removes the job's files from the work folder: in one step out of sight, then one by one.
fn remove(folder: &Folder, about: &About) -> Result<(), Error> {
    let done = folder.path().with_extension("done");
    remove_all(&done)?;
    about.disk.rename(folder.path(), &done).map_err(Error::write(folder.path()))?;
    if let Some(above) = done.parent() {
        sync_folder(above)?;
    }
    remove_all(&done)
}

pub(crate) fn remove_all(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(folder)(error)),
        _ => Ok(()),
    }
}
