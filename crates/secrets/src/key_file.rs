//! The key files: `secrets.key`, and `secrets.key.next` while the key is replaced. Mode 0600, corrected at each reading; written whole and synced before they have their name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;
use crate::key::Key;

/// What the name of the next key's file has behind that of the key in use.
pub const NEXT_SUFFIX: &str = ".next";
/// A longer file is no key.
const BYTES_MAX: u64 = 4 << 10;

/// Where the key files of an archive are.
#[derive(Debug, Clone)]
pub(crate) struct KeyFiles {
    pub(crate) path: PathBuf,
}

impl KeyFiles {
    /// The key in use; `None` if there is none.
    pub(crate) fn now(&self) -> Result<Option<Key>, Error> {
        read(&self.path)
    }

    /// The next key; `None` unless the key is being replaced.
    pub(crate) fn next(&self) -> Result<Option<Key>, Error> {
        read(&self.next_path())
    }

    /// All keys that can be read.
    pub(crate) fn all(&self) -> Vec<Key> {
        // In this order: the next key is renamed to the first meanwhile, and never the other way round.
        [self.next(), self.now()].into_iter().filter_map(|key| key.ok().flatten()).collect()
    }

    fn next_path(&self) -> PathBuf {
        with_suffix(&self.path, NEXT_SUFFIX)
    }

    /// Writes the key in use, unless there is one; returns the key that then is there.
    pub(crate) fn create(&self, key: &Key) -> Result<Key, Error> {
        let part = with_suffix(&self.path, &format!(".{}.part", std::process::id()));
        write(&part, key)?;
        // A link, because it fails where a rename would replace the key that another process has made meanwhile.
        let linked = fs::hard_link(&part, &self.path);
        let _ = fs::remove_file(&part);
        match linked {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Error::file(&self.path)(error)),
            _ => {
                sync_folder(&self.path)?;
                let gone = Error::KeyFile { path: self.path.clone(), why: "the key file was removed" };
                read(&self.path)?.ok_or(gone)
            }
        }
    }

    /// Writes the next key. The caller holds the database, so nobody else does.
    pub(crate) fn write_next(&self, key: &Key) -> Result<(), Error> {
        let next = self.next_path();
        let part = with_suffix(&next, ".part");
        write(&part, key)?;
        fs::rename(&part, &next).map_err(Error::file(&next))?;
        sync_folder(&next)
    }

    /// Makes the next key the one in use.
    pub(crate) fn promote_next(&self) -> Result<(), Error> {
        fs::rename(self.next_path(), &self.path).map_err(Error::file(&self.path))?;
        sync_folder(&self.path)
    }

    pub(crate) fn remove_next(&self) -> Result<(), Error> {
        let next = self.next_path();
        fs::remove_file(&next).map_err(Error::file(&next))?;
        sync_folder(&next)
    }
}

fn read(path: &Path) -> Result<Option<Key>, Error> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(Error::file(path))?,
    };
    private::tighten(&file, path);
    warn_of_readers(&file, path);
    let mut bytes = Vec::new();
    file.take(BYTES_MAX).read_to_end(&mut bytes).map_err(Error::file(path))?;
    let text = String::from_utf8_lossy(&bytes);
    Key::parse(&text).map(Some).map_err(|why| Error::KeyFile { path: path.to_owned(), why })
}

/// Warns, once in a process, that other users can read a key: its file may belong to another user or lie on a disk that is read-only.
fn warn_of_readers(file: &File, path: &Path) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    let Ok(metadata) = file.metadata() else { return };
    if metadata.mode() & 0o077 != 0 && !WARNED.swap(true, Ordering::Relaxed) {
        tracing::warn!(
            "{}: other users have rights to the key file, which this user cannot change; its owner should set its mode to 0600",
            path.display()
        );
    }
}

/// Writes a file that its owner alone may read, and waits until it is on the disk.
fn write(path: &Path, key: &Key) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Error::file(path)(error)),
        _ => {}
    }
    let mut file = new_private().open(path).map_err(Error::file(path))?;
    let written = file.write_all(key.text().as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| {
        let _ = fs::remove_file(path);
        Error::file(path)(error)
    })
}

/// Makes a new file with mode 0600.
pub(crate) fn new_private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a file's name survive a power loss.
pub(crate) fn sync_folder(file: &Path) -> Result<(), Error> {
    let above = file.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."));
    File::open(above).and_then(|folder| folder.sync_all()).map_err(Error::file(above))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
