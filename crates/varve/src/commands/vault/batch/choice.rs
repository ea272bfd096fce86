//! Which files are meant: by name, job, collection and time.

use std::collections::HashSet;

use ::batch::Glob;
use anyhow::anyhow;
use archive::Archive;
use cdx::Timestamp;
use cdx::query::TimeRange;

use crate::hint::{WithHint as _, with_hint};
use crate::usage::wrong;

/// How a time is written, for whoever wrote something else.
const TIME: &str = "a time is 1 to 14 digits: year, month, day, hour, minute, second";

/// Which files are meant; what is said holds together.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Choice {
    /// Only files whose name fits: * stands for anything, ? for one character; with a slash it is about JOB/FILE
    #[arg(long = "files", value_name = "GLOB", global = true)]
    names: Option<String>,

    /// Only files of this job, or of those whose name fits, as above
    #[arg(long, value_name = "GLOB", global = true)]
    job: Option<String>,

    /// Only files of jobs that brought captures into this collection
    #[arg(short, long, value_name = "NAME", global = true)]
    collection: Option<String>,

    /// Only files of jobs that began at this time or later: 1 to 14 digits, so 2026 is its first second
    #[arg(long, value_name = "TIME", global = true)]
    from: Option<String>,

    /// Only files of jobs that began at this time or earlier: 1 to 14 digits, so 2026 is its last second
    #[arg(long, value_name = "TIME", global = true)]
    to: Option<String>,
}

/// The same, with jobs for what only jobs have.
pub(super) struct Ready {
    names: Option<Glob>,
    jobs: Option<Glob>,
    /// The jobs of the collection and time, if these matter.
    known: Option<HashSet<String>>,
}

impl Choice {
    /// Looks up which jobs are meant.
    pub(super) fn ready(&self, archive: &Archive) -> anyhow::Result<Ready> {
        let glob = |text: &Option<String>| text.as_deref().map(Glob::new);
        Ok(Ready { names: glob(&self.names), jobs: glob(&self.job), known: self.known(archive)? })
    }

    fn known(&self, archive: &Archive) -> anyhow::Result<Option<HashSet<String>>> {
        if self.collection.is_none() && self.from.is_none() && self.to.is_none() {
            return Ok(None);
        }
        let time = TimeRange::parse(self.from.as_deref(), self.to.as_deref()).map_err(wrong).hint(TIME)?;
        let names = match &self.collection {
            Some(name) => vec![name.clone()],
            None => archive.collections()?,
        };
        let mut known = HashSet::new();
        for name in names {
            let Some(collection) = archive.collection(&name)? else {
                let there = archive.collections()?.join(", ");
                let error = wrong(anyhow!("there is no collection `{name}`"));
                return Err(with_hint(error, format!("there are: {there}")));
            };
            for commit in collection.snapshot()?.commits() {
                let at = Timestamp::parse(&urlkey::time::to_14(commit.at)).ok();
                let is_in = |at: Timestamp| {
                    time.from.is_none_or(|from| from <= at) && time.to.is_none_or(|to| at <= to)
                };
                if at.is_some_and(is_in) {
                    known.insert(commit.name.clone());
                }
            }
        }
        Ok(Some(known))
    }
}

impl Ready {
    /// Whether files of this job are meant.
    pub(super) fn wants_job(&self, job: &str) -> bool {
        self.jobs.as_ref().is_none_or(|glob| glob.fits(job))
            && self.known.as_ref().is_none_or(|known| known.contains(job))
    }

    /// Whether a file of a job that is meant is meant.
    pub(super) fn wants_file(&self, name: &str) -> bool {
        self.names.as_ref().is_none_or(|glob| glob.fits_file(name))
    }
}
