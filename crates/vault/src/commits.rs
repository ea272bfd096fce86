//! Files that the catalogue does not know yet because of a commit: one that seals them just now, or one that ended before its files were
//! recorded. Audits ask this before they report a file as unknown.
//!
//! ```text
//! a commit in progress       its files are its own
//! a commit that ended        its files are recorded now, with the checksums of their list, and the audit reads them
//! a deposit that was killed  the file is recorded if it has the checksum of the list; a copy without a name is removed
//! anything else              nobody knows the file
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use catalogue::Audit;
use store::{Pace, Sealed, is_deposit, is_name};

use crate::error::Error;
use crate::place::Place;
use crate::vault::Vault;

/// The kind of events about copies that were never finished.
const REMOVED: &str = "removed";
/// The kind of events about files that somebody took out.
pub(crate) const FORGOTTEN: &str = "forgotten";
/// The end of the name of a file that every harvest and import has, and no deposit.
const METADATA_ENDING: &str = "-metadata.warc.gz";

/// The jobs that seal files in the first place.
pub trait Commits: Send + Sync {
    /// The files that a job has in the first place.
    ///
    /// # Errors
    /// When the place cannot be read.
    fn job(&self, job: &str) -> Result<JobFiles, store::Error>;
}

/// The files that a job has in the first place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobFiles {
    /// A commit of this job is in progress, or will be brought to its end: nothing more is known of its files.
    Committing,
    /// These files are sealed, each with its checksum.
    Sealed(Vec<Sealed>),
}

/// The job of the last file that was looked up, since names come job by job; and the results of the lookups.
#[derive(Debug, Default)]
pub(crate) struct CommitLookup {
    job: Option<String>,
    /// `None` while it is committing.
    files: Option<BTreeMap<String, Sealed>>,
    /// Whether files were recorded that nobody has read.
    pub(crate) has_recorded: bool,
    /// Whether the pace ended the reading of a file.
    pub(crate) is_stopped: bool,
}

impl Vault {
    /// The same vault, which looks up a file's commit before it reports the file as unknown.
    #[must_use]
    pub fn with_commits(mut self, commits: Arc<dyn Commits>) -> Vault {
        self.commits = Some(commits);
        self
    }

    /// Whether a file that the catalogue does not know belongs to a commit. If that has ended, its files are recorded.
    pub(crate) fn is_of_commit(
        &self,
        name: &str,
        place: &Place,
        (lookup, audit): (&mut CommitLookup, &mut Audit),
        pace: Pace<'_>,
    ) -> Result<bool, Error> {
        let Some((job, _)) = name.split_once('/').filter(|(job, own)| is_name(job) && is_name(own)) else {
            return Ok(false);
        };
        let Some(commits) = &self.commits else { return Ok(false) };
        // Asked after the name was listed: a commit that has ended since has its list.
        if lookup.job.as_deref() != Some(job) {
            lookup.job = Some(job.to_owned());
            lookup.files = match commits.job(job) {
                Ok(JobFiles::Committing) => None,
                Ok(JobFiles::Sealed(files)) => {
                    Some(files.into_iter().map(|file| (file.name.clone(), file)).collect())
                }
                // A damaged list names no file that can be relied on: whatever the catalogue does not know is unknown.
                Err(_) => Some(BTreeMap::new()),
            };
        }
        let Some(files) = &lookup.files else { return Ok(true) };
        if let Some(file) = files.get(name)
            && !self.catalogue.has_event(name, FORGOTTEN)?
        {
            if is_deposit(job) {
                match self.record_deposit(file, place, audit, pace) {
                    Err(Error::Replica { source: store::Error::Stopped, .. }) => {
                        lookup.is_stopped = true;
                        return Ok(true);
                    }
                    recorded => recorded?,
                }
            } else {
                lookup.has_recorded |= self.record_all(files.values())?;
            }
        }
        // It may have been recorded by somebody else, or withdrawn.
        let is_known = self.catalogue.file(name)?.is_some();
        Ok(is_known || matches!(place.replica.look(name), Ok(None)))
    }

    /// Records those files of a commit that never were. All at once: a job of which some files are known counts as recorded.
    fn record_all<'s>(&self, files: impl Iterator<Item = &'s Sealed>) -> Result<bool, Error> {
        let mut new = Vec::new();
        for file in files {
            if self.catalogue.file(&file.name)?.is_none()
                && !self.catalogue.has_event(&file.name, FORGOTTEN)?
            {
                new.push(file.clone());
            }
        }
        if new.is_empty() {
            return Ok(false);
        }
        self.take_note(&new).map(|_| true)
    }

    /// Records a file that was handed in, if it is what its list says. The list also has the checksums of files that were refused because
    /// another one has their name.
    fn record_deposit(
        &self,
        sealed: &Sealed,
        place: &Place,
        audit: &mut Audit,
        pace: Pace<'_>,
    ) -> Result<(), Error> {
        let found = match place.replica.read(&sealed.name, pace) {
            Err(error @ store::Error::Stopped) => return Err(Error::at(&place.name)(error)),
            found => found.ok().flatten(),
        };
        let Some(found) = found.filter(|found| found.sha256 == sealed.sha256) else { return Ok(()) };
        let sealed = Sealed { bytes: found.bytes.unwrap_or(sealed.bytes), ..sealed.clone() };
        let files = self.take_note(&[sealed])?;
        if self.is_first(place) {
            (audit.files, audit.bytes) = (audit.files + 1, audit.bytes + found.bytes.unwrap_or(0));
            let files: Vec<_> = files.iter().collect();
            self.record_verified(place, &files, (self.clock)().max(audit.began_at))?;
        }
        Ok(())
    }

    /// Removes copies that were being made when their process ended, and never got their names. A process that makes one now holds the
    /// vault, so nothing is removed then; jobs seal their files themselves, and remove those that a crash has left.
    pub(crate) fn remove_unfinished(&self, place: &Place) -> Result<(), Error> {
        let is_first = self.is_first(place);
        let is_ours = |job: &str| !is_first || self.is_deposit(job);
        // Most audits find none, and do not keep others from the vault then.
        if !place.replica.unfinished(&is_ours).is_ok_and(|names| !names.is_empty()) {
            return Ok(());
        }
        let _hold = match self.try_hold() {
            Err(Error::Busy(_)) => return Ok(()),
            hold => hold?,
        };
        // Where nothing can be removed, as on a read-only disk, they take up space and do no other harm.
        for name in place.replica.remove_unfinished(&is_ours).unwrap_or_default() {
            let what = "a copy that was not finished when its process ended".to_owned();
            self.log(self.happened(REMOVED, &name, &place.name, what))?;
        }
        Ok(())
    }

    /// Whether a job has files that were handed in. A harvest may have such a name, too.
    fn is_deposit(&self, job: &str) -> bool {
        let files = self.commits.as_ref().map(|commits| commits.job(job));
        is_deposit(job)
            && match files {
                Some(Ok(JobFiles::Sealed(files))) => {
                    !files.iter().any(|file| file.name.ends_with(METADATA_ENDING))
                }
                Some(_) => false,
                None => true,
            }
    }
}
