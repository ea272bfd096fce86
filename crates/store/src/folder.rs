//! Folders, and making sure that what is in them survives a power loss.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::name;

/// Makes names that were added to or taken from a folder survive a power loss.
pub(crate) fn sync(folder: &Path) -> Result<(), Error> {
    #[cfg(test)]
    failing::ask().map_err(Error::sync(folder))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::sync(folder))
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

/// The jobs that have a folder, in the order of their names.
pub(crate) fn jobs(store: &Path) -> Result<Vec<String>, Error> {
    let mut jobs = Vec::new();
    for entry in fs::read_dir(store).map_err(Error::read(store))? {
        let entry = entry.map_err(Error::read(store))?;
        let job = entry.file_name().to_string_lossy().into_owned();
        if name::is_name(&job) && entry.path().is_dir() {
            jobs.push(job);
        }
    }
    jobs.sort();
    Ok(jobs)
}

/// The folder of a job.
pub(crate) fn of_job(store: &Path, job: &str) -> PathBuf {
    store.join(job)
}

/// A disk that cannot bring folders to itself, for tests of this thread.
#[cfg(test)]
pub(crate) mod failing {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        pub(crate) static IS_FAILING: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn ask() -> io::Result<()> {
        if IS_FAILING.get() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}
