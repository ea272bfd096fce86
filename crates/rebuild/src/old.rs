//! What the indexes that are still there know: in which collection a job is, and lines of files that the store does not have.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use archive::Error;
use archive::WEB;
use index::{Commit, Index};

use crate::room::live;

/// Lines that are added at once.
const BATCH_ROWS: usize = 20_000;

/// The indexes that are there.
#[derive(Debug, Default)]
pub(crate) struct Old {
    indexes: HashMap<String, Index>,
    /// Those that cannot be read, and why.
    pub(crate) unreadable: HashMap<String, String>,
    commits: HashMap<String, Known>,
}

/// A commit of an old index.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) collection: String,
    pub(crate) commit: Commit,
    /// The one before it.
    pub(crate) after: Option<String>,
}

impl Old {
    /// Looks at all of them.
    pub(crate) fn of(archive: &Path) -> Old {
        let mut old = Old::default();
        let folders = fs::read_dir(archive.join("collections")).into_iter().flatten().flatten();
        let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let names: BTreeSet<String> =
            names.filter(|name| store::is_name(name)).chain([WEB.to_owned()]).collect();
        for name in names {
            match Index::open(&live(archive, &name)) {
                Ok(index) => {
                    old.indexes.insert(name, index);
                }
                Err(error) => {
                    old.unreadable.insert(name, error.to_string());
                }
            }
        }
        old.look_again();
        old
    }

    /// Learns what has been committed since.
    pub(crate) fn look_again(&mut self) {
        for (name, index) in &self.indexes {
            let Ok(snapshot) = index.snapshot() else { continue };
            let mut after = None;
            for commit in snapshot.commits() {
                let known = Known {
                    collection: name.clone(),
                    commit: commit.clone(),
                    after: after.replace(commit.name.clone()),
                };
                self.commits.insert(commit.name.clone(), known);
            }
        }
    }

    /// What is known of a job.
    pub(crate) fn find(&self, job: &str) -> Option<&Known> {
        self.commits.get(job)
    }

    /// Adds to the new index of a collection the lines of the old one whose files are none of these jobs', and its aliases: how many
    /// lines. An old one that is damaged in places counts as one that cannot be read.
    pub(crate) fn carry(
        &mut self,
        collection: &str,
        jobs: &HashSet<String>,
        to: &Index,
    ) -> Result<u64, Error> {
        let Some(index) = self.indexes.get(collection) else { return Ok(0) };
        let snapshot = index.snapshot()?;
        let aliases: Vec<(&str, &str)> = snapshot.aliases().collect();
        if !aliases.is_empty() {
            to.add_aliases(aliases)?;
        }
        let all = urlkey::KeyRange { start: String::new(), end: String::new() };
        let (mut batch, mut count) = (Vec::new(), 0);
        for row in snapshot.range(&all) {
            let row = match row {
                Ok(row) => row,
                Err(error) => {
                    self.unreadable.insert(collection.to_owned(), error.to_string());
                    break;
                }
            };
            let job = row.filename.as_deref().and_then(|name| name.split_once('/')).map(|(job, _)| job);
            if job.is_some_and(|job| jobs.contains(job)) {
                continue;
            }
            batch.push(Ok(row));
            if batch.len() == BATCH_ROWS {
                count += to.add(batch.drain(..))?;
            }
        }
        Ok(count + to.add(batch.into_iter())?)
    }
}
