//! Bringing a finished job into the archive: all of it, or nothing.
//!
//! ```text
//! 1 everything appended is brought to the disk
//! 2 the lines are sorted; the metadata file is written
//! 3 `commit` names the files: from here on it only goes forward
//! 4 each file is sealed in the store; meanwhile the lines become a part of the index that nobody sees yet
//! 5 the lines are published, when all files are sealed: one rename makes all of them visible
//! 6 the job's files in the work folder are removed
//! ```
//! After a crash before 3 the job is resumed from its mark and commits anew; behind it the rest is done again from where it
//! stopped, by the same call.

mod list;
mod metadata;
mod rows;

use std::fs;
use std::io;
use std::path::Path;
use std::thread::{self, ScopedJoinHandle};

use store::Sealed;

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
        if !intake.is_committing() {
            let mark = intake.flush()?.position()?;
            intake.sync()?;
            self.prepare(&folder, intake.about(), mark.serial, &last, &commit)?;
        }
        intake.forget_digests();
        self.bring_in(&folder, intake.about(), &commit)
    }

    /// Everything that must be there before the first file leaves the work folder.
    fn prepare(
        &self,
        folder: &Folder,
        about: &About,
        serial: u32,
        notes: &[Note],
        commit: &index::Commit,
    ) -> Result<(), Error> {
        rows::sort(folder, about)?;
        let against = self.index.snapshot()?;
        metadata::write(folder, about, notes, commit, against.commits())?;
        let mut files: Vec<String> = (1..=serial).map(|serial| folder.file_name(serial)).collect();
        files.push(folder.metadata_name());
        list::write(folder, about, &files)
    }

    /// Seals, publishes, tidies up. Each step may have been done before.
    fn bring_in(&self, folder: &Folder, about: &About, commit: &index::Commit) -> Result<Committed, Error> {
        let names = list::read(folder)?;
        let (files, captures) = self.seal_and_publish(folder, commit, &names)?;
        remove(folder, about)?;
        Ok(Committed { files, captures })
    }

    /// The lines are put together while the files are being read, and become visible when all files are sealed.
    fn seal_and_publish(
        &self,
        folder: &Folder,
        commit: &index::Commit,
        names: &[String],
    ) -> Result<(Vec<Sealed>, u64), Error> {
        thread::scope(|scope| {
            let mut sealing = Some(scope.spawn(|| self.seal(folder, names)));
            let mut wait = || match sealing.take().map(ScopedJoinHandle::join) {
                Some(sealed) => sealed.unwrap_or(Err(Error::Panicked)),
                None => Ok(Vec::new()),
            };
            if bytes_of(folder, names) > MEANWHILE_BYTES_MAX {
                let files = wait()?;
                return Ok((files, rows::publish(&self.index, folder, commit, || Ok(()))?));
            }
            let mut files = Vec::new();
            let published = rows::publish(&self.index, folder, commit, || {
                files = wait()?;
                Ok(())
            });
            match published {
                Ok(captures) => Ok((files, captures)),
                // Where both have failed, that the disk is full tells more.
                Err(error) => Err(wait().err().filter(Error::is_full).unwrap_or(error)),
            }
        })
    }

    fn seal(&self, folder: &Folder, names: &[String]) -> Result<Vec<Sealed>, Error> {
        names.iter().map(|name| Ok(self.store.seal(folder.job(), &folder.path().join(name))?)).collect()
    }
}

/// How much is sealed while the index is being written, at most: others who commit wait for that.
const MEANWHILE_BYTES_MAX: u64 = 2 << 30;

/// Bytes of files that are still to be sealed.
fn bytes_of(folder: &Folder, names: &[String]) -> u64 {
    let lengths = names.iter().filter_map(|name| fs::metadata(folder.path().join(name)).ok());
    lengths.map(|facts| facts.len()).sum()
}

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
