//! Finds the job that a command line names, and says what to do when the job cannot be used.

use archive::Archive;
use crawl::Error;

use crate::hint::with_hint;

/// The name of a job; `last` is the newest at work, or else the newest of all.
pub(crate) fn at_work(archive: &Archive, name: &str) -> anyhow::Result<String> {
    if name != "last" {
        return Ok(name.to_owned());
    }
    if let Some(job) = job::list(&archive.work())?.into_iter().next() {
        return Ok(job.name);
    }
    let snapshot = archive.snapshot()?;
    let is_job = |commit: &&index::Commit| !archive::is_removal(commit) && !archive::is_watch(commit);
    let jobs = snapshot.commits().iter().filter(is_job);
    match jobs.max_by_key(|commit| commit.at) {
        Some(commit) => Ok(commit.name.clone()),
        None => Err(with_hint(
            anyhow::anyhow!("there is no job in this archive"),
            "`varve harvest URL` begins one",
        )),
    }
}

/// The way out of what can be wrong with a job.
pub(crate) fn hinted(error: Error, name: &str) -> anyhow::Error {
    let hint = match &error {
        Error::NoSuchJob { .. } => "`varve jobs ls` lists the jobs of this archive".to_owned(),
        Error::Committed { .. } => {
            format!("nothing is left to do for it; `varve jobs show {name}` shows what it has done")
        }
        Error::JobBusy { .. } => {
            format!("`varve jobs show {name}` looks at it, `varve jobs stop {name}` stops it")
        }
        Error::Job(job::Error::NotRunning { .. }) => {
            format!("`varve harvest --resume {name}` goes on with it")
        }
        Error::DomainBusy { .. } => "`varve jobs ls` shows which; two crawls never share a domain".to_owned(),
        _ => return error.into(),
    };
    with_hint(error.into(), hint)
}
