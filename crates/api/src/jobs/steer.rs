//! Beginning a job, pausing it, going on with it, stopping it.

use job::socket::{self, Command};

use super::Jobs;
use super::files::{no_such, plain};
use super::harvests::{Profile, Wish};
use super::list::{Summary, progress};
use crate::error::Error;

/// What is done to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Begin nothing new.
    Pause,
    /// Go on: after a pause, or with a job that no process runs.
    Resume,
    /// End when what is under way has ended; it can be gone on with later.
    Stop,
}

impl Course {
    /// By its name in a path.
    #[must_use]
    pub fn parse(word: &str) -> Option<Course> {
        match word {
            "pause" => Some(Course::Pause),
            "resume" => Some(Course::Resume),
            "stop" => Some(Course::Stop),
            _ => None,
        }
    }
}

impl Jobs {
    /// Whether harvests can be begun here.
    #[must_use]
    pub fn can_harvest(&self) -> bool {
        self.harvests().is_some()
    }

    /// Begins a harvest; says what its jobs are called.
    ///
    /// # Errors
    /// When something is wrong with it, or this server harvests nothing.
    pub fn start(&self, wish: &Wish) -> Result<Vec<String>, Error> {
        let harvests = self.harvests().ok_or_else(nothing)?;
        if wish.urls.len() > self.limits().start_urls {
            let message = format!("more than {} start URLs at once", self.limits().start_urls);
            return Err(Error::Wrong {
                message,
                hint: Some("harvest them with `varve harvest --seeds FILE`".to_owned()),
            });
        }
        Ok(harvests.start(wish)?)
    }

    /// Steers a job; says how it stands then.
    ///
    /// # Errors
    /// When there is no such job, it is at its end, or no process runs it.
    pub fn steer(&self, job: &str, course: Course) -> Result<Summary, Error> {
        let archive = self.archive();
        let folder = archive.work().join(plain(job)?);
        let committed = || -> Result<Option<Error>, Error> {
            let is_committed = archive.snapshot()?.commits().iter().any(|commit| commit.name == job);
            let why = || Error::Conflict(format!("job `{job}` is committed: all of it is in the archive"));
            Ok(is_committed.then(why))
        };
        let Some(found) = job::list(&archive.work())?.into_iter().find(|found| found.name == job) else {
            return Err(committed()?.unwrap_or_else(|| no_such(job)));
        };
        let command = match (course, found.is_held) {
            (Course::Resume, false) => {
                let harvests = self.harvests().ok_or_else(nothing)?;
                harvests.go_on(job)?;
                None
            }
            (Course::Resume, true) => Some(Command::Resume),
            (Course::Pause, _) => Some(Command::Pause),
            (Course::Stop, _) => Some(Command::Stop),
        };
        match command.map(|command| socket::ask(&folder, &command)) {
            // It may have come to its end just now.
            Some(Err(error @ job::Error::NotRunning { .. })) => {
                return Err(committed()?.unwrap_or_else(|| error.into()));
            }
            Some(asked) => drop(asked?),
            None => {}
        }
        let now = job::list(&archive.work())?.into_iter().find(|found| found.name == job);
        let now = now.unwrap_or(found);
        let progress = progress(archive, &now);
        Ok(Summary::at_work(archive, &now, progress))
    }

    /// The profiles that a harvest can go by.
    #[must_use]
    pub fn profiles(&self) -> Vec<Profile> {
        self.harvests().map(|harvests| harvests.profiles()).unwrap_or_default()
    }
}

fn nothing() -> Error {
    Error::Forbidden("this server harvests nothing".to_owned())
}
