//! Replicas: places that keep every file, or the checksum of every file, each by itself.
//!
//! All of them do the same few things, so that whoever copies, audits and repairs need not know what they are. What they say was
//! read from where it lies, never remembered.

mod absent;
mod bucket;
mod checksums;
mod folders;

use std::collections::HashMap;
use std::io::Read;

pub use absent::Absent;
pub use bucket::{Bucket, BucketLimits, BucketSettings};
pub use checksums::Checksums;
pub use folders::Folders;

use crate::digest::Pace;
use crate::error::Error;
use crate::store::Sealed;

/// What a copy is found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// SHA-256 in lower-case hex.
    pub sha256: String,
    /// How long it is; not known where only checksums are kept.
    pub bytes: Option<u64>,
}

/// A place that keeps every file, or the checksum of every file.
pub trait Replica: Send + Sync {
    /// Whether files can be had from it.
    fn is_full(&self) -> bool;

    /// Brings a file there and to the disk. Where there is one of that name already, it is left as it is: whether it is the same,
    /// [`Replica::read`] tells, which is to be asked in any case. After a crash the same is asked again.
    ///
    /// # Errors
    /// When the source is not what it should be, it cannot be written, or there is no room.
    fn put(&self, file: &Sealed, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), Error>;

    /// Whether there is a copy, and how long it is if that is known, without reading it.
    ///
    /// # Errors
    /// When the place cannot be reached.
    fn look(&self, name: &str) -> Result<Option<Option<u64>>, Error>;

    /// Reads a copy to its end; `None` where there is none.
    ///
    /// # Errors
    /// When the place cannot be reached, the copy cannot be read, or the pace says that it is enough.
    fn read(&self, name: &str, pace: Pace<'_>) -> Result<Option<Found>, Error>;

    /// The bytes of a copy, from this one on; none where it is not as long.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    fn open(&self, name: &str, offset: u64) -> Result<Box<dyn Read + Send>, Error>;

    /// Which of its disks a copy lies on, so that those of several can be read at once; `None` where that cannot be told.
    fn disk(&self, _name: &str) -> Option<u64> {
        None
    }

    /// On how many disks its copies may lie.
    fn disks(&self) -> usize {
        1
    }

    /// The checksum that was written down beside a copy when it was brought, where that is done.
    ///
    /// # Errors
    /// When the place cannot be reached.
    fn recorded(&self, _name: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// The same of all files of a job, by their names: `<job>/<file>`.
    ///
    /// # Errors
    /// When the place cannot be reached, or the list cannot be read.
    fn recorded_of(&self, _job: &str) -> Result<HashMap<String, String>, Error> {
        Ok(HashMap::new())
    }

    /// How much more would fit, where that can be told.
    ///
    /// # Errors
    /// When the place cannot be reached.
    fn room(&self) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    /// Names of everything that is there, those of a job one behind another.
    ///
    /// # Errors
    /// Those of `each`, and when the place cannot be read.
    fn each_name(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error>;

    /// The names of copies that are being made, or were when their process ended, of those jobs for which `is_ours`.
    ///
    /// # Errors
    /// When the place cannot be read.
    fn unfinished(&self, _is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Removes these copies, and returns the names of those that it removed. The caller ensures that nobody makes one just now.
    ///
    /// # Errors
    /// When the place cannot be read.
    fn remove_unfinished(&self, _is_ours: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
        Ok(Vec::new())
    }

    /// Takes a copy that has this checksum, and no other, out of its place, and keeps it aside.
    ///
    /// # Errors
    /// When it has another checksum by now, there is none, or it cannot be moved.
    fn set_aside(&self, name: &str, sha256: &str) -> Result<(), Error>;

    /// Takes a copy that cannot be read out of its place, without reading it, and keeps it aside.
    ///
    /// # Errors
    /// When there is none, or it cannot be moved, or not without reading it.
    fn set_aside_unread(&self, name: &str) -> Result<(), Error> {
        Err(Error::Unmovable(name.to_owned()))
    }
}

/// Whether these would be told apart.
pub(crate) fn differ(file: &Sealed, found: &Found) -> bool {
    // A length that was written down may be wrong where the checksum is right.
    found.sha256 != file.sha256
}
