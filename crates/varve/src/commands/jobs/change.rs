//! `varve jobs pause|resume|stop|commit|discard`: what is done to a job.

use archive::Archive;
use crawl::Job;
use job::Progress;
use job::socket::{self, Command};
use settings::HarvestLayer;

use crate::crawl_ending;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::job_lookup::{at_work, hinted};
use crate::replication;
use crate::session::Session;

/// The job it is done to.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of a job, or `last`: the newest that is not committed
    #[arg(value_name = "JOB", default_value = "last")]
    job: String,
}

/// The job that is thrown away: nobody else's by mistake.
#[derive(clap::Args)]
pub(crate) struct Named {
    /// Name of a job
    #[arg(value_name = "JOB")]
    job: String,
}

/// Tells the process that runs the job.
pub(super) fn ask(args: Args, command: &Command, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let name = at_work(&archive, &args.job)?;
    let progress = tell(&archive, &name, command)?;
    if session.globals.json {
        session.out.json(&progress)?;
    } else {
        session.out.line(format!("{name}: {}", progress.state))?;
    }
    session.out.finish()?;
    Ok(Exit::Done)
}

/// Tells the process that runs this job, and hears how it gets on.
pub(super) fn tell(archive: &Archive, name: &str, command: &Command) -> anyhow::Result<Progress> {
    let is_at_work = job::list(&archive.work())?.iter().any(|job| job.name == name);
    let error = match is_at_work.then(|| socket::ask(&archive.work().join(name), command)) {
        Some(Ok(progress)) => return Ok(progress),
        // It may have come to its end just now.
        Some(Err(job::Error::NotRunning { .. })) if is_committed(archive, name)? => committed(name),
        Some(Err(error)) => error.into(),
        None if is_committed(archive, name)? => committed(name),
        None => crawl::Error::NoSuchJob { name: name.to_owned() },
    };
    Err(hinted(error, name))
}

fn committed(name: &str) -> crawl::Error {
    crawl::Error::Committed { name: name.to_owned() }
}

fn is_committed(archive: &Archive, name: &str) -> anyhow::Result<bool> {
    Ok(archive.snapshot()?.commits().iter().any(|commit| commit.name == name))
}

/// Brings what was fetched into the archive.
pub(super) fn commit(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let name = at_work(&archive, &args.job)?;
    let job = Job::open(&archive, &name).map_err(|error| hinted(error, &name))?;
    let settings = session.planner_of(archive.clone())?.plan_of(&job, &HarvestLayer::default())?.settings;
    let interrupts = Interrupts::listen()?;
    let ended = job.commit(settings).map_err(|error| hinted(error, &name))?;
    let told = crawl_ending::tell(&ended, session)?;
    replication::after_commit(&archive, &name, &interrupts, session);
    Ok(told)
}

/// Throws it away.
pub(super) fn discard(args: Named, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let name = at_work(&archive, &args.job)?;
    let job = Job::open(&archive, &name).map_err(|error| hinted(error, &name))?;
    job.discard().map_err(|error| hinted(error, &name))?;
    session.out.line(format!("{name}: discarded"))?;
    session.out.finish()?;
    Ok(Exit::Done)
}
