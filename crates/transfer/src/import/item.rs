//! A file that is to be imported: on its own, or inside a package.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempPath;

/// A file, or the part of one, that holds records.
#[derive(Debug)]
pub(super) struct Item {
    /// As people know it: its path, and in a package the path in it behind a `!`.
    pub(super) name: String,
    /// The file that it lies in.
    pub(super) path: PathBuf,
    /// Where in that file.
    pub(super) start: u64,
    pub(super) bytes: u64,
    /// What it may be called in the store.
    pub(super) wish: String,
    /// Why it is not to be trusted: its package says that it is something else.
    pub(super) distrust: Option<String>,
    /// It was unpacked for us, and is gone afterwards.
    pub(super) unpacked: Option<Arc<TempPath>>,
}

impl Item {
    /// Opens it from its start.
    pub(super) fn open(&self) -> io::Result<io::Take<File>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.start))?;
        Ok(file.take(self.bytes))
    }

    /// Whether it is a file of its own, all of it.
    pub(super) fn is_whole_file(&self) -> bool {
        self.start == 0 && self.unpacked.is_none()
    }
}
