//! The store: a folder for each job, with its sealed files and their checksums.
//!
//! ```text
//! store/FORMAT                  varve-store 1
//! store/<job>/<file>            sealed: read-only, never changed
//! store/<job>/<file>.ref        the same of a file that lies elsewhere: where
//! store/<job>/SHA256SUMS        a line for each
//! ```

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rustix::fs::{Advice, fadvise};

use crate::error::Error;
use crate::reference::{REFERENCE_ENDING, Reference};
use crate::{folder, format, name, sums};

/// What `FORMAT` says.
const FORMAT: &str = "varve-store 1\n";

/// A store on this machine's disk. A clone is cheap and is the same store.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

/// A file that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// `<job>/<file>`
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// SHA-256 in lower-case hex.
    pub sha256: String,
}

/// A sealed file that is being read.
#[derive(Debug)]
pub struct Opened {
    file: File,
    /// The part of the file that is meant: of one that lies elsewhere, perhaps inside a package.
    part: Option<Part>,
}

#[derive(Debug)]
struct Part {
    start: u64,
    end: u64,
    /// Where in the file the next byte is read.
    position: u64,
}

impl Store {
    /// Makes an empty store; one that is there already is opened.
    ///
    /// # Errors
    /// When the folder cannot be made, or is something else.
    pub fn create(folder: &Path) -> Result<Store, Error> {
        format::claim(folder, FORMAT)?;
        Store::open(folder)
    }

    /// Opens a store.
    ///
    /// # Errors
    /// When there is none, or it is of a later version.
    pub fn open(folder: &Path) -> Result<Store, Error> {
        format::check(folder, FORMAT)?;
        Ok(Store { folder: folder.to_owned() })
    }

    /// Reads a file from this byte on; others may be sought.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be opened.
    pub fn read(&self, name: &str, offset: u64) -> Result<Opened, Error> {
        let path = self.path(name)?;
        let mut opened = match File::open(&path) {
            Ok(file) => Opened { file, part: None },
            Err(error) if error.kind() == io::ErrorKind::NotFound => match self.reference(name)? {
                Some(reference) => {
                    let (file, start, end) = reference.open(name)?;
                    let mut opened = Opened { file, part: Some(Part { start, end, position: start }) };
                    opened.seek(SeekFrom::Start(0)).map_err(Error::read(reference.path()))?;
                    opened
                }
                None => return Err(Error::Missing(name.to_owned())),
            },
            Err(error) => return Err(Error::read(&path)(error)),
        };
        if offset > 0 {
            opened.seek(SeekFrom::Start(offset)).map_err(Error::read(&path))?;
        }
        Ok(opened)
    }

    /// Where a file lies, if it lies elsewhere; `None` of one that is here, or nowhere.
    ///
    /// # Errors
    /// When the name is none, or what is kept of it cannot be understood.
    pub fn reference(&self, name: &str) -> Result<Option<Reference>, Error> {
        let path = self.path(name)?;
        if path.try_exists().map_err(Error::read(&path))? {
            return Ok(None);
        }
        Reference::read(&self.path(&format!("{name}{REFERENCE_ENDING}"))?)
    }

    /// Every sealed file of every job, in the order of their names.
    ///
    /// # Errors
    /// When the folder cannot be read. An error of one job comes in its place among the files.
    pub fn files(&self) -> Result<impl Iterator<Item = Result<Sealed, Error>>, Error> {
        let jobs = self.jobs()?;
        let store = self.clone();
        Ok(jobs.into_iter().flat_map(move |job| match store.files_of(&job) {
            Ok(files) => files.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        }))
    }

    /// The sealed files of one job, in the order of their names; none of a job that is not there.
    ///
    /// # Errors
    /// When the list of checksums, or a file in it, cannot be looked at.
    pub fn files_of(&self, job: &str) -> Result<Vec<Sealed>, Error> {
        let own = folder::of_job(&self.folder, name::checked(job)?);
        let mut listed = std::collections::BTreeMap::new();
        sums::each(&own, |sha256, file| {
            listed.insert(file.to_owned(), sha256.to_owned());
        })?;
        let mut files = Vec::new();
        for (file, sha256) in listed {
            let path = own.join(name::checked(&file)?);
            if let Some(stem) = file.strip_suffix(REFERENCE_ENDING) {
                // What lies elsewhere is listed as what it is, not as the note about it; unless it lies here by now.
                if own.join(stem).exists() {
                    continue;
                }
                if let Some(found) = Reference::read(&path)? {
                    let (bytes, sha256) = (found.bytes(), found.sha256().to_owned());
                    files.push(Sealed { name: format!("{job}/{stem}"), bytes, sha256 });
                }
                continue;
            }
            match fs::metadata(&path) {
                Ok(metadata) => {
                    files.push(Sealed { name: format!("{job}/{file}"), bytes: metadata.len(), sha256 })
                }
                // Listed and not yet sealed, or lost: `verify` tells of the second.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::read(&path)(error)),
            }
        }
        Ok(files)
    }

    /// The names of all files of a job that were sealed, whether or not they are still there.
    ///
    /// # Errors
    /// When the list of checksums cannot be read.
    pub fn listed_of(&self, job: &str) -> Result<Vec<String>, Error> {
        let own = folder::of_job(&self.folder, name::checked(job)?);
        let mut listed = std::collections::BTreeSet::new();
        sums::each(&own, |_, file| {
            let file = file.strip_suffix(REFERENCE_ENDING).unwrap_or(file);
            listed.insert(format!("{job}/{file}"));
        })?;
        Ok(listed.into_iter().collect())
    }

    /// The checksum that a file was sealed with, whether or not it is still there.
    ///
    /// # Errors
    /// When the name is none, or the list of checksums cannot be read.
    pub fn recorded(&self, name: &str) -> Result<Option<String>, Error> {
        let (job, file) = name::parts(name)?;
        match sums::find(&folder::of_job(&self.folder, job), file)? {
            Some(sha256) => Ok(Some(sha256)),
            None => Ok(self.reference(name)?.map(|reference| reference.sha256().to_owned())),
        }
    }

    /// The jobs that have a folder, in the order of their names.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn jobs(&self) -> Result<Vec<String>, Error> {
        folder::jobs(&self.folder)
    }

    /// Takes out all files of a job whose commit did not come to its end. What has been committed must never be given here.
    ///
    /// # Errors
    /// When a file cannot be taken out; the rest can be by asking again.
    pub fn withdraw(&self, job: &str) -> Result<(), Error> {
        let own = folder::of_job(&self.folder, name::checked(job)?);
        match fs::remove_dir_all(&own) {
            Ok(()) => folder::sync(&self.folder),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Error::write(&own)(error)),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, Error> {
        let (job, file) = name::parts(name)?;
        Ok(folder::of_job(&self.folder, job).join(file))
    }
}

impl Opened {
    /// How long the file is, and when it was last written to. Of one inside a package, that of the package.
    ///
    /// # Errors
    /// When the system cannot tell.
    pub fn facts(&self) -> io::Result<(u64, std::time::SystemTime)> {
        let facts = self.file.metadata()?;
        Ok((facts.len(), facts.modified()?))
    }

    /// Lets the system forget what it remembers of the file, so that what is read comes from the disk.
    pub(crate) fn forget(&self) {
        // Where the system does not want to, nothing is lost but the certainty.
        let _ = fadvise(&self.file, 0, None, Advice::DontNeed);
    }
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(part) = &mut self.part else { return self.file.read(buffer) };
        let left = part.end.saturating_sub(part.position);
        let room = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.file.read(buffer.get_mut(..room).unwrap_or_default())?;
        part.position += count as u64;
        Ok(count)
    }
}

impl Seek for Opened {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let Some(part) = &mut self.part else { return self.file.seek(position) };
        let wanted = match position {
            SeekFrom::Start(offset) => part.start.checked_add(offset),
            SeekFrom::End(offset) => part.end.checked_add_signed(offset),
            SeekFrom::Current(offset) => part.position.checked_add_signed(offset),
        };
        let wanted = wanted.filter(|wanted| *wanted >= part.start).ok_or(io::ErrorKind::InvalidInput)?;
        part.position = self.file.seek(SeekFrom::Start(wanted))?;
        Ok(part.position - part.start)
    }
}
