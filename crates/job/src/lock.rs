//! Locks on files: who runs a job, and who is on a domain. The operating system gives them back when a process ends, however it ends.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::error::Error;
use crate::queue;

/// How often the lock of a job is tried, and how long after each other: somebody may only be looking whether it is free.
const TRIES: u32 = 5;
const WAIT: Duration = Duration::from_millis(20);

/// The name of a job's lock in its folder.
const NAME: &str = "lock";

/// The lock of a job's folder, for as long as the file is open; `None` if another process has it, or the job waits in a queue.
///
/// # Errors
/// When the folder cannot be written to.
pub fn of_job(folder: &Path) -> Result<Option<File>, Error> {
    if queue::is_queued(folder)? {
        return Ok(None);
    }
    let path = folder.join(NAME);
    for _ in 1..TRIES {
        if let Some(lock) = take(&path)? {
            return Ok(Some(lock));
        }
        thread::sleep(WAIT);
    }
    take(&path)
}

/// Locks a file for as long as it is open. `None` if somebody else has it.
///
/// # Errors
/// When the file cannot be made or locked.
pub fn take(path: &Path) -> Result<Option<File>, Error> {
    let mut options = private::options();
    let file = options.create(true).truncate(false).write(true).open(path).map_err(Error::file(path))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(Error::File { path: path.to_owned(), source }),
    }
}

/// Whether a process has the lock of a job's folder, or the job waits in its queue. A folder that is just being removed is left alone.
pub(crate) fn is_held(folder: &Path) -> Result<bool, Error> {
    Ok(!is_free(&folder.join(NAME))? || queue::is_queued(folder)?)
}

/// Whether nobody has this lock; one that is not there is nobody's.
pub(crate) fn is_free(path: &Path) -> Result<bool, Error> {
    let file = match private::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(true),
        file => file.map_err(Error::file(path))?,
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(source)) => Err(Error::File { path: path.to_owned(), source }),
    }
}
