//! The jobs that are at work in a folder.

use std::fs;
use std::path::Path;

use jiff::Timestamp;

use crate::error::Error;
use crate::lock;
use crate::state::{Standing, State};

/// What a list of jobs says of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub state: State,
    /// When it began.
    pub started: Timestamp,
    /// Why it is not running.
    pub why: Option<String>,
    /// Whether a process runs it at this moment.
    pub is_held: bool,
}

/// The jobs whose folders lie in this one, the newest first.
///
/// # Errors
/// When the folder cannot be read. That there is none is no error: then there are no jobs.
pub fn list(work: &Path) -> Result<Vec<Summary>, Error> {
    let entries = match fs::read_dir(work) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(Error::File { path: work.to_owned(), source }),
    };
    let mut jobs = Vec::new();
    for entry in entries.flatten() {
        let folder = entry.path();
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        // A folder without one is being made or being removed at this moment.
        let Ok(standing) = Standing::read(&folder) else { continue };
        let Standing { state, started, why, .. } = standing;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_held = lock::is_held(&folder)?;
        jobs.push(Summary { name, state, started, why, is_held });
    }
    jobs.sort_by(|a, b| (b.started, &b.name).cmp(&(a.started, &a.name)));
    Ok(jobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_listed_newest_first_and_whoever_holds_one_shows() {
        let work = tempfile::tempdir().unwrap();
        assert_eq!(list(&work.path().join("none")).unwrap(), []);
        for (name, second) in [("a", 1), ("b", 2)] {
            fs::create_dir(work.path().join(name)).unwrap();
            let started = Timestamp::from_second(second).unwrap();
            Standing::new(started).write(&work.path().join(name)).unwrap();
        }
        fs::create_dir(work.path().join("domains")).unwrap();
        let held = lock::of_job(&work.path().join("a")).unwrap().unwrap();
        let shown = || {
            let jobs = list(work.path()).unwrap().into_iter();
            jobs.map(|job| (job.name, job.state, job.is_held)).collect::<Vec<_>>()
        };
        let of = |name: &str, is_held| (name.to_owned(), State::New, is_held);
        assert_eq!(shown(), [of("b", false), of("a", true)]);
        drop(held);
        assert_eq!(shown(), [of("b", false), of("a", false)]);
    }
}
