//! `varve jobs`: the jobs of an archive, those at work and those that are done.

mod change;
mod imported;
mod limits;
mod log;
mod ls;
mod show;

use api::jobs::{Jobs, Summary};
use archive::Archive;
use clap::Subcommand;
use crawl::Error;
use job::socket::Command;

use crate::exit::Exit;
use crate::hint::with_hint;
use crate::job_lookup::hinted;
use crate::session::Session;

/// Look at crawls and steer them, and look at imports
///
/// A job is at work from `varve harvest` until it is committed: then all it has fetched becomes visible in one step. One that was
/// stopped or killed can be resumed (`varve harvest --resume JOB`), committed as it is, or discarded. JOB is a job's name, or
/// `last`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Ls(ls::Args),
    Show(show::Args),
    /// Begin nothing new until `varve jobs resume`
    Pause(change::Args),
    /// Go on after a pause
    Resume(change::Args),
    /// Stop when what is under way has ended; it can be resumed with `varve harvest --resume`
    Stop(change::Args),
    Limits(limits::Args),
    Log(log::Args),
    /// Bring what a stopped job has fetched into the archive, without fetching more
    Commit(change::Args),
    /// Throw away what a stopped job has fetched
    Discard(change::Named),
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Ls(args) => ls::run(args, session),
        Verb::Show(args) => show::run(args, session),
        Verb::Pause(args) => change::ask(args, &Command::Pause, session),
        Verb::Resume(args) => change::ask(args, &Command::Resume, session),
        Verb::Stop(args) => change::ask(args, &Command::Stop, session),
        Verb::Limits(args) => limits::run(args, session),
        Verb::Log(args) => log::run(args, session),
        Verb::Commit(args) => change::commit(args, session),
        Verb::Discard(args) => change::discard(args, session),
    }
}

/// What the list says of a job if it is an import.
fn import(archive: &Archive, name: &str) -> anyhow::Result<Option<Summary>> {
    let jobs = Jobs::new(archive.clone(), None, api::Limits::default());
    Ok(jobs.summary(name).map_err(hinted_of)?.filter(|job| job.kind.is_import()))
}

/// The way out where the list of jobs or the files of one say no.
fn hinted_of(error: api::Error) -> anyhow::Error {
    match error {
        api::Error::NoSuchJob(name) => hinted(Error::NoSuchJob { name: name.clone() }, &name),
        api::Error::NoSuchFile { job, file } => {
            let error = anyhow::anyhow!("job `{job}` has no file `{file}`");
            with_hint(error, format!("`varve jobs log {job} --list` lists those that it has"))
        }
        error => error.into(),
    }
}
