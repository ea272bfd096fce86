//! `varve harvest`: brings sites into the archive.

mod running;
mod several;

use crawl::Job;

use crate::exit::Exit;
use crate::flags::Flags;
use crate::job_lookup;
use crate::session::Session;

/// Bring sites into the archive
///
/// Begins at the URLs, follows their links as far as the scope goes, and writes all that the servers answer into the archive. What
/// is there already is not stored again. Nothing of it is visible before the end; then all of it is. Ctrl-C stops it after what is
/// under way, and `--resume` goes on, also after a crash.
///
/// Every option is a setting of varve.toml, too, where it holds for every harvest, or in a profile for those that ask for it; the
/// command line holds over both. `varve config show` tells what holds, `varve scope explain URL` what belongs to the crawl.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where to begin; http:// may be left out
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,

    /// Go on with a job that was stopped or killed, by the settings it was begun with; `last` is the newest
    #[arg(long, value_name = "JOB", conflicts_with_all = ["urls", "seeds", "profile", "label"])]
    pub(crate) resume: Option<String>,

    // Boxed, because there are many: the other verbs need not carry room for them.
    #[command(flatten)]
    pub(crate) flags: Box<Flags>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let Some(name) = &args.resume else {
        let plan = session.planner()?.plan(&args.urls, &args.flags.layer)?;
        return several::run(plan.split()?, None, session);
    };
    let archive = session.archive()?;
    let name = job_lookup::at_work(&archive, name)?;
    let job = match Job::open(&archive, &name) {
        Ok(job) => job,
        Err(crawl::Error::Committed { name }) => {
            session.talk.note(&format!("{name}: committed already, there is nothing to go on with"));
            session.talk.hint(
                "harvest it again for more, with a larger budget; `--on-budget ask` keeps a job open when one is used up",
            );
            return Ok(Exit::Done);
        }
        Err(error) => return Err(job_lookup::hinted(error, &name)),
    };
    let plan = session.planner_of(archive)?.plan_of(&job, &args.flags.layer)?;
    drop(job);
    several::run(vec![plan], Some(name), session)
}
