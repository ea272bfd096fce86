//! The collections that have had commits: `committed/`, a folder with an empty file for each of them.
//!
//! ```text
//! committed/papers
//! committed/web
//! ```
//! An index folder that does not exist is an empty index. This list tells a lost index from one that never had a commit. Every commit
//! leaves at least one commit in the index, also a removal, so an index without commits is lost, too. Several processes may add
//! collections at the same time: each creates a file of its own. An archive without the folder gets one when it is opened; its jobs tell
//! then whether it had indexes.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use index::{Index, Snapshot};
use store::Store;

use crate::collection::WEB;
use crate::error::Error;
use crate::job::{JobFolder, sync_folder};
use crate::job_files::{is_indexed_job, published};

const FOLDER: &str = "committed";
/// The list of an earlier version. It is read nowhere.
const OLD_LIST: &str = "index.begun";

/// The collections of an archive that have had commits. A clone is cheap and is the same.
#[derive(Debug, Clone)]
pub(crate) struct CollectionList {
    archive: PathBuf,
    /// Those whose files are known to exist.
    names: Arc<Mutex<BTreeSet<String>>>,
}

impl CollectionList {
    /// Reads the list of an archive, and checks that no index is lost. The index of a further collection is checked for commits when
    /// somebody opens that collection.
    ///
    /// # Errors
    /// [`Error::IndexLost`], and when the list, an index or the store cannot be read.
    pub(crate) fn open(archive: &Path, store: &Store, web: &Index) -> Result<CollectionList, Error> {
        // A copy of an archive may lack the files of the list but have its folder.
        let Some(mut names) = read(archive)?.filter(|names| !names.is_empty()) else {
            return CollectionList::migrate(archive, store);
        };
        let list = CollectionList::new(archive, &names);
        let has_web = !web.snapshot()?.commits().is_empty();
        let is_lost = |name: &str| match name {
            WEB => !has_web,
            name => !Index::is_there(&index_folder(archive, name)),
        };
        if let Some(lost) = names.iter().find(|name| is_lost(name))
            && has_jobs(archive, store)?
        {
            return Err(lost_index(archive, lost));
        }
        if has_web && names.insert(WEB.to_owned()) {
            list.add(WEB);
        }
        Ok(list)
    }

    /// The list as it is, for callers that use the archive without its indexes.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub(crate) fn open_unchecked(archive: &Path) -> Result<CollectionList, Error> {
        Ok(CollectionList::new(archive, &read(archive)?.unwrap_or_default()))
    }

    fn new(archive: &Path, names: &BTreeSet<String>) -> CollectionList {
        CollectionList { archive: archive.to_owned(), names: Arc::new(Mutex::new(names.clone())) }
    }

    /// Makes the list of an archive that has none: every job of the store should be in an index, unless somebody has removed it from one
    /// that has other commits.
    fn migrate(archive: &Path, store: &Store) -> Result<CollectionList, Error> {
        // The jobs first: an index that is read afterwards has the commits of all of them.
        let jobs: Vec<String> = jobs(archive, store)?.collect();
        let (names, commits) = commits(archive)?;
        for job in jobs.into_iter().filter(|job| !commits.contains(job)) {
            if !is_indexed_job(store, &archive.join("store"), &job)? {
                continue;
            }
            // Jobs of the first version do not name a collection: there was only one then.
            let collection = published(store, &job).and_then(|published| published.collection);
            let collection = collection.unwrap_or_else(|| WEB.to_owned());
            if !names.contains(&collection) {
                return Err(lost_index(archive, &collection));
            }
        }
        // The archive may be on a read-only disk. Then the next process does this again.
        if !names.is_empty() {
            let _ = write(archive, &names);
        }
        Ok(CollectionList::new(archive, &names))
    }

    /// Records that a collection has a commit.
    pub(crate) fn add(&self, collection: &str) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.contains(collection) {
            return;
        }
        let mut wanted = names.clone();
        wanted.insert(collection.to_owned());
        match write(&self.archive, &wanted) {
            Ok(()) => *names = wanted,
            Err(error) if is_read_only(&error) => {}
            Err(error) => tracing::warn!("cannot record that collection `{collection}` has commits: {error}"),
        }
    }

    /// The newest snapshot of a collection's index. `take` reads it.
    ///
    /// # Errors
    /// [`Error::IndexLost`] if the collection has had commits and its index has none now; and when the index or the store cannot be read.
    pub(crate) fn checked_snapshot(
        &self,
        collection: &str,
        store: &Store,
        mut take: impl FnMut() -> Result<Snapshot, index::Error>,
    ) -> Result<Snapshot, Error> {
        let snapshot = take()?;
        if !snapshot.commits().is_empty() || !self.has_commits(collection, store)? {
            return Ok(snapshot);
        }
        // Another thread or process may have made the first commit since. It publishes the index before it adds the collection to the
        // list, so this second snapshot has the commit.
        let snapshot = take()?;
        match snapshot.commits().is_empty() {
            true => Err(lost_index(&self.archive, collection)),
            false => Ok(snapshot),
        }
    }

    /// Whether the list has a collection, and the store a job that belongs in an index.
    fn has_commits(&self, collection: &str, store: &Store) -> Result<bool, Error> {
        let is_known = self.names.lock().unwrap_or_else(PoisonError::into_inner).contains(collection);
        // Another process may have made the first commit.
        let is_listed = is_known || self.archive.join(FOLDER).join(collection).exists();
        Ok(is_listed && has_jobs(&self.archive, store)?)
    }
}

/// Replaces the list of the collections that have commits, after the indexes of the archive in this folder were made again.
///
/// # Errors
/// When an index cannot be read, or the list cannot be written.
pub fn replace_list(archive: &Path) -> Result<(), Error> {
    let path = archive.join(FOLDER);
    let names = commits(archive)?.0;
    for name in read(archive)?.unwrap_or_default().difference(&names) {
        let path = path.join(name);
        fs::remove_file(&path).map_err(Error::write(&path))?;
    }
    if names.is_empty() {
        return Ok(());
    }
    write(archive, &names).map_err(Error::write(&path))
}

fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

fn lost_index(archive: &Path, collection: &str) -> Error {
    Error::IndexLost { collection: collection.to_owned(), path: index_folder(archive, collection) }
}

/// The collections whose indexes have commits, and the names of all these commits.
fn commits(archive: &Path) -> Result<(BTreeSet<String>, HashSet<String>), Error> {
    let (mut names, mut commits) = (BTreeSet::new(), HashSet::new());
    let others = entries(&archive.join("collections"))?.unwrap_or_default();
    for name in others.into_iter().chain([WEB.to_owned()]) {
        let own = index_folder(archive, &name);
        if !Index::is_there(&own) {
            continue;
        }
        let snapshot = Index::open(&own)?.snapshot()?;
        if !snapshot.commits().is_empty() {
            commits.extend(snapshot.commits().iter().map(|commit| commit.name.clone()));
            names.insert(name);
        }
    }
    Ok((names, commits))
}

fn index_folder(archive: &Path, name: &str) -> PathBuf {
    match name {
        WEB => archive.join("index"),
        name => archive.join("collections").join(name).join("index"),
    }
}

/// The jobs of the store whose commits are not in progress.
fn jobs(archive: &Path, store: &Store) -> Result<impl Iterator<Item = String>, Error> {
    let work = archive.join("work");
    Ok(store.jobs()?.into_iter().filter(move |job| !JobFolder::of(&work, job).is_committing()))
}

/// Whether the store has a job that belongs in an index.
fn has_jobs(archive: &Path, store: &Store) -> Result<bool, Error> {
    for job in jobs(archive, store)? {
        if is_indexed_job(store, &archive.join("store"), &job)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The collections of the list; `None` where there is no list.
fn read(archive: &Path) -> Result<Option<BTreeSet<String>>, Error> {
    Ok(entries(&archive.join(FOLDER))?.map(BTreeSet::from_iter))
}

/// The names in a folder that may be those of collections; `None` where there is no folder.
fn entries(folder: &Path) -> Result<Option<Vec<String>>, Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::read(folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(Error::read(folder))?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| store::is_name(name));
    Ok(Some(names))
}

/// Adds collections to the list. The folder gets its name when all of them are in it: a list that exists is complete.
fn write(archive: &Path, names: &BTreeSet<String>) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let folder = archive.join(FOLDER);
    if !folder.is_dir() {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let fresh = archive.join(format!(".{FOLDER}.{}-{number}", process::id()));
        let renamed = fill(&fresh, names).and_then(|()| fs::rename(&fresh, &folder));
        if renamed.is_err() {
            let _ = fs::remove_dir_all(&fresh);
        }
        // Another process may have been first.
        if renamed.is_err() && !folder.is_dir() {
            return renamed;
        }
    }
    fill(&folder, names)?;
    sync_folder(archive).map_err(io::Error::other)?;
    let _ = fs::remove_file(archive.join(OLD_LIST));
    Ok(())
}

/// Creates the files of a list that are not there, on the disk.
fn fill(folder: &Path, names: &BTreeSet<String>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for name in names {
        let path = folder.join(name);
        if path.metadata().is_ok_and(|file| file.len() > 0) {
            continue;
        }
        // Not empty, because some programs that copy folders leave empty files out.
        let mut file = File::create(path)?;
        file.write_all(b"has commits\n")?;
        file.sync_all()?;
    }
    sync_folder(folder).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_files::{ListedFile, check_file};
    use crate::{About, Archive};

    /// Another thread's first commit, between this thread's reading of the index and its look at the list. (Issue 20.)
    #[test]
    fn a_first_commit_while_the_index_is_read_is_not_a_lost_index() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::create(folder.path()).unwrap();
        let mut reads = 0;
        let snapshot = archive.committed.checked_snapshot(WEB, &archive.store, || {
            reads += 1;
            let snapshot = archive.index.snapshot();
            if reads == 1 {
                commit_record(&archive);
            }
            snapshot
        });
        assert_eq!(snapshot.unwrap().commits().len(), 1);
        assert_eq!(reads, 2);
    }

    /// A job with one record, in a file from elsewhere.
    fn commit_record(archive: &Archive) {
        let body = "HTTP/1.1 200 OK\r\n\r\nwords";
        let head = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n\
             WARC-Date: 2026-11-18T10:00:00Z\r\nWARC-Target-URI: http://example.org/\r\n\
             Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let text = format!("{head}{body}\r\n\r\n");
        let about = About::new("2026-11-18T10:00:00Z".parse().unwrap(), testkit::ids::record_ids());
        archive.make_job_folder("one").unwrap();
        let folder = archive.job_folder("one").unwrap();
        let name = "one.warc".to_owned();
        fs::write(folder.path().join(&name), &text).unwrap();
        let mut lines = crate::job::CAPTURES_HEAD.to_vec();
        check_file(text.as_bytes(), ("one/one.warc", "one"), &mut lines).unwrap();
        fs::write(folder.captures(), lines).unwrap();
        let sha256 = warc::Digest::of(warc::Algorithm::Sha256, text.as_bytes()).hex();
        let files = vec![ListedFile::checked(name, sha256)];
        let commit = index::Commit { name: "one".to_owned(), at: about.started, facts: Vec::new() };
        let collection = archive.collection(WEB).unwrap().unwrap();
        archive.commit_files(&collection, (&folder, &about), &commit, Some(files), Vec::new()).unwrap();
    }
}
