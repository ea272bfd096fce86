//! Several crawls: as many at once as are allowed, never two on one domain, once or again and again (A4).

use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

use crawl::{Crawl, Ended, Error, Job, Politeness};
use harvest::{Id, Next, Turns};
use jiff::Timestamp;

use super::begin;
use super::ending::{Interrupts, tell};
use super::live::Live;
use super::plan::Plan;
use crate::commands::jobs::hinted;
use crate::exit::Exit;
use crate::report;
use crate::session::Session;

/// How often the terminal is brought up to date, and interrupts are looked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long a crawl waits whose domain another process is on.
const BUSY_WAIT: Duration = Duration::from_secs(10);

/// Runs all of them until none is due any more, or somebody has had enough. A job that was begun before is the first turn of the
/// first plan.
pub(super) fn run(
    plans: Vec<Plan>,
    mut begun: Option<String>,
    session: &mut Session,
) -> anyhow::Result<Exit> {
    let interrupts = Interrupts::listen()?;
    let at_once = plans.iter().map(|plan| plan.crawls_at_once).max().unwrap_or(1);
    let mut turns = Turns::new(at_once);
    let mut crawls = BTreeMap::new();
    for plan in plans {
        let crawl = harvest::Crawl::of(&plan.domains);
        let crawl = match plan.every {
            Some(every) => crawl.every(every),
            None => crawl,
        };
        crawls.insert(turns.add(crawl, now()), plan);
    }
    let politeness = crawls.values().next().map(|plan| Politeness::new(plan.settings.gate));
    let mut running: BTreeMap<Id, Running> = BTreeMap::new();
    let mut exit = Exit::Done;
    loop {
        let mut is_done = false;
        while !interrupts.is_wanted() {
            match turns.next(now()) {
                Next::Start(id) => {
                    let Some(plan) = crawls.get(&id) else { continue };
                    match start(plan, begun.as_deref(), politeness.as_ref()) {
                        Ok(crawl) => {
                            begun = None;
                            running.insert(id, Running::new(crawl, session));
                        }
                        Err(Error::DomainBusy { domain }) => {
                            session.talk.note(&format!("{domain}: another process is crawling it; waiting"));
                            turns.postpone(id, now() + BUSY_WAIT);
                        }
                        Err(error) => {
                            report::failure(&session.talk, &hinted(error, &plan.label));
                            exit = Exit::Failed;
                            turns.ended(id, now());
                        }
                    }
                }
                Next::Done => {
                    is_done = true;
                    break;
                }
                Next::Busy | Next::WaitUntil(_) => break,
            }
        }
        let is_over = running.is_empty() && (is_done || interrupts.is_wanted());
        if is_over {
            return Ok(if interrupts.is_wanted() { Exit::Failed } else { exit });
        }
        thread::sleep(LOOK_EVERY);
        for id in look(&mut running, &interrupts, session) {
            let Some(over) = running.remove(&id) else { continue };
            let name = over.name.clone();
            match over.wait() {
                Ok(ended) => {
                    let told = tell(&ended, session)?;
                    exit = if told == Exit::Done { exit } else { told };
                }
                Err(error) => {
                    report::failure(&session.talk, &hinted(error, &name));
                    exit = Exit::Failed;
                }
            }
            turns.ended(id, now());
        }
    }
}

#[allow(clippy::disallowed_methods)] // Crawls are due by the clock.
fn now() -> Timestamp {
    Timestamp::now()
}

fn start(plan: &Plan, begun: Option<&str>, politeness: Option<&Politeness>) -> Result<Crawl, Error> {
    let is_new = begun.is_none();
    let job = match begun {
        Some(name) => Job::open(&plan.archive, name)?,
        None => begin(plan, now())?,
    };
    let (archive, name) = (job.archive().clone(), job.name().to_owned());
    let started = Crawl::start(job, plan.settings.clone(), politeness);
    if is_new && started.is_err() {
        // Nothing was fetched, so there is nothing to keep.
        archive.discard(&name)?;
    }
    started
}

/// A crawl under way, and its lines on the screen.
struct Running {
    name: String,
    crawl: Crawl,
    live: Live,
    elapsed: Duration,
    held: Option<String>,
    is_stopping: bool,
}

impl Running {
    fn new(crawl: Crawl, session: &Session) -> Running {
        let name = crawl.progress().job;
        let live = Live::new(&session.talk);
        Running { name, crawl, live, elapsed: Duration::ZERO, held: None, is_stopping: false }
    }

    fn wait(self) -> Result<Ended, Error> {
        self.live.finish();
        self.crawl.wait()
    }
}

/// Shows how they get on; says which are over.
fn look(running: &mut BTreeMap<Id, Running>, interrupts: &Interrupts, session: &Session) -> Vec<Id> {
    let mut over = Vec::new();
    let mut is_told = false;
    for (id, run) in running.iter_mut() {
        if interrupts.is_wanted() && !run.is_stopping {
            run.is_stopping = true;
            run.crawl.control().stop();
            if !is_told {
                session.talk.note("stopping when what is under way has ended; Ctrl-C again ends at once");
                is_told = true;
            }
        }
        if run.crawl.is_over() {
            over.push(*id);
            continue;
        }
        run.elapsed += LOOK_EVERY;
        let progress = run.crawl.progress();
        // Whoever does not look at the bottom line is told once why nothing moves.
        if progress.why != run.held {
            run.held.clone_from(&progress.why);
            if let Some(why) = &run.held {
                session.talk.warning(&format!("{}: {why}", progress.job));
            }
        }
        run.live.show(&progress, run.elapsed, &session.talk);
    }
    over
}
