//! Where new indexes grow, until they take the place of the old ones.
//!
//! ```text
//! ARCHIVE/rebuilding/FORMAT                varve-rebuild 1
//! ARCHIVE/rebuilding/lock                  held by the one that rebuilds
//! ARCHIVE/rebuilding/journal               a line of JSON for each job that is in a new index
//! ARCHIVE/rebuilding/indexes/<collection>/ a new index; when it has taken its place, the old one
//! ARCHIVE/rebuilding/lines/                lines that are made anew, and copies of metadata files
//! ARCHIVE/rebuilding/whole                 the collections whose new indexes are whole, a line each
//! ```
//! A new index that is whole has a file `REBUILT` in it, which goes with it: so it is known which of them are in their places.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use archive::Error;
use archive::WEB;
use archive::job_files::remove_all;
use archive::job_files::{make_folders, sync_folder};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::report::Done;

const FORMAT: &str = "varve-rebuild 1\n";
const REBUILT: &str = "REBUILT";
const LOCK: &str = "lock";
/// Bytes of one line of the journal that are believed.
const LINE_BYTES_MAX: u64 = 1 << 30;
/// Bytes of any other file of ours that are believed.
const SMALL_BYTES_MAX: u64 = 1 << 26;

/// The folder of a rebuild, and the right to work in it.
#[derive(Debug)]
pub(crate) struct Room {
    archive: PathBuf,
    path: PathBuf,
    journal: File,
    /// The collections whose new indexes have been whole before.
    whole: HashSet<String>,
    _lock: File,
}

impl Room {
    /// Begins, or goes on with what is there: what the journal says.
    pub(crate) fn open(archive: &Path) -> Result<(Room, Vec<Done>), Error> {
        let path = archive.join("rebuilding");
        let lock = lock(archive, &path)?;
        let format = path.join("FORMAT");
        if read_text(&format).as_deref() != Some(FORMAT) {
            // Another version's, or one that ended before it had begun.
            for part in ["journal", "whole"] {
                remove_file(&path.join(part))?;
            }
            remove_all(&path.join("indexes"))?;
            fs::write(&format, FORMAT).map_err(Error::write(&format))?;
            sync_folder(&path)?;
        }
        remove_all(&path.join("lines"))?;
        make_folders(&path.join("lines"))?;
        make_folders(&path.join("indexes"))?;
        let (journal, done) = journal(&path.join("journal"))?;
        let whole = read_text(&path.join("whole")).unwrap_or_default();
        let whole = whole.lines().map(str::to_owned).collect();
        Ok((Room { archive: archive.to_owned(), path, journal, whole, _lock: lock }, done))
    }

    /// Where the index of a collection lies for all to see.
    pub(crate) fn live(&self, collection: &str) -> PathBuf {
        live(&self.archive, collection)
    }

    /// Where its new index is: still here, or already in its place.
    pub(crate) fn index(&self, collection: &str) -> PathBuf {
        if self.is_swapped(collection) { self.live(collection) } else { self.own(collection) }
    }

    /// Whether the new index of a collection has taken its place.
    pub(crate) fn is_swapped(&self, collection: &str) -> bool {
        self.whole.contains(collection) && !self.own(collection).join(REBUILT).exists()
    }

    /// A place for what is needed for a while.
    pub(crate) fn lines(&self) -> PathBuf {
        self.path.join("lines")
    }

    /// Writes down that a job is in its new index.
    pub(crate) fn note(&mut self, done: &Done) -> Result<(), Error> {
        let path = self.path.join("journal");
        self.journal.write_all(done.to_line().as_bytes()).map_err(Error::write(&path))?;
        self.journal.sync_data().map_err(Error::sync(&path))
    }

    /// Holds on to the right to write to the live index of a collection, which is made if there is none. Waits until nobody writes.
    pub(crate) fn hold(&self, collection: &str) -> Result<File, Error> {
        let folder = self.live(collection);
        make_folders(&folder)?;
        let path = folder.join(LOCK);
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(Error::write(&path))?;
        file.lock().map_err(Error::write(&path))?;
        Ok(file)
    }

    /// Writes down that the new indexes of these collections are whole.
    pub(crate) fn set_whole(&mut self, collections: &[String]) -> Result<(), Error> {
        let fresh: Vec<&String> = collections.iter().filter(|name| !self.is_swapped(name)).collect();
        for name in fresh {
            let own = self.own(name);
            make_folders(&own)?;
            File::create(own.join(REBUILT)).map_err(Error::write(&own))?;
            sync_folder(&own)?;
        }
        let (path, new) = (self.path.join("whole"), self.path.join("whole.new"));
        let text: String = collections.iter().map(|name| format!("{name}\n")).collect();
        let written = || {
            let mut file = File::create(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &path)
        };
        written().map_err(Error::write(&path))?;
        sync_folder(&self.path)?;
        self.whole = collections.iter().cloned().collect();
        Ok(())
    }

    /// Puts the new index of a collection in the place of the old one, whose lock the caller holds.
    pub(crate) fn swap(&self, collection: &str) -> Result<(), Error> {
        if self.is_swapped(collection) {
            return Ok(());
        }
        let (own, live) = (self.own(collection), self.live(collection));
        // Whoever waits for the old lock must have the new one when it gets it: so it is the same file.
        let lock = own.join(LOCK);
        remove_file(&lock)?;
        match fs::hard_link(live.join(LOCK), &lock) {
            // An index that was put on another disk by a link comes back to this one, with a lock of its own.
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
            linked => linked.map_err(Error::write(&lock))?,
        }
        sync_folder(&own)?;
        match renameat_with(CWD, &own, CWD, &live, RenameFlags::EXCHANGE) {
            Ok(()) => {}
            // Not every disk can do it in one step.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {
                let old = self.path.join("old");
                remove_all(&old)?;
                fs::rename(&live, &old).map_err(Error::write(&live))?;
                fs::rename(&own, &live).map_err(Error::write(&live))?;
                fs::rename(&old, &own).map_err(Error::write(&own))?;
            }
            Err(error) => return Err(Error::write(&live)(error.into())),
        }
        for path in [&own, &live] {
            path.parent().map_or(Ok(()), sync_folder)?;
        }
        Ok(())
    }

    /// Moves the old index of a collection, which could not be read, to where somebody may look at it: where that is.
    pub(crate) fn set_aside(&self, collection: &str) -> Result<PathBuf, Error> {
        let live = self.live(collection);
        let names = (1..).map(|number| live.with_file_name(format!("index.damaged-{number}")));
        let aside = names.into_iter().find(|path| !path.exists()).unwrap_or_else(|| live.clone());
        fs::rename(self.own(collection), &aside).map_err(Error::write(&aside))?;
        Ok(aside)
    }

    /// Removes the folder: everything is in its place.
    pub(crate) fn finish(self, collections: &[String]) -> Result<(), Error> {
        for name in collections {
            remove_file(&self.live(name).join(REBUILT))?;
        }
        // The journal first: what is left when it breaks off here is a rebuild that has done nothing.
        for part in ["FORMAT", "journal", "whole"] {
            remove_file(&self.path.join(part))?;
        }
        remove_all(&self.path)?;
        sync_folder(&self.archive)
    }

    fn own(&self, collection: &str) -> PathBuf {
        self.path.join("indexes").join(collection)
    }
}

/// Where the index of a collection lies.
pub(crate) fn live(archive: &Path, collection: &str) -> PathBuf {
    match collection {
        WEB => archive.join("index"),
        name => archive.join("collections").join(name).join("index"),
    }
}

/// Makes the folder, and takes the right to work in it.
fn lock(archive: &Path, path: &Path) -> Result<File, Error> {
    loop {
        make_folders(path)?;
        let name = path.join(LOCK);
        let file = match File::options().create(true).truncate(false).write(true).open(&name) {
            // Whoever was here has just removed it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            file => file.map_err(Error::write(&name))?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Rebuilding { path: archive.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(Error::write(&name)(error)),
        }
        let inode = |facts: io::Result<fs::Metadata>| facts.ok().map(|facts| (facts.dev(), facts.ino()));
        if inode(file.metadata()) == inode(fs::metadata(&name)) {
            return Ok(file);
        }
    }
}

/// The journal, to be appended to, and its whole lines; what a crash has left of another is cut off.
fn journal(path: &Path) -> Result<(File, Vec<Done>), Error> {
    let file = File::options().create(true).truncate(false).read(true).write(true).open(path);
    let mut file = file.map_err(Error::write(path))?;
    let (mut done, mut bytes, mut line) = (Vec::new(), 0, Vec::new());
    let mut lines = BufReader::new(&file);
    loop {
        line.clear();
        let count =
            (&mut lines).take(LINE_BYTES_MAX).read_until(b'\n', &mut line).map_err(Error::read(path))?;
        let parsed = line.strip_suffix(b"\n").and_then(|line| Done::parse(str::from_utf8(line).ok()?));
        let Some(parsed) = parsed else { break };
        done.push(parsed);
        bytes += count as u64;
    }
    file.set_len(bytes).and_then(|()| file.seek(io::SeekFrom::End(0))).map_err(Error::write(path))?;
    Ok((file, done))
}

/// A small file of ours, if it is there.
fn read_text(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(SMALL_BYTES_MAX).read_to_string(&mut text).ok()?;
    Some(text)
}

fn remove_file(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(path)(error)),
        _ => Ok(()),
    }
}
