//! All about one job.

use serde::Serialize;

use super::commits::Known;
use super::files::{files, no_such, plain};
use super::import::Import;
use super::list::{Summary, progress};
use super::parts::{Parts, Seed, seeds};
use super::report::{Domain, Report};
use super::timeline::Timeline;
use super::{Jobs, counted};
use crate::error::Error;

/// So many rows of each kind are told; the reports have all.
const ROWS_MAX: usize = 50;

/// A job.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Shown {
    /// What a list says of it.
    #[serde(flatten)]
    pub summary: Summary,
    /// What it has reported, once it has.
    pub report: Option<Report>,
    /// What became of the files of an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<Import>,
    /// Its start URLs.
    pub seeds: Vec<Seed>,
    /// The domains with most documents, and why each ended.
    pub domains: Vec<Domain>,
    /// What its documents were.
    #[serde(flatten)]
    pub parts: Parts,
    /// How they came.
    pub timeline: Timeline,
    /// Files that can be looked at.
    pub files: Vec<String>,
}

impl Jobs {
    /// Shows a job.
    ///
    /// # Errors
    /// When there is none of this name, or it cannot be read.
    pub fn show(&self, job: &str) -> Result<Shown, Error> {
        let archive = self.archive();
        plain(job)?;
        if let Some(found) = job::list(&archive.work())?.iter().find(|found| found.name == job) {
            return self.at_work(found);
        }
        if let Some(known) = Known::find(archive, job)? {
            let summary = Summary::committed(&known);
            if known.kind().is_import() {
                let files = files(archive, job).unwrap_or_default();
                return Ok(Shown { summary, files, import: Import::read(archive, job), ..Shown::default() });
            }
            let counted = self.inside.counted.of_committed(archive, job, self.limits());
            let timeline = counted.map(|counted| counted.timeline.clone()).unwrap_or_default();
            return Ok(Shown { timeline, ..self.reported(summary) });
        }
        let outcomes = self.harvests().map(|harvests| harvests.outcomes()).unwrap_or_default();
        match outcomes.into_iter().find(|outcome| outcome.job == job) {
            Some(outcome) => {
                let seed = |url: &String| Seed { url: url.clone(), status: None, redirect: None };
                let seeds = outcome.urls.iter().map(seed).collect();
                Ok(Shown { seeds, summary: Summary::failed(outcome), ..Shown::default() })
            }
            None => Err(no_such(job)),
        }
    }

    /// Of one that is not committed. It may be counted at any time: its log says all.
    fn at_work(&self, job: &job::Summary) -> Result<Shown, Error> {
        let summary = Summary::at_work(self.archive(), job, progress(self.archive(), job));
        let counted = match counted::count(self.archive(), &job.name, self.limits()) {
            // One that waits has no log yet.
            Err(Error::NoSuchFile { .. }) => counted::Counted::default(),
            counted => counted?,
        };
        let is_reported = summary.progress.is_none() && summary.state != "killed";
        let shown = if is_reported { self.reported(summary) } else { self.unreported(summary) };
        Ok(Shown { parts: Parts::counted(&counted.tally).top(ROWS_MAX), timeline: counted.timeline, ..shown })
    }

    /// Of one that has written its reports.
    fn reported(&self, summary: Summary) -> Shown {
        let (archive, job) = (self.archive(), summary.job.clone());
        let mut domains = Domain::read(archive, &job);
        domains.truncate(ROWS_MAX);
        Shown {
            report: Report::read(archive, &job),
            domains,
            parts: Parts::read(archive, &job).unwrap_or_default().top(ROWS_MAX),
            ..self.unreported(summary)
        }
    }

    fn unreported(&self, summary: Summary) -> Shown {
        let (archive, job) = (self.archive(), summary.job.clone());
        let mut seeds = seeds(archive, &job);
        seeds.truncate(ROWS_MAX);
        let files = files(archive, &job).unwrap_or_default();
        Shown { summary, seeds, files, ..Shown::default() }
    }
}
