//! Reading a file back: is it still what was sealed?

use std::fs::File;
use std::io;

use crate::error::Error;
use crate::reference::REFERENCE_ENDING;
use crate::store::Store;
use crate::{digest, folder, name, sums};

/// What became of a sealed file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It is as it was sealed.
    Sound,
    /// It has another checksum.
    Changed {
        /// The checksum it was sealed with.
        expected: String,
        /// The one it has.
        found: String,
    },
    /// It has a checksum and is not there.
    Missing,
    /// It is there and has no checksum: nobody sealed it.
    Unknown,
}

impl Store {
    /// Reads a file whole and compares its checksum.
    ///
    /// # Errors
    /// When the name is none, there is neither file nor checksum, or the file cannot be read.
    pub fn verify(&self, name: &str) -> Result<Verdict, Error> {
        let (job, file) = name::parts(name)?;
        if let Some(reference) = self.reference(name)? {
            // The note about it first: what it says is only worth something if it is what was sealed.
            let note = self.verify(&format!("{name}{REFERENCE_ENDING}"))?;
            let expected = reference.sha256().to_owned();
            return Ok(match (note, reference.digest_now()?) {
                (Verdict::Sound, Some(found)) if found == expected => Verdict::Sound,
                (Verdict::Sound, Some(found)) => Verdict::Changed { expected, found },
                (Verdict::Sound, None) => Verdict::Missing,
                (note, _) => note,
            });
        }
        let mut expected = None;
        // Whoever verifies wants to know of a damaged list, too.
        sums::each(&folder::of_job(self.folder(), job), |sha256, name| {
            if name == file {
                expected = Some(sha256.to_owned());
            }
        })?;
        let path = self.path(name)?;
        let found = match File::open(&path) {
            Ok(file) => Some(digest::of_file(&file).map_err(Error::read(&path))?.0),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::read(&path)(error)),
        };
        Ok(match (expected, found) {
            (Some(expected), Some(found)) if expected == found => Verdict::Sound,
            (Some(expected), Some(found)) => Verdict::Changed { expected, found },
            (Some(_), None) => Verdict::Missing,
            (None, Some(_)) => Verdict::Unknown,
            (None, None) => return Err(Error::Missing(name.to_owned())),
        })
    }
}
