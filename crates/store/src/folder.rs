//! Folders, and making sure that what is in them survives a power loss.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Makes names that were added to or taken from a folder survive a power loss.
pub(crate) fn sync(folder: &Path) -> Result<(), Error> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::write(folder))
}

/// Makes a folder, the one above it being there, so that it survives a power loss.
pub(crate) fn make(folder: &Path) -> Result<(), Error> {
    match fs::create_dir(folder) {
        Ok(()) => match folder.parent() {
            Some(above) if above != Path::new("") => sync(above),
            _ => Ok(()),
        },
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(Error::write(folder)(error)),
    }
}

/// The folder of a job.
pub(crate) fn of_job(store: &Path, job: &str) -> PathBuf {
    store.join(job)
}
