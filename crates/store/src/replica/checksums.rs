//! A replica that has nothing but checksums: small enough for anywhere, and the tie-breaker where two copies differ.
//!
//! ```text
//! <folder>/FORMAT              varve-checksums 1
//! <folder>/<job>/SHA256SUMS    a line for each file, as in a store
//! ```

use std::io::Read;
use std::path::{Path, PathBuf};

use super::{Found, Replica};
use crate::digest::{self, Pace};
use crate::error::Error;
use crate::store::Sealed;
use crate::{folder, format, name, sums};

/// What `FORMAT` says.
const FORMAT: &str = "varve-checksums 1\n";

/// Checksums of all files in a folder.
#[derive(Debug, Clone)]
pub struct Checksums {
    folder: PathBuf,
}

impl Checksums {
    /// Opens them, or makes an empty list.
    ///
    /// # Errors
    /// When the folder cannot be made, or is something else.
    pub fn open(folder: &Path) -> Result<Checksums, Error> {
        format::claim(folder, FORMAT)?;
        Ok(Checksums { folder: folder.to_owned() })
    }

    fn listed(&self, name: &str) -> Result<Option<String>, Error> {
        let (job, file) = name::parts(name)?;
        let found = sums::find(&folder::of_job(&self.folder, job), file)?;
        if found.is_none() {
            format::reach(&self.folder)?;
        }
        // An empty checksum says that it was set aside.
        Ok(found.filter(|sha256| *sha256 != NONE))
    }
}

/// Stands for a checksum that was taken out.
const NONE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

impl Replica for Checksums {
    fn is_full(&self) -> bool {
        false
    }

    fn put(&self, file: &Sealed, source: &mut dyn Read, pace: Pace<'_>) -> Result<(), Error> {
        let (job, own_name) = name::new_parts(&file.name)?;
        let own = folder::of_job(&self.folder, job);
        if self.listed(&file.name)?.is_some() {
            return sums::sync(&own);
        }
        let (sha256, bytes) = digest::of(source, pace).map_err(|cut| cut.or(Error::copy(&file.name)))?;
        if super::differ(file, &Found { sha256, bytes: Some(bytes) }) {
            return Err(Error::Source(file.name.clone()));
        }
        format::reach(&self.folder)?;
        folder::make(&own)?;
        sums::append(&own, own_name, &file.sha256)
    }

    fn look(&self, name: &str) -> Result<Option<Option<u64>>, Error> {
        Ok(self.listed(name)?.map(|_| None))
    }

    fn read(&self, name: &str, _: Pace<'_>) -> Result<Option<Found>, Error> {
        Ok(self.listed(name)?.map(|sha256| Found { sha256, bytes: None }))
    }

    fn open(&self, name: &str, _: u64) -> Result<Box<dyn Read + Send>, Error> {
        Err(Error::OnlyChecksums(name.to_owned()))
    }

    fn recorded(&self, name: &str) -> Result<Option<String>, Error> {
        self.listed(name)
    }

    fn each_name(&self, each: &mut dyn FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        format::reach(&self.folder)?;
        for job in folder::jobs(&self.folder)? {
            let mut listed = std::collections::BTreeMap::new();
            // What a damaged line was about, whoever asks for that file finds out.
            sums::each_whole(&folder::of_job(&self.folder, &job), |sha256, file| {
                if name::is_name(file) {
                    listed.insert(file.to_owned(), sha256 != NONE);
                }
            })?;
            for (file, _) in listed.into_iter().filter(|(_, is_there)| *is_there) {
                each(&format!("{job}/{file}"))?;
            }
        }
        Ok(())
    }

    fn set_aside(&self, name: &str, sha256: &str) -> Result<(), Error> {
        let (job, file) = name::parts(name)?;
        match self.listed(name)? {
            None => Err(Error::Missing(name.to_owned())),
            Some(found) if found != sha256 => Err(Error::Other { name: name.to_owned(), found }),
            // The wrong line stays in the list, which is only ever appended to.
            Some(_) => sums::append(&folder::of_job(&self.folder, job), file, NONE),
        }
    }
}
