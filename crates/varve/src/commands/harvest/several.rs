//! Several crawls: as many at once as are allowed, never two on one domain, once or again and again (A4).

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::Duration;

use archive::Archive;
use crawl::{Crawl, Error, Job, Politeness};
use crawl_queue::{Id, Next, Turns};
use job::Summary;
use plan::Plan;
use scope::Seeds;

use super::running::{LOOK_EVERY, Running};
use crate::clock::now;
use crate::crawl_ending::tell;
use crate::crawl_progress::time;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::job_lookup::hinted;
use crate::replication;
use crate::report;
use crate::session::Session;

/// How long a crawl waits whose domain another process is on.
const BUSY_WAIT: Duration = Duration::from_secs(10);

/// Runs all of them until none is due any more, or somebody has had enough. A job that was begun before is the first turn of the
/// first plan.
pub(super) fn run(plans: Vec<Plan>, begun: Option<String>, session: &mut Session) -> anyhow::Result<Exit> {
    let interrupts = Interrupts::listen()?;
    let mut several = Several::new(plans, begun, session);
    loop {
        let is_done = several.begin(&interrupts);
        if several.running.is_empty() && is_done {
            return Ok(several.exit);
        }
        if several.running.is_empty() && interrupts.is_wanted() {
            return Ok(several.interrupted());
        }
        thread::sleep(LOOK_EVERY);
        several.look(&interrupts)?;
    }
}

struct Several<'s> {
    session: &'s mut Session,
    turns: Turns,
    plans: BTreeMap<Id, Plan>,
    running: BTreeMap<Id, Running>,
    /// Crawls of which not even the first turn could begin, or which wait for somebody who is on their domain.
    owed: BTreeSet<Id>,
    /// Those whose domain somebody else is on, which was said.
    waiting: BTreeSet<Id>,
    /// The job that the first turn goes on with.
    begun: Option<String>,
    /// One gate for all of them, each with its own settings.
    politeness: Politeness,
    /// Whether a crawl was stopped, and has told so.
    has_stopped: bool,
    exit: Exit,
}

impl<'s> Several<'s> {
    fn new(plans: Vec<Plan>, begun: Option<String>, session: &'s mut Session) -> Several<'s> {
        let at_once = plans.iter().map(|plan| plan.crawls_at_once).max().unwrap_or(1);
        let politeness = Politeness::new(fetch::gate::Settings::default());
        let mut turns = Turns::new(at_once);
        let mut by_id = BTreeMap::new();
        for plan in plans {
            let crawl = crawl_queue::Crawl::of(&plan.domains);
            let crawl = match plan.every {
                Some(every) => crawl.every(every),
                None => crawl,
            };
            by_id.insert(turns.add(crawl, now()), plan);
        }
        Several {
            session,
            turns,
            owed: by_id.keys().copied().collect(),
            plans: by_id,
            running: BTreeMap::new(),
            waiting: BTreeSet::new(),
            begun,
            politeness,
            has_stopped: false,
            exit: Exit::Done,
        }
    }

    /// Begins whatever is due; says whether nothing will ever be.
    fn begin(&mut self, interrupts: &Interrupts) -> bool {
        while !interrupts.is_wanted() {
            match self.turns.next(now()) {
                Next::Start(id) => self.start(id),
                Next::Done => return true,
                Next::Busy | Next::WaitUntil(_) => return false,
            }
        }
        false
    }

    fn start(&mut self, id: Id) {
        let Some(plan) = self.plans.get(&id) else { return };
        let begun = self.begun.take();
        match start(plan, begun.as_deref(), &self.politeness) {
            Ok(crawl) => {
                self.owed.remove(&id);
                self.waiting.remove(&id);
                self.running.insert(id, Running::new(crawl, self.session));
            }
            Err(Error::DomainBusy { domain }) => {
                self.begun = begun;
                // Once is enough: it is tried again every few seconds.
                if self.waiting.insert(id) {
                    self.session.talk.note(&busy(&plan.archive, &domain));
                }
                self.owed.insert(id);
                self.turns.postpone(id, now() + BUSY_WAIT);
            }
            Err(error) => {
                report::failure(&self.session.talk, &hinted(error, &plan.label));
                self.exit = Exit::Failed;
                self.ended(id, false);
            }
        }
    }

    /// Shows how they get on, and tells of those that are over.
    fn look(&mut self, interrupts: &Interrupts) -> anyhow::Result<()> {
        if interrupts.is_wanted() && !self.running.is_empty() && !self.has_stopped {
            self.has_stopped = true;
            self.running.values().for_each(Running::stop);
            // Said when it holds: nothing more is begun from here on.
            self.session.talk.note("stopping when what is under way has ended; Ctrl-C again ends at once");
        }
        let session = &self.session;
        let over: Vec<Id> =
            self.running.iter_mut().filter_map(|(id, run)| run.is_over(session).then_some(*id)).collect();
        for id in over {
            let Some(run) = self.running.remove(&id) else { continue };
            let name = run.name.clone();
            let told = match run.wait() {
                Ok(ended) => {
                    let told = tell(&ended, self.session)?;
                    if let (true, Some(plan)) = (ended.is_committed, self.plans.get(&id)) {
                        replication::after_commit(&plan.archive, &ended.job, interrupts, self.session);
                    }
                    told
                }
                Err(error) => {
                    report::failure(&self.session.talk, &hinted(error, &name));
                    Exit::Failed
                }
            };
            self.exit = if told == Exit::Done { self.exit } else { told };
            self.ended(id, interrupts.is_wanted());
        }
        Ok(())
    }

    /// A turn is over. Whoever looks is told when the next one comes, because until then nothing moves.
    fn ended(&mut self, id: Id, is_last: bool) {
        let now = now();
        self.owed.remove(&id);
        let next = self.turns.ended(id, now).filter(|_| !is_last);
        if let (Some(next), Some(plan)) = (next, self.plans.get(&id)) {
            let wait = next.duration_since(now).as_secs_f64();
            let at = next.strftime("%Y-%m-%d %H:%M:%S UTC");
            let message =
                format!("{}: next turn at {at} (in {}); Ctrl-C ends", plan.label, time(wait.ceil()));
            self.session.talk.note(&message);
        }
    }

    /// Somebody has had enough, and nothing is under way any more. Between two turns that is as good an end as any: the exit code is
    /// the one that the turns have earned.
    fn interrupted(&mut self) -> Exit {
        let waited: Vec<&str> =
            self.owed.iter().filter_map(|id| Some(self.plans.get(id)?.label.as_str())).collect();
        if !waited.is_empty() {
            self.session.talk.reason(&format!("stopped before it could begin: {}", waited.join(", ")));
            return Exit::Failed;
        }
        if !self.has_stopped {
            self.session.talk.note("stopped between two turns; nothing was under way");
        }
        self.exit
    }
}

/// Who is on a domain, and how to look at it. The lock does not tell, but the start URLs of the jobs at work do.
fn busy(archive: &Archive, domain: &str) -> String {
    let is_on_it = |job: &Summary| {
        let list = archive.work().join(&job.name).join("seeds.txt");
        let seeds = || plan::read_seeds(&[], std::iter::once(list.as_path())).ok();
        let has_domain = |seeds: Seeds| seeds.starts().iter().any(|url| plan::domain_of(url) == domain);
        job.is_held && seeds().is_some_and(has_domain)
    };
    match job::list(&archive.work()).ok().and_then(|jobs| jobs.into_iter().find(is_on_it)) {
        Some(Summary { name, .. }) => {
            format!(
                "{domain}: job {name} is crawling it; waiting. `varve jobs show {name}` looks at that job"
            )
        }
        None => format!("{domain}: another process is crawling it; waiting. `varve jobs ls` shows which"),
    }
}

fn start(plan: &Plan, begun: Option<&str>, politeness: &Politeness) -> Result<Crawl, Error> {
    let is_new = begun.is_none();
    let job = match begun {
        Some(name) => Job::open(&plan.archive, name)?,
        None => plan.begin(now())?,
    };
    let (archive, name) = (job.archive().clone(), job.name().to_owned());
    let mut settings = plan.settings.clone();
    if is_new {
        // A further turn has them in its settings.
        settings.limit_changes.clear();
    }
    let started = Crawl::start(job, settings, Some(politeness));
    if is_new && started.is_err() {
        // Nothing was fetched, so there is nothing to keep. Why it could not begin says more than that this fails.
        let _ = archive.discard(&name);
    }
    started
}
