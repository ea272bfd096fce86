//! Files that somebody hands in: they go to the first place, and from there to all others.

use std::fs;
use std::path::Path;

use catalogue::File;
use store::{Digested, Pace, Sealed};

use crate::error::Error;
use crate::vault::Vault;

impl Vault {
    /// Takes a copy of a file in, as a file of this job, under its own name; [`Vault::bring`] brings it to the other replicas. The same
    /// again does nothing, also after a crash in the middle.
    ///
    /// # Errors
    /// When its name is none, another file of that name is kept already, or it cannot be read or written.
    pub fn deposit(&self, job: &str, path: &Path, pace: Pace<'_>) -> Result<File, Error> {
        let _hold = self.hold()?;
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let unreadable = |source| store::Error::Read { path: path.to_owned(), source };
        let digested = Digested::of(path).map_err(Error::Deposit)?;
        let sealed = Sealed {
            name: format!("{job}/{own}"),
            bytes: digested.bytes(),
            sha256: digested.sha256().to_owned(),
        };
        let first = self.places.first().ok_or(Error::NoFullReplica)?;
        if self.catalogue.file(&sealed.name)?.is_some_and(|known| known.sha256 != sealed.sha256) {
            return Err(catalogue::Error::Taken(sealed.name).into());
        }
        let is_there = first.replica.look(&sealed.name).map_err(Error::at(&first.name))?.is_some();
        let mut source = fs::File::open(path).map_err(unreadable).map_err(Error::Deposit)?;
        first.replica.put(&sealed, &mut source, &mut *pace).map_err(Error::at(&first.name))?;
        if is_there {
            // Whose it is must be known before it counts as ours.
            let found = first.replica.read(&sealed.name, pace).map_err(Error::at(&first.name))?;
            if found.is_none_or(|found| found.sha256 != sealed.sha256) {
                return Err(catalogue::Error::Taken(sealed.name).into());
            }
        }
        let noted = self.take_note(&[sealed])?;
        noted.into_iter().next().ok_or_else(|| Error::Unknown(own.into_owned()))
    }
}
