//! The folder of an index: which files there are, and the few things that are done to them.
//!
//! ```text
//! MANIFEST              what there is
//! MANIFEST.new          the next one, before it is renamed
//! 0000000002.segment    rows
//! 0000000003.aliases    which keys mean others
//! 0000000004.part       a file of a backup, before it is renamed
//! lock                  held by the one that writes
//! ID                    tells this index from all others, since its first backup
//! BACKUP                the ID of the index that this is a backup of, and only that
//! ```
//! Every change to the disk goes through here, so that tests can end it after any of them.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read as _, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use crate::aliases::AliasTable;
use crate::manifest::{self, Manifest};
use crate::segment::checksum;
use crate::{Error, Limits};

const NEW_MANIFEST: &str = "MANIFEST.new";
const LOCK: &str = "lock";
const ID: &str = "ID";
const BACKUP: &str = "BACKUP";
const SEGMENT: &str = ".segment";
const ALIASES: &str = ".aliases";
const PART: &str = ".part";
const WRITE_BYTES: usize = 1 << 18;
/// Of a file with one line in it.
const SMALL_BYTES: u64 = 1 << 10;

/// A folder that may or may not be there.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) steps: Steps,
}

/// A manifest as found on disk.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) manifest: Manifest,
    pub(crate) identity: Identity,
    /// XXH3 of all of it.
    pub(crate) seal: u64,
    /// Open, so that no other file can get the same number while we compare with it.
    _file: File,
}

/// What tells one manifest from the next: they are renamed, never changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
    bytes: u64,
    changed: (i64, i64),
}

impl Identity {
    fn of(metadata: &fs::Metadata) -> Identity {
        Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            changed: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

impl Folder {
    pub(crate) fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned(), steps: Steps::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn segment_path(&self, number: u64) -> PathBuf {
        self.path.join(format!("{number:010}{SEGMENT}"))
    }

    pub(crate) fn aliases_path(&self, number: u64) -> PathBuf {
        self.path.join(format!("{number:010}{ALIASES}"))
    }

    /// Which manifest lies there now; one call to the system.
    pub(crate) fn identity(&self) -> Result<Option<Identity>, Error> {
        let path = self.path.join(manifest::NAME);
        match fs::metadata(&path) {
            Ok(metadata) => Ok(Some(Identity::of(&metadata))),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(Error::read(&path, error)),
        }
    }

    /// The manifest; `None` where there is no index yet.
    pub(crate) fn manifest(&self, limits: &Limits) -> Result<Option<Found>, Error> {
        if let Some(found) = self.read_manifest(limits)? {
            return Ok(Some(found));
        }
        // The first manifest comes before the first segment, so segments alone mean that it got lost, unless it came just now.
        if self.files(SEGMENT)?.is_empty() {
            return Ok(None);
        }
        match self.read_manifest(limits)? {
            Some(found) => Ok(Some(found)),
            None => Err(Error::Gone { path: self.path.join(manifest::NAME) }),
        }
    }

    fn read_manifest(&self, limits: &Limits) -> Result<Option<Found>, Error> {
        let path = self.path.join(manifest::NAME);
        let failed = |error| Error::read(&path, error);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let identity = Identity::of(&file.metadata().map_err(failed)?);
        if identity.bytes > limits.manifest_bytes {
            let what = format!("a manifest of {} bytes", identity.bytes);
            return Err(Error::damaged(&path, 0, what));
        }
        let mut bytes = Vec::new();
        (&file).take(limits.manifest_bytes).read_to_end(&mut bytes).map_err(failed)?;
        let manifest = Manifest::parse(&bytes, &path)?;
        Ok(Some(Found { manifest, identity, seal: checksum(&bytes, 0), _file: file }))
    }

    /// Numbers of the files with this ending that lie there.
    fn files(&self, ending: &str) -> Result<Vec<u64>, Error> {
        let failed = |error| Error::read(&self.path, error);
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if is_absent(&error) => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut numbers = Vec::new();
        for entry in entries {
            let name = entry.map_err(failed)?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(ending)).map(str::parse::<u64>);
            numbers.extend(number.and_then(Result::ok));
        }
        Ok(numbers)
    }

    /// Makes the folder, if need be.
    fn make(&self) -> Result<(), Error> {
        if !self.path.is_dir() {
            self.steps
                .take()
                .and_then(|()| fs::create_dir_all(&self.path))
                .map_err(|error| self.failed(error))?;
            if let Some(parent) = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                sync_folder(parent).map_err(|error| Error::write(parent, error))?;
            }
        }
        Ok(())
    }

    /// Makes the folder, if need be, and waits until nobody else writes. Whoever holds the file may write.
    pub(crate) fn lock(&self) -> Result<File, Error> {
        let (path, file) = self.lock_file()?;
        file.lock().map_err(|error| Error::write(&path, error))?;
        Ok(file)
    }

    /// The same without waiting; `None` where somebody else writes.
    pub(crate) fn try_lock(&self) -> Result<Option<File>, Error> {
        let (path, file) = self.lock_file()?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(Error::write(&path, error)),
        }
    }

    fn lock_file(&self) -> Result<(PathBuf, File), Error> {
        self.make()?;
        let path = self.path.join(LOCK);
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        file.map_err(|error| Error::write(&path, error)).map(|file| (path, file))
    }

    /// Begins a segment file.
    pub(crate) fn create_segment(&self, number: u64) -> Result<BufWriter<Out>, Error> {
        let path = self.segment_path(number);
        let file = self
            .steps
            .take()
            .and_then(|()| File::create(&path))
            .map_err(|error| Error::write(&path, error))?;
        Ok(BufWriter::with_capacity(WRITE_BYTES, Out { file, steps: self.steps.clone() }))
    }

    /// Puts a manifest in the place of the one before. Everything that it names must be synced.
    pub(crate) fn replace_manifest(&self, manifest: &Manifest) -> Result<(), Error> {
        let (new, path) = (self.path.join(NEW_MANIFEST), self.path.join(manifest::NAME));
        let bytes = manifest.to_bytes().map_err(|error| Error::write(&new, error.into()))?;
        let write = || {
            self.steps.take()?;
            let mut out = Out { file: File::create(&new)?, steps: self.steps.clone() };
            out.write_all(&bytes)?;
            out.sync()
        };
        write().map_err(|error| Error::write(&new, error))?;
        // Names of segments must not reach the disk after the manifest that says them.
        self.sync()?;
        let rename = || self.steps.take().and_then(|()| fs::rename(&new, &path));
        rename().map_err(|error| Error::write(&path, error))?;
        self.sync()
    }

    /// What tells this index from all others; made up where it has none yet.
    pub(crate) fn id(&self) -> Result<String, Error> {
        let path = self.path.join(ID);
        if let Some(id) = read_line(&path)? {
            return Ok(id);
        }
        self.make()?;
        let id = Uuid::new_v4().simple().to_string();
        self.write_small(&path, &id)?;
        Ok(id)
    }

    /// The ID of the index that a backup here is of; `None` where there is none, or where it has been written to since.
    pub(crate) fn backup_of(&self) -> Result<Option<String>, Error> {
        read_line(&self.path.join(BACKUP))
    }

    /// Says which index a backup here is of.
    pub(crate) fn mark_backup(&self, id: &str) -> Result<(), Error> {
        self.write_small(&self.path.join(BACKUP), id)
    }

    /// An index that is written to is a backup of no other any more.
    pub(crate) fn unmark_backup(&self) -> Result<(), Error> {
        let path = self.path.join(BACKUP);
        match path.exists() {
            true => self
                .steps
                .take()
                .and_then(|()| fs::remove_file(&path))
                .map_err(|error| Error::write(&path, error)),
            false => Ok(()),
        }
    }

    /// Writes a line into a file, which is there whole or not at all.
    fn write_small(&self, path: &Path, line: &str) -> Result<(), Error> {
        let new = path.with_extension("new");
        let write = || {
            self.steps.take()?;
            let mut out = Out { file: File::create(&new)?, steps: self.steps.clone() };
            out.write_all(format!("{line}\n").as_bytes())?;
            out.sync()?;
            self.steps.take()?;
            fs::rename(&new, path)
        };
        write().map_err(|error| Error::write(path, error))?;
        self.sync()
    }

    /// Writes and syncs a file of aliases.
    pub(crate) fn write_aliases(&self, number: u64, bytes: &[u8]) -> Result<(), Error> {
        let path = self.aliases_path(number);
        let write = || {
            self.steps.take()?;
            let mut out = Out { file: File::create(&path)?, steps: self.steps.clone() };
            out.write_all(bytes)?;
            out.sync()
        };
        write().map_err(|error| Error::write(&path, error))
    }

    /// The aliases that a manifest names.
    pub(crate) fn read_aliases(&self, named: &manifest::Aliases) -> Result<AliasTable, Error> {
        let path = self.aliases_path(named.number);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Error::Gone { path: path.clone() },
            _ => Error::read(&path, error),
        };
        let file = File::open(&path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.take(named.bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 != named.bytes || checksum(&bytes, 0) != named.seal {
            return Err(Error::damaged(&path, 0, "not the aliases that the manifest names"));
        }
        AliasTable::parse(&bytes, &path)
    }

    /// Removes all files that the manifest does not name, and a manifest that was not finished.
    pub(crate) fn remove_leftovers(&self, manifest: &Manifest) -> Result<(), Error> {
        let named = |number: &u64| manifest.segments.iter().any(|named| named.number == *number);
        let segments = self.files(SEGMENT)?.into_iter().filter(|number| !named(number));
        let mut leftovers: Vec<PathBuf> = segments.map(|number| self.segment_path(number)).collect();
        let is_read = |number: &u64| manifest.aliases.as_ref().is_some_and(|named| named.number == *number);
        let aliases = self.files(ALIASES)?.into_iter().filter(|number| !is_read(number));
        leftovers.extend(aliases.map(|number| self.aliases_path(number)));
        let parts = self.files(PART)?.into_iter();
        leftovers.extend(parts.map(|number| self.path.join(format!("{number:010}{PART}"))));
        leftovers.push(self.path.join(NEW_MANIFEST));
        for path in leftovers {
            match self.steps.remove().and_then(|()| fs::remove_file(&path)) {
                Err(error) if !is_absent(&error) => return Err(Error::write(&path, error)),
                _ => {}
            }
        }
        Ok(())
    }

    fn sync(&self) -> Result<(), Error> {
        self.steps.take().and_then(|()| sync_folder(&self.path)).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> Error {
        Error::write(&self.path, error)
    }
}

/// The only line of a small file; `None` where there is no such file.
fn read_line(path: &Path) -> Result<Option<String>, Error> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(Error::read(path, error)),
    };
    let mut line = String::new();
    file.take(SMALL_BYTES).read_to_string(&mut line).map_err(|error| Error::read(path, error))?;
    Ok(Some(line.trim_end().to_owned()))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Out {
    file: File,
    steps: Steps,
}

impl Out {
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.steps.take()?;
        self.file.sync_all()
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.steps.take() {
            // Whoever is killed while writing has written some of it.
            let _ = self.file.write(bytes.get(..bytes.len() / 2).unwrap_or_default());
            return Err(error);
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// How many more changes to the disk there will be: without end, but in tests of crashes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Steps {
    #[cfg(test)]
    pub(crate) left: Option<std::sync::Arc<std::sync::atomic::AtomicI64>>,
    /// The disk is full behind them: files can still be removed.
    #[cfg(test)]
    pub(crate) is_full: bool,
}

impl Steps {
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "in tests it is used")]
    pub(crate) fn take(&self) -> io::Result<()> {
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn take(&self) -> io::Result<()> {
        use std::sync::atomic::Ordering;
        match &self.left {
            Some(left) if left.fetch_sub(1, Ordering::Relaxed) <= 0 => Err(if self.is_full {
                io::ErrorKind::StorageFull.into()
            } else {
                io::Error::other("crashed")
            }),
            _ => Ok(()),
        }
    }

    /// A change that needs no room.
    #[cfg(not(test))]
    pub(crate) fn remove(&self) -> io::Result<()> {
        self.take()
    }

    #[cfg(test)]
    pub(crate) fn remove(&self) -> io::Result<()> {
        if self.is_full { Ok(()) } else { self.take() }
    }
}
