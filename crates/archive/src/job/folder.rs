//! What lies where in a job's part of the work folder.
//!
//! ```text
//! work/<job>/warc/<job>-00001.warc.gz   the first file, then 00002, …
//! work/<job>/warc/captures.cdxj         a line for each record that can be asked for, in the order of the files
//! work/<job>/warc/digests/              payloads of this job, by digest; may be lost
//! work/<job>/warc/mended                only after a power loss: which mark stands for which place now
//! work/<job>/warc/sorted.cdxj           the lines in order, once the commit has begun
//! work/<job>/warc/commit                the files that the commit seals; from here on it can only go forward
//! ```

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::Disk;
use crate::error::Error;

/// The folder of a job's files in the work folder, until its commit.
#[derive(Debug, Clone)]
pub struct JobFolder {
    job: String,
    path: PathBuf,
}

impl JobFolder {
    /// Of a job, in a work folder. It need not exist.
    #[must_use]
    pub fn of(work: &Path, job: &str) -> JobFolder {
        JobFolder { job: job.to_owned(), path: work.join(job).join("warc") }
    }

    /// The job.
    #[must_use]
    pub fn job(&self) -> &str {
        &self.job
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of the job's index lines.
    #[must_use]
    pub fn captures(&self) -> PathBuf {
        self.path.join("captures.cdxj")
    }

    pub(crate) fn sorted(&self) -> PathBuf {
        self.path.join("sorted.cdxj")
    }

    pub(crate) fn digests(&self) -> PathBuf {
        self.path.join("digests")
    }

    pub(crate) fn mended(&self) -> PathBuf {
        self.path.join("mended")
    }

    pub(crate) fn commit(&self) -> PathBuf {
        self.path.join("commit")
    }

    /// Whether a commit has begun, so that files may have left the folder.
    #[must_use]
    pub fn is_committing(&self) -> bool {
        self.commit().exists()
    }

    /// Name of the file of this number, counted from 1.
    pub(crate) fn file_name(&self, serial: u32) -> String {
        format!("{}-{serial:05}.warc.gz", self.job)
    }

    pub(crate) fn metadata_name(&self) -> String {
        format!("{}-metadata.warc.gz", self.job)
    }

    pub(crate) fn file(&self, serial: u32) -> PathBuf {
        self.path.join(self.file_name(serial))
    }

    /// Removes the files behind this number, which an interrupted run has left.
    pub(crate) fn remove_files_behind(&self, serial: u32) -> Result<(), Error> {
        for serial in serial + 1.. {
            let path = self.file(serial);
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) => return Err(Error::write(&path)(error)),
            }
        }
        Ok(())
    }

    /// Brings the files before this number to the disk: whoever finished them may have ended before.
    pub(crate) fn sync_files_before(&self, serial: u32, disk: &dyn Disk) -> Result<(), Error> {
        for serial in 1..serial {
            let path = self.file(serial);
            let file = File::open(&path).map_err(Error::read(&path))?;
            disk.sync(&file).map_err(Error::sync(&path))?;
        }
        Ok(())
    }

    /// Makes the names in the folder survive a power loss.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        sync_folder(&self.path)
    }

    /// The same, for the names of the folder itself and of the job's.
    pub(crate) fn sync_with_those_above(&self) -> Result<(), Error> {
        self.path.ancestors().take(3).try_for_each(sync_folder)
    }
}

/// Makes the names in a folder survive a power loss.
///
/// # Errors
/// When the disk fails.
pub fn sync_folder(path: &Path) -> Result<(), Error> {
    File::open(path).and_then(|folder| folder.sync_all()).map_err(Error::sync(path))
}

/// Makes a folder, and those above it that are not there, so that they survive a power loss.
///
/// # Errors
/// When one cannot be made.
pub fn make_folders(path: &Path) -> Result<(), Error> {
    let above = |path: &Path| match path.parent() {
        Some(above) if above != Path::new("") => above.to_owned(),
        _ => PathBuf::from("."),
    };
    let missing = path.ancestors().take_while(|path| *path != Path::new("") && !path.exists());
    let changed: Vec<PathBuf> = missing.map(above).collect();
    fs::create_dir_all(path).map_err(Error::write(path))?;
    changed.iter().try_for_each(|folder| sync_folder(folder))
}

/// Makes the work folder of an archive, and a line of folders in it, so that only their owner can enter them and they survive a power
/// loss. The work folder itself may be a link to another disk; in it no link is followed.
pub(crate) fn make_work_folders(work: &Path, inside: &[&str]) -> Result<(), Error> {
    let mut path = work.canonicalize().unwrap_or_else(|_| work.to_owned());
    for name in std::iter::once("").chain(inside.iter().copied()) {
        if !name.is_empty() {
            path.push(name);
        }
        if private::make_folder(&path).map_err(Error::write(&path))? {
            sync_folder(path.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new(".")))?;
        }
    }
    Ok(())
}
