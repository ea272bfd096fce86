//! Captures that are taken out of a collection's index. It is written down in the store before, as a job of its own, so that they
//! stay out when the index is made again.
//!
//! ```text
//! store/removal-20261118093000/removal-20261118093000-metadata.warc.gz
//!     setup/commit         kind=removal, and of which job or how many captures
//!     index/removed.cdxj   their lines; none where it is a whole job
//! ```

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;

use cdx::Capture;
use index::Commit;

use crate::about::{About, Dedup};
use crate::archive::Archive;
use crate::collection::Collection;
use crate::commit::{Published, remove_all, write_metadata};
use crate::error::Error;
use crate::job::{CAPTURES_HEAD, Folder, make_folders};
use crate::notes::{Content, Note};

/// What a removal's job begins with.
const NAME: &str = "removal-";
/// The file of lines in its metadata.
pub(crate) const REMOVED: &str = "removed.cdxj";
/// Where it is put together, and what tells that somebody does.
const ROOM: &str = ".removal";
const LOCK: &str = ".removal.lock";

/// What is taken out.
#[derive(Debug, Clone, Copy)]
pub enum Removal<'a> {
    /// All captures of a job.
    Job(&'a str),
    /// These; what counts is key, time, file and offset.
    Captures(&'a [Capture<'static>]),
}

impl Archive {
    /// Writes down in the store that captures are taken out of a collection. Whoever takes them out calls this before, and publishes the commit,
    /// which has no captures of its own, so that later jobs come behind it. Of captures whose files are none of
    /// the store's there is nothing to write down: `None` where all are such.
    ///
    /// # Errors
    /// When it cannot be written. Then nothing is to be taken out.
    pub fn note_removal(
        &self,
        collection: &Collection,
        removal: Removal<'_>,
        about: &About,
    ) -> Result<Option<Commit>, Error> {
        let own;
        let removal = match removal {
            Removal::Captures(captures) => {
                own = self.own(captures)?;
                Removal::Captures(&own)
            }
            job @ Removal::Job(_) => job,
        };
        if matches!(removal, Removal::Captures([])) {
            return Ok(None);
        }
        let work = self.work();
        make_folders(&work)?;
        let path = work.join(LOCK);
        let lock = File::create(&path).map_err(Error::write(&path))?;
        lock.lock().map_err(Error::write(&path))?;
        let room = work.join(ROOM);
        // One that a crash has left was never carried out.
        remove_all(&room)?;
        let job = self.free_name(about)?;
        let noted = self.seal_removal(&Folder::of(&room, &job), collection, removal, about);
        remove_all(&room)?;
        noted.map(Some)
    }

    /// Those whose files are the store's.
    fn own(&self, captures: &[Capture<'static>]) -> Result<Vec<Capture<'static>>, Error> {
        let jobs: HashSet<String> = self.store.jobs()?.into_iter().collect();
        let is_own = |capture: &&Capture<'static>| {
            let job = capture.filename.as_deref().and_then(|file| file.split_once('/'));
            job.is_some_and(|(job, _)| jobs.contains(job))
        };
        Ok(captures.iter().filter(is_own).cloned().collect())
    }

    /// A name that no job has.
    fn free_name(&self, about: &About) -> Result<String, Error> {
        let stamp = urlkey::time::to_14(about.started);
        let mut number = 1;
        loop {
            let job = if number == 1 { format!("{NAME}{stamp}") } else { format!("{NAME}{stamp}-{number}") };
            if self.store.files_of(&job)?.is_empty() {
                return Ok(job);
            }
            number += 1;
        }
    }

    fn seal_removal(
        &self,
        folder: &Folder,
        collection: &Collection,
        removal: Removal<'_>,
        about: &About,
    ) -> Result<Commit, Error> {
        make_folders(folder.path())?;
        let lines = folder.path().join(REMOVED);
        let fact = match removal {
            Removal::Job(job) => ("job", job.to_owned()),
            Removal::Captures(captures) => {
                write_lines(captures, &lines)?;
                ("captures", captures.len().to_string())
            }
        };
        let facts = [("kind", KIND.to_owned()), fact];
        let facts = facts.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let commit = Commit { name: folder.job().to_owned(), at: about.started, facts };
        let after = collection.snapshot()?.commits().last().map(|last| last.name.clone());
        let published =
            Published { commit: commit.clone(), collection: Some(collection.name().to_owned()), after };
        let note = Note::new(folder.job(), "index", REMOVED, "application/x-cdxj", Content::File(lines));
        let about = &About { dedup: Dedup::Off, ..about.clone() };
        write_metadata(folder, about, &[note], &published, &[])?;
        self.store.seal(folder.job(), &folder.path().join(folder.metadata_name()))?;
        Ok(commit)
    }
}

/// The kind of a removal, among the facts of its commit.
const KIND: &str = "removal";

/// Whether a commit takes captures out instead of bringing some.
#[must_use]
pub fn is_removal(commit: &Commit) -> bool {
    crate::kind::kind(commit) == Some(KIND)
}

/// The job that is taken out, if it is a whole one.
pub(crate) fn removed_job(commit: &Commit) -> Option<&str> {
    fact(commit, "job")
}

fn fact<'c>(commit: &'c Commit, wanted: &str) -> Option<&'c str> {
    commit.facts.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
}

/// Whether a job has the name of a removal.
pub(crate) fn is_removal_name(job: &str) -> bool {
    job.starts_with(NAME)
}

fn write_lines(captures: &[Capture<'static>], path: &Path) -> Result<(), Error> {
    let mut text = CAPTURES_HEAD.to_vec();
    for capture in captures {
        capture.write_cdxj(&mut text);
        text.push(b'\n');
    }
    fs::write(path, text).map_err(Error::write(path))
}
