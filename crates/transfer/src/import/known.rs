//! Which contents the store has already, and where.

use std::collections::{HashMap, HashSet};

use archive::Archive;
use archive::Error;
use index::Index;

/// The sealed files by their checksums.
#[derive(Debug, Default)]
pub(super) struct Known {
    files: HashMap<String, String>,
    /// The jobs whose lines are in the collection that is imported into.
    here: HashSet<String>,
    /// What all files of the store are called, whoever they belong to.
    names: Vec<String>,
}

impl Known {
    /// Of what has been committed, in whichever collection. A file that lies elsewhere counts only where another may lie elsewhere, too,
    /// and as long as it is what it was: whoever imports it again mends what is gone.
    pub(super) fn of(archive: &Archive, index: &Index, with_references: bool) -> Result<Known, Error> {
        let jobs = |index: &Index| -> Result<HashSet<String>, Error> {
            Ok(index.snapshot()?.commits().iter().map(|commit| commit.name.clone()).collect())
        };
        let here = jobs(index)?;
        let mut committed = here.clone();
        for name in archive.collections()? {
            if let Some(collection) = archive.collection(&name)? {
                committed.extend(jobs(collection.index())?);
            }
        }
        let (mut files, mut names) = (HashMap::new(), Vec::new());
        for job in archive.store().jobs()? {
            for file in archive.store().files_of(&job)? {
                names.extend(file.name.split_once('/').map(|(_, name)| name.to_owned()));
                let is_kept = || match archive.store().reference(&file.name)? {
                    Some(_) => Ok::<_, Error>(with_references && archive.store().read(&file.name, 0).is_ok()),
                    None => Ok(true),
                };
                if committed.contains(&job) && is_kept()? {
                    files.insert(file.sha256, file.name);
                }
            }
        }
        Ok(Known { files, here, names })
    }

    /// The file of this checksum, if the collection has its captures.
    pub(super) fn here(&self, sha256: &str) -> Option<&str> {
        self.elsewhere(sha256)
            .filter(|file| file.split('/').next().is_some_and(|job| self.here.contains(job)))
    }

    /// The file of this checksum, wherever its captures are.
    pub(super) fn elsewhere(&self, sha256: &str) -> Option<&str> {
        self.files.get(sha256).map(String::as_str)
    }

    /// What files of the store are called, without their jobs.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}
