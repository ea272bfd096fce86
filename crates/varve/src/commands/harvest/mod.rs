//! `varve harvest`: brings sites into the archive.

// What is to be done.
mod filters;
mod job_file;
mod lists;
mod plan;
mod resolved;
mod seeds;
// The doing, and how it is shown.
mod running;
mod several;

use crawl::Job;

use crate::exit::Exit;
use crate::flags::Flags;
use crate::job_lookup;
use crate::session::Session;

pub(crate) use plan::{Plan, asking, check, plan, plan_again, scope_plan};
pub(crate) use seeds::{one as one_url, one_with_login as one_url_with_login};

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
        return several::run(plan(&args, session)?.split()?, None, session);
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
    let plan = plan_again(&args, archive, &job.settings_text()?, &seeds_of(&job, session)?, session)?;
    drop(job);
    several::run(vec![plan], Some(name), session)
}

/// Makes the job of a plan (A6: its name is the commit tag, domain and time).
pub(crate) fn begin(plan: &Plan, started: jiff::Timestamp) -> Result<Job, crawl::Error> {
    let name = format!("{}-{}", plan.label, urlkey::time::to_14(started));
    Job::create(&plan.archive, &name, started, &plan.job_toml, &plan.seeds_text)
}

/// The settings that a job was begun with.
pub(crate) fn settings_of(job: &Job, session: &Session) -> anyhow::Result<crawl::Settings> {
    let args = Args { urls: Vec::new(), resume: None, flags: Box::default() };
    let archive = job.archive().clone();
    Ok(plan_again(&args, archive, &job.settings_text()?, &seeds_of(job, session)?, session)?.settings)
}

/// The seeds that a job was begun with. User names and passwords that an earlier version has left in its list are moved to the archive's
/// secrets.
pub(crate) fn seeds_of(job: &Job, session: &Session) -> anyhow::Result<String> {
    let text = job.seeds_text()?;
    let mut seeds = scope::Seeds::parse(&text)?;
    let logins = seeds.take_logins();
    if logins.is_empty() {
        return Ok(text);
    }
    session.keychain(job.archive().folder()).keep(&logins)?;
    let text = seeds::text(seeds.urls(), seeds.prefixes());
    job.rewrite_seeds(&text)?;
    Ok(text)
}

/// The profiles that a harvest can go by, and what those that are built in are for.
pub(crate) fn profiles(session: &Session) -> Vec<(String, &'static str)> {
    let own = session.load_settings().map(|loaded| loaded.file.profiles).unwrap_or_default();
    let built_in = settings::BUILT_IN_PROFILES.iter().map(|profile| (profile.name.to_owned(), profile.about));
    let is_built_in = |name: &String| settings::BUILT_IN_PROFILES.iter().any(|profile| profile.name == name);
    let own = own.into_keys().filter(|name| !is_built_in(name)).map(|name| (name, ""));
    own.chain(built_in).collect()
}
