//! `varve jobs limits`: changes what a running job may fetch (B8, B11).

use std::time::Duration;

use job::limits::LimitChange;
use job::socket::Command;
use settings::{parse_bytes, parse_duration};

use super::change;
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::job_lookup::at_work;
use crate::session::Session;
use crate::usage::wrong;

/// Change the limits of a running job
///
/// A limit that is not named stays as it is. A job that waits because a budget is used up goes on when the budget is raised. The job keeps
/// the new limits when it is killed and resumed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Name of a job, or `last`
    #[arg(value_name = "JOB", default_value = "last")]
    job: String,

    /// For this domain alone; `*` is for every domain; without it for the whole job
    #[arg(long, value_name = "NAME")]
    domain: Option<String>,

    /// At most so many documents
    #[arg(long, value_name = "N")]
    max_objects: Option<u64>,

    /// At most so many bytes, such as 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_bytes: Option<u64>,

    /// At most so long, such as 6h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let name = at_work(&archive, &args.job)?;
    if args.max_objects.is_none() && args.max_bytes.is_none() && args.max_time.is_none() {
        let error = wrong(anyhow::anyhow!("there is no limit to change"));
        return Err(with_hint(error, "name one: --max-objects, --max-bytes, --max-time"));
    }
    let command = Command::Limits(LimitChange {
        domain: args.domain,
        objects: args.max_objects,
        bytes: args.max_bytes,
        seconds: args.max_time.map(|time| time.as_secs()),
    });
    let progress = change::tell(&archive, &name, &command)?;
    if session.globals.json {
        session.out.json(&progress)?;
    } else {
        session.out.line(format!("{name}: limits changed, {}", progress.state))?;
    }
    session.out.finish()?;
    Ok(Exit::Done)
}
