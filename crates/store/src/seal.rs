//! Sealing: a finished file becomes part of the store, with its checksum, for good.
//!
//! ```text
//! 1 read it, unless that was done before: SHA-256, brought to the disk, made read-only
//! 2 its line in SHA256SUMS, brought to the disk
//! 3 renamed into store/<job>/ (or copied there and renamed, from another disk), both folders brought to the disk
//! ```
//!
//! A crash between any two of these is mended by sealing the same file again: a line without a file is used or followed by a
//! newer one, and a file that is in its place already, and no longer where it came from, is done.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::part::Part;
use crate::store::{Sealed, Store};
use crate::{digest, folder, name, sums};

/// The checksum of a finished file, read before it is sealed.
#[derive(Debug, Clone)]
pub struct Digested {
    sha256: String,
    bytes: u64,
    identity: Identity,
}

/// Which file it is, how long, and when anything about it changed last.
type Identity = (u64, u64, u64, i64, i64);

impl Digested {
    /// Reads a file to its end. Whoever has other things to do meanwhile seals it later, by [`Store::seal_read`].
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(file: &Path) -> Result<Digested, Error> {
        let read = || {
            let source = File::open(file)?;
            // Asked before, so that what comes later shows.
            let identity = identity(&source)?;
            let (sha256, bytes) = digest::of_file(&source)?;
            Ok(Digested { sha256, bytes, identity })
        };
        read().map_err(Error::read(file))
    }

    /// SHA-256 in lower-case hex.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// How long it is.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the file is still what was read.
    fn is_of(&self, file: &File) -> io::Result<bool> {
        Ok(identity(file)? == self.identity)
    }
}

fn identity(file: &File) -> io::Result<Identity> {
    let facts = file.metadata()?;
    Ok((facts.dev(), facts.ino(), facts.len(), facts.ctime(), facts.ctime_nsec()))
}

impl Store {
    /// Takes a finished file into the store, under its own name, as a file of this job. Sealing it again does nothing.
    ///
    /// # Errors
    /// When its name is none, another file of that name is there, or the disk fails or is full; then asking again goes on where
    /// it stopped.
    pub fn seal(&self, job: &str, file: &Path) -> Result<Sealed, Error> {
        self.seal_read(job, file, None)
    }

    /// [`Store::seal`] of a file that may have been read before; one that has changed since is read again.
    ///
    /// # Errors
    /// As there.
    pub fn seal_read(&self, job: &str, file: &Path, digested: Option<Digested>) -> Result<Sealed, Error> {
        self.sealing(job)?.seal(file, digested)
    }

    /// Seals several files of a job: the list of checksums is read once for all of them. Nobody else may seal files of this job
    /// meanwhile.
    ///
    /// # Errors
    /// When the job's name is none, its folder cannot be made, or its list of checksums cannot be read.
    pub fn sealing(&self, job: &str) -> Result<Sealing, Error> {
        let own = folder::of_job(self.folder(), name::checked(job)?);
        folder::make(&own)?;
        let listed = sums::last_of_each(&own)?;
        Ok(Sealing { store: self.clone(), job: job.to_owned(), own, listed })
    }

    /// The file is not where it came from: it has been sealed, or was never there.
    fn sealed(&self, own: &Path, name: String, listed: Option<String>) -> Result<Sealed, Error> {
        let path = self.path(&name)?;
        let (Ok(metadata), Some(sha256)) = (fs::metadata(&path), listed) else {
            return Err(Error::Missing(name));
        };
        // It may have been renamed by a process that ended before the names were on the disk.
        sums::sync(own)?;
        folder::sync(own)?;
        Ok(Sealed { name, bytes: metadata.len(), sha256 })
    }

    /// A file of this name is in its place: the same by a copy that was not tidied up, or another.
    fn sealed_twice(&self, own: &Path, name: String, file: &Path, sha256: &str) -> Result<Sealed, Error> {
        let path = self.path(&name)?;
        let (kept, bytes) =
            File::open(&path).and_then(|kept| digest::of_file(&kept)).map_err(Error::read(&path))?;
        if kept != sha256 {
            return Err(Error::Taken(name));
        }
        folder::sync(own)?;
        fs::remove_file(file).map_err(Error::write(file))?;
        Ok(Sealed { name, bytes, sha256: kept })
    }
}

/// Several files of a job on their way into the store.
#[derive(Debug)]
pub struct Sealing {
    store: Store,
    job: String,
    /// The job's folder.
    own: PathBuf,
    /// What the list of checksums says of each file.
    listed: HashMap<String, String>,
}

impl Sealing {
    /// Seals one of them, as [`Store::seal_read`] does.
    ///
    /// # Errors
    /// As there.
    pub fn seal(&mut self, file: &Path, digested: Option<Digested>) -> Result<Sealed, Error> {
        let file_name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let file_name = name::sealable(&file_name)?;
        let (name, place) = (format!("{}/{file_name}", self.job), self.own.join(file_name));
        let (store, own, listed) = (&self.store, &self.own, self.listed.get(file_name));

        let source = match File::open(file) {
            Ok(source) => source,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return store.sealed(own, name, listed.cloned());
            }
            Err(error) => return Err(Error::read(file)(error)),
        };
        let read = || match digested {
            Some(digested) if digested.is_of(&source)? => Ok((digested.sha256, digested.bytes)),
            _ => digest::of_file(&source),
        };
        let (sha256, bytes) = read().map_err(Error::read(file))?;
        if place.exists() {
            sums::sync(own)?;
            return store.sealed_twice(own, name, file, &sha256);
        }
        source.sync_all().map_err(Error::sync(file))?;
        set_read_only(&source).map_err(Error::write(file))?;
        if listed == Some(&sha256) {
            // Whoever wrote the line may have ended before it was on the disk.
            sums::sync(own)?;
        } else {
            sums::append(own, file_name, &sha256)?;
        }
        move_file(file, own, &place, &sha256)?;
        folder::sync(own)?;
        if let Some(above) = file.parent() {
            folder::sync(above)?;
        }
        self.listed.insert(file_name.to_owned(), sha256.clone());
        Ok(Sealed { name, bytes, sha256 })
    }
}

/// Renames; from another disk copies, compares and removes, the last only when the copy's name is on the disk.
fn move_file(file: &Path, own: &Path, place: &Path, sha256: &str) -> Result<(), Error> {
    match fs::rename(file, place) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        result => return result.map_err(Error::write(place)),
    }
    let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut part = Part::create(own, &name)?;
    if copy(file, &mut part)? != sha256 {
        let source = io::Error::other("the copy differs from what was copied");
        return Err(Error::Write { path: part.path().to_owned(), source });
    }
    part.place(place)?;
    folder::sync(own)?;
    fs::remove_file(file).map_err(Error::write(file))
}

/// Copies a file and reads the copy back: its digest.
fn copy(file: &Path, part: &mut Part) -> Result<String, Error> {
    let path = part.path().to_owned();
    let mut source = File::open(file).map_err(Error::read(file))?;
    io::copy(&mut source, &mut part.file).map_err(Error::write(&path))?;
    part.sync()?;
    let read_back = File::open(&path).and_then(|copied| digest::of_file(&copied));
    Ok(read_back.map_err(Error::write(&path))?.0)
}

pub(crate) fn set_read_only(file: &File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::failing::IS_FAILING;

    /// The file in the work folder, and where it is to go; nothing is sealed yet.
    fn world() -> (tempfile::TempDir, Store, std::path::PathBuf, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(&folder.path().join("store")).unwrap();
        let own = folder.path().join("store/job");
        fs::create_dir(&own).unwrap();
        let work = folder.path().join("a");
        fs::write(&work, "layer").unwrap();
        sums::append(&own, "a", &digest::of_file(&File::open(&work).unwrap()).unwrap().0).unwrap();
        (folder, store, work, own.join("a"))
    }

    #[track_caller]
    fn check_not_sealed(store: &Store, work: &Path) {
        IS_FAILING.set(true);
        let error = store.seal("job", work).unwrap_err();
        IS_FAILING.set(false);
        assert!(!error.is_full() && matches!(error, Error::Write { .. }), "{error}");
    }

    #[test]
    fn no_file_is_removed_before_its_copys_name_is_on_the_disk() {
        let (_folder, store, work, place) = world();
        fs::copy(&work, &place).unwrap();
        check_not_sealed(&store, &work);
        assert!(work.exists());
        store.seal("job", &work).unwrap();
        assert!(!work.exists() && place.exists());
    }

    #[test]
    fn a_file_that_was_renamed_is_sealed_when_its_name_is_on_the_disk() {
        let (_folder, store, work, place) = world();
        fs::rename(&work, &place).unwrap();
        check_not_sealed(&store, &work);
        store.seal("job", &work).unwrap();
    }

    #[track_caller]
    fn check_read_again(change: impl FnOnce(&Path)) {
        let (_folder, store, work, _) = world();
        let digested = Digested::of(&work).unwrap();
        change(&work);
        let sealed = store.seal_read("job", &work, Some(digested.clone())).unwrap();
        assert_ne!(sealed.sha256, digested.sha256);
        assert_eq!(store.verify(&sealed.name).unwrap(), crate::Verdict::Sound);
    }

    #[test]
    fn what_changed_after_it_was_read_is_read_again() {
        check_read_again(|work| fs::write(work, "layers").unwrap());
        // Of the same length and age, and another file.
        check_read_again(|work| {
            let age = fs::metadata(work).unwrap().modified().unwrap();
            let other = work.with_extension("other");
            fs::write(&other, "LAYER").unwrap();
            File::options().write(true).open(&other).unwrap().set_modified(age).unwrap();
            fs::rename(&other, work).unwrap();
        });
    }

    #[test]
    fn what_was_read_before_is_sealed_as_read() {
        let (_folder, store, work, place) = world();
        let digested = Digested::of(&work).unwrap();
        let sealed = store.seal_read("job", &work, Some(digested.clone())).unwrap();
        assert_eq!((sealed.bytes, sealed.sha256), (5, digested.sha256));
        assert!(!work.exists() && place.exists());
    }

    #[test]
    fn a_copy_from_another_disk_is_removed_last() {
        let Ok(other) = tempfile::tempdir_in("/dev/shm") else {
            eprintln!("store: no second disk at /dev/shm; skipping the test that copies from one");
            return;
        };
        let (_folder, _, first, place) = world();
        let work = other.path().join("a");
        fs::copy(&first, &work).unwrap();
        let sha256 = digest::of_file(&File::open(&work).unwrap()).unwrap().0;
        IS_FAILING.set(true);
        let error = move_file(&work, place.parent().unwrap(), &place, &sha256).unwrap_err();
        IS_FAILING.set(false);
        assert!(!error.is_full() && work.exists() && place.exists(), "{error}");
    }
}
