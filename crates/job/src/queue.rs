//! The jobs that wait for their turn in one process. All of them together take one lock, so that a thousand that wait need one file
//! descriptor and not a thousand.
//!
//! ```text
//! work/queues/1234-1700000000000000000.lock   held by the process
//! work/JOB/queued                             the name of that file
//! ```

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::error::Error;
use crate::lock;

/// The folder of the locks, beside the folders of jobs.
const FOLDER: &str = "queues";
/// The file in a job's folder that names the lock of its queue.
const MARKER: &str = "queued";
/// A marker is the name of a file.
const MARKER_BYTES_MAX: u64 = 255;
/// How often a lock is made that another process takes for an old one and removes.
const TRIES: usize = 10;

/// The queue of this process.
#[derive(Debug)]
pub struct Queue {
    path: PathBuf,
    name: String,
    _lock: File,
}

impl Queue {
    /// A queue for the jobs in this folder. Locks that dead processes left are removed.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn open(work: &Path, now: Timestamp) -> Result<Queue, Error> {
        let folder = work.join(FOLDER);
        for folder in [work, &folder] {
            private::make_folder(folder).map_err(Error::file(folder))?;
        }
        for entry in fs::read_dir(&folder).map_err(Error::file(&folder))?.flatten() {
            if matches!(lock::is_free(&entry.path()), Ok(true)) {
                let _ = fs::remove_file(entry.path());
            }
        }
        for number in 0..TRIES {
            let name = format!("{}-{}-{number}.lock", std::process::id(), now.as_nanosecond());
            let path = folder.join(&name);
            if let Some(file) = lock::take(&path)?.filter(|_| path.exists()) {
                return Ok(Queue { path, name, _lock: file });
            }
        }
        let source = io::ErrorKind::AlreadyExists.into();
        Err(Error::File { path: folder, source })
    }

    /// Lets a job wait in this queue: it counts as held although nothing of it is open.
    ///
    /// # Errors
    /// When the job's folder cannot be written to.
    pub fn enter(&self, job: &Path) -> Result<(), Error> {
        let path = job.join(MARKER);
        let mut options = private::options();
        let file = options.create(true).truncate(true).write(true).open(&path);
        let mut file = file.map_err(Error::file(&path))?;
        file.write_all(self.name.as_bytes()).map_err(Error::file(&path))
    }

    /// Takes a job out of the queue, so that it can be locked.
    pub fn leave(&self, job: &Path) {
        let _ = fs::remove_file(job.join(MARKER));
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether a job waits in the queue of a process that is alive.
pub(crate) fn is_queued(job: &Path) -> Result<bool, Error> {
    let path = job.join(MARKER);
    let file = match private::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        file => file.map_err(Error::file(&path))?,
    };
    let mut name = String::new();
    let is_name = file.take(MARKER_BYTES_MAX).read_to_string(&mut name).is_ok()
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.') || c.is_ascii_lowercase());
    let Some(work) = job.parent().filter(|_| is_name) else { return Ok(false) };
    lock::is_free(&work.join(FOLDER).join(name)).map(|is_free| !is_free)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    fn job(work: &Path, name: &str) -> PathBuf {
        let folder = work.join(name);
        fs::create_dir(&folder).unwrap();
        folder
    }

    #[test]
    fn a_job_that_waits_is_held_until_it_leaves_or_its_process_ends() {
        let work = tempfile::tempdir().unwrap();
        let (one, two) = (job(work.path(), "one"), job(work.path(), "two"));
        let queue = Queue::open(work.path(), now()).unwrap();
        queue.enter(&one).unwrap();
        queue.enter(&two).unwrap();
        assert!(lock::is_held(&one).unwrap() && lock::of_job(&one).unwrap().is_none());
        queue.leave(&one);
        assert!(!lock::is_held(&one).unwrap());
        let lock = lock::of_job(&one).unwrap();
        assert!(lock.is_some() && lock::is_held(&one).unwrap());
        assert!(lock::is_held(&two).unwrap());
        drop(queue);
        assert!(!lock::is_held(&two).unwrap() && lock::of_job(&two).unwrap().is_some());
    }

    #[test]
    fn the_queue_of_a_dead_process_holds_nothing_even_if_another_follows() {
        let work = tempfile::tempdir().unwrap();
        let waiting = job(work.path(), "waiting");
        fs::create_dir(work.path().join(FOLDER)).unwrap();
        fs::write(work.path().join(FOLDER).join("1-0-0.lock"), "").unwrap();
        fs::write(waiting.join(MARKER), "1-0-0.lock").unwrap();
        assert!(!lock::is_held(&waiting).unwrap());
        let queue = Queue::open(work.path(), now()).unwrap();
        assert!(!lock::is_held(&waiting).unwrap());
        assert_eq!(fs::read_dir(work.path().join(FOLDER)).unwrap().count(), 1);
        drop(queue);
        fs::write(waiting.join(MARKER), "../../passwd").unwrap();
        assert!(!lock::is_held(&waiting).unwrap());
    }
}
