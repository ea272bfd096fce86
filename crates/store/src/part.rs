//! A file while it is written, under a name that no file can have: it gets its own when all of it is on the disk.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::seal::set_read_only;

/// What such names begin with; those of files do not begin with a `.`.
const BEGINNING: &str = ".part-";
/// What they ended with before; no file is taken in that is called so.
pub(crate) const OLD_ENDING: &str = ".part";

/// A file that has not its name yet. Dropped before that, it is removed.
#[derive(Debug)]
pub(crate) struct Part {
    path: PathBuf,
    pub(crate) file: File,
    /// Which file was made here, by device and number.
    made: (u64, u64),
}

impl Part {
    /// Makes an empty one; what a crash has left under its name goes first.
    pub(crate) fn create(folder: &Path, name: &str) -> Result<Part, Error> {
        let path = folder.join(format!("{BEGINNING}{name}"));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Error::write(&path)(error)),
            _ => {}
        }
        let file = File::create_new(&path).map_err(Error::write(&path))?;
        let made = file.metadata().map_err(Error::write(&path))?;
        Ok(Part { path, file, made: (made.dev(), made.ino()) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Brings it to the disk, and makes it read-only.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.file.sync_all().map_err(Error::sync(&self.path))?;
        set_read_only(&self.file).map_err(Error::write(&self.path))
    }

    /// Gives it its name. The folder is for the caller to bring to the disk.
    pub(crate) fn place(self, path: &Path) -> Result<(), Error> {
        if !self.is_ours() {
            let source = io::Error::other("somebody else writes the same file");
            return Err(Error::Write { path: self.path.clone(), source });
        }
        fs::rename(&self.path, path).map_err(Error::write(path))
    }

    /// Whether the name still is that of the file that was made here.
    fn is_ours(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|facts| (facts.dev(), facts.ino()) == self.made)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Half a copy is of no use, and may be what fills the disk.
        if self.is_ours() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The name that a file being written was to get. Of those with the ending of before, nobody knows whether they are ours.
pub(crate) fn name_of(part: &str) -> Option<&str> {
    part.strip_prefix(BEGINNING)
}

/// Whether a file in the folder of a job is one that is being written, or was when a crash came.
pub(crate) fn is_part(name: &str) -> bool {
    name.starts_with(BEGINNING) || name.ends_with(OLD_ENDING)
}
