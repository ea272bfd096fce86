//! `work/<job>/import`: says that a folder is an import at work, into which collection, and by its lock that somebody is at it.
//!
//! ```text
//! varve-import 1
//! collection web
//! at 2026-11-16T08:00:00Z
//! ```

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use archive::About;
use archive::Archive;
use archive::Error;
use archive::job_files::remove_all;
use archive::job_files::sync_folder;
use jiff::Timestamp;

const VERSION: &str = "varve-import 1";
const FILE: &str = "import";

/// A running import's mark. Its lock is let go with it, whatever becomes of the process.
#[derive(Debug)]
pub(super) struct Marker {
    folder: PathBuf,
    _file: File,
}

impl Marker {
    /// Marks a job's folder, which is there already.
    pub(super) fn set(folder: &Path, collection: &str, at: Timestamp) -> Result<Marker, Error> {
        let (path, fresh) = (folder.join(FILE), folder.join("import.new"));
        let written = || {
            let mut file = File::create_new(&fresh)?;
            // Before anybody can find it.
            file.lock()?;
            file.write_all(format!("{VERSION}\ncollection {collection}\nat {at}\n").as_bytes())?;
            file.sync_all()?;
            fs::rename(&fresh, &path)?;
            Ok(file)
        };
        let file = written().map_err(Error::write(&path))?;
        sync_folder(folder)?;
        Ok(Marker { folder: folder.to_owned(), _file: file })
    }

    /// Removes the whole folder.
    pub(super) fn remove(self) -> Result<(), Error> {
        remove(&self.folder)
    }
}

/// Removes the folder of an import, the mark last: what is left when it breaks off is removed by the next.
fn remove(folder: &Path) -> Result<(), Error> {
    for part in ["warc", "warc.done", "unpacked"] {
        remove_all(&folder.join(part))?;
    }
    remove_all(folder)
}

/// What an import is published under, wherever it is begun or brought to its end.
pub(super) fn commit(job: &str, at: Timestamp) -> index::Commit {
    index::Commit { name: job.to_owned(), at, facts: vec![("kind".to_owned(), "import".to_owned())] }
}

/// Brings to its end, or removes, what imports have left that did not come to theirs. Those at which somebody works are left alone.
pub(super) fn tidy_up(archive: &Archive, about: &About) -> Result<(), Error> {
    let work = archive.work();
    let entries = fs::read_dir(&work).map_err(Error::read(&work))?;
    for entry in entries.flatten() {
        let job = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path().join(FILE);
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let (true, Ok(mut file)) = (is_folder, private::read(&path)) else { continue };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => continue,
            Err(TryLockError::Error(error)) => return Err(Error::read(&path)(error)),
        }
        if let Err(error) = private::check_folder(&entry.path()) {
            tracing::warn!("{job}: an import that was interrupted is left alone: {error}");
            continue;
        }
        let mut text = String::new();
        (&mut file).take(4096).read_to_string(&mut text).map_err(Error::read(&path))?;
        let folder = archive.job_folder(&job)?;
        if let (true, Some((collection, at))) = (folder.is_committing(), parse(&text)) {
            let collection = archive.create_collection(&collection)?;
            tracing::info!("{job}: an import that was interrupted is brought to its end");
            let commit = commit(&job, at);
            let done = archive.commit_files(&collection, (&folder, about), &commit, None, Vec::new());
            if let Err(error @ Error::Changed { .. }) = done {
                // Nobody has seen anything of it, and its files are still where they came from.
                archive.store().withdraw(&job)?;
                remove(&entry.path())?;
                return Err(error);
            }
            done?;
        }
        remove(&entry.path())?;
    }
    Ok(())
}

fn parse(text: &str) -> Option<(String, Timestamp)> {
    let mut lines = text.lines();
    if lines.next() != Some(VERSION) {
        return None;
    }
    let collection = lines.next()?.strip_prefix("collection ")?.to_owned();
    Some((collection, lines.next()?.strip_prefix("at ")?.parse().ok()?))
}
