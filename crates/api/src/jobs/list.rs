//! The list of jobs: those at work first, then those that are committed, the newest of each first.

use std::time::Duration;

use archive::{Archive, WEB};
use job::socket::{self, Command};
use job::{Progress, State};
use serde::Serialize;
use supervisor::Outcome;

use super::Jobs;
use super::commits::{Kind, Known};
use super::report::Report;
use crate::error::Error;

/// What a list says of a job. What is not known is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Its name.
    pub job: String,
    /// What it is.
    pub kind: Kind,
    /// Which collection its captures go to.
    pub collection: String,
    /// Whether a process has it.
    #[serde(skip)]
    pub is_held: bool,
    /// `waiting`, `running`, `paused`, `stopping`, `stopped`, `killed`, `finished`, `committing`, `committed`, `failed`.
    pub state: String,
    /// When it began.
    pub started: String,
    /// Why it does not run, or has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Answers; of an import, its captures.
    pub documents: Option<u64>,
    /// Bytes of them; of an import, of its files.
    pub bytes: Option<u64>,
    /// Answers with new content.
    pub novel: Option<u64>,
    /// Answers with known content.
    pub unchanged: Option<u64>,
    /// Documents that are gone.
    pub gone: Option<u64>,
    /// URLs that nobody answered for.
    pub failed: Option<u64>,
    /// How it gets on, while a process runs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
}

/// How long a list waits for the processes of its jobs.
const LIST_PATIENCE: Duration = Duration::from_secs(2);

impl Jobs {
    /// All jobs.
    ///
    /// # Errors
    /// When the archive cannot be read.
    pub fn list(&self) -> Result<Vec<Summary>, Error> {
        let archive = self.archive();
        let found = job::list(&archive.work())?;
        let progress = progress_of_all(archive, &found);
        let mut jobs: Vec<Summary> = found
            .iter()
            .zip(progress)
            .map(|(job, progress)| Summary::at_work(archive, job, progress))
            .collect();
        let mut known = Known::all(archive)?;
        // What has brought nothing has left nothing but what this process remembers.
        let is_there = |jobs: &[Summary], name: &str| {
            jobs.iter().any(|job| job.job == name) || known.iter().any(|known| known.commit.name == name)
        };
        for outcome in self.harvests().map(|harvests| harvests.outcomes()).unwrap_or_default() {
            if !is_there(&jobs, &outcome.job) {
                jobs.push(Summary::failed(outcome));
            }
        }
        known.sort_by(|Known { commit: a, .. }, Known { commit: b, .. }| {
            (b.at, &b.name).cmp(&(a.at, &a.name))
        });
        jobs.extend(known.iter().map(Summary::committed));
        Ok(jobs)
    }

    /// What the list says of one job; `None` if there is none of this name.
    ///
    /// # Errors
    /// When the archive cannot be read.
    pub fn summary(&self, job: &str) -> Result<Option<Summary>, Error> {
        let archive = self.archive();
        if let Some(found) = job::list(&archive.work())?.iter().find(|found| found.name == job) {
            return Ok(Some(Summary::at_work(archive, found, progress(archive, found))));
        }
        if let Some(known) = Known::find(archive, job)? {
            return Ok(Some(Summary::committed(&known)));
        }
        let outcomes = self.harvests().map(|harvests| harvests.outcomes()).unwrap_or_default();
        Ok(outcomes.into_iter().find(|outcome| outcome.job == job).map(Summary::failed))
    }

    /// The jobs that a process has now, each with how it gets on, if it is so far.
    pub(super) fn held(&self) -> Result<Vec<(String, Option<Progress>)>, Error> {
        let mut held = job::list(&self.archive().work())?;
        held.retain(|job| job.is_held);
        let progress = progress_of_all(self.archive(), &held);
        Ok(held.into_iter().map(|job| job.name).zip(progress).collect())
    }
}

impl Summary {
    /// Whether nobody has it any more, and what became of it is known. One that is brought into the archive or removed at this moment is
    /// not so far.
    pub(super) fn is_settled(&self) -> bool {
        !self.is_held && !matches!(self.state.as_str(), "finished" | "committing")
    }

    /// Of a job that is not committed, with what its process says.
    pub(super) fn at_work(archive: &Archive, job: &job::Summary, progress: Option<Progress>) -> Summary {
        let word = state(job);
        // One that was stopped has written down how far it came; one that was killed has not.
        let is_reported = progress.is_none() && word != "killed" && word != "waiting";
        let report = is_reported.then(|| Report::read(archive, &job.name)).flatten().unwrap_or_default();
        let so_far = |counted: fn(&Progress) -> u64| progress.as_ref().map(counted);
        Summary {
            job: job.name.clone(),
            collection: WEB.to_owned(),
            is_held: job.is_held,
            state: progress.as_ref().map_or(word, |progress| &progress.state).to_owned(),
            started: job.started.to_string(),
            why: progress.as_ref().and_then(|progress| progress.why.clone()).or_else(|| job.why.clone()),
            documents: so_far(|progress| progress.documents).or(report.documents),
            bytes: so_far(|progress| progress.bytes).or(report.bytes),
            novel: so_far(|progress| progress.novel).or(report.novel),
            unchanged: so_far(|progress| progress.duplicates)
                .or(report.duplicates.zip(report.not_modified).map(|(same, told)| same + told)),
            gone: so_far(|progress| progress.gone).or(report.gone),
            failed: so_far(|progress| progress.failed).or(report.failed),
            progress,
            ..Summary::default()
        }
    }

    /// Of a commit.
    pub(super) fn committed(known: &Known) -> Summary {
        let commit = &known.commit;
        let fact = |name: &str| {
            commit.facts.iter().find(|(given, _)| given == name).and_then(|(_, value)| value.parse().ok())
        };
        let unchanged =
            fact("duplicates").zip(fact("not-modified")).map(|(same, told): (u64, u64)| same + told);
        Summary {
            job: commit.name.clone(),
            kind: known.kind(),
            collection: known.collection.clone(),
            state: "committed".to_owned(),
            started: commit.at.to_string(),
            documents: fact("documents").or(fact("captures")),
            bytes: fact("bytes"),
            novel: fact("novel"),
            unchanged,
            gone: fact("gone"),
            failed: fact("failed"),
            ..Summary::default()
        }
    }

    /// Of one that has left nothing.
    pub(super) fn failed(outcome: Outcome) -> Summary {
        Summary {
            job: outcome.job,
            collection: WEB.to_owned(),
            state: "failed".to_owned(),
            started: outcome.started,
            why: Some(outcome.why),
            ..Summary::default()
        }
    }
}

/// How a job gets on, if a process runs it.
pub(super) fn progress(archive: &Archive, job: &job::Summary) -> Option<Progress> {
    if !job.is_held {
        return None;
    }
    socket::ask(&archive.work().join(&job.name), &Command::Status).ok()
}

/// The same of all jobs, which are asked at the same time, with one deadline for all.
fn progress_of_all(archive: &Archive, jobs: &[job::Summary]) -> Vec<Option<Progress>> {
    let held = jobs.iter().filter(|job| job.is_held).map(|job| archive.work().join(&job.name));
    let mut answers = socket::ask_all(held.collect(), LIST_PATIENCE).into_iter();
    jobs.iter().map(|job| if job.is_held { answers.next().flatten() } else { None }).collect()
}

/// Where a job stands whose process says nothing. One that says that it runs, and nobody holds, was killed; one that somebody holds
/// and that does not run waits for its turn.
#[must_use]
pub fn state(job: &job::Summary) -> &'static str {
    match (job.state, job.is_held) {
        (State::Running | State::Paused, false) => "killed",
        (State::New | State::Stopped, true) => "waiting",
        (state, _) => state.word(),
    }
}
