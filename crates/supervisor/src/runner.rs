//! Harvests in this process: as many at once as are allowed, never two on one domain (A4), each until it is over or the process ends.
//!
//! A job has its folder from the moment it is asked for, so whoever looks sees it wait, and it is still there if the process ends
//! before its turn. While it waits it has no file open: one lock holds all jobs that wait.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crawl::{Crawl, Ended, Error, Job, Politeness};
use crawl_queue::{Id, Next, Turns};
use fetch::{Clock, gate};
use jiff::Timestamp;
use job::Queue;
use plan::Plan;
use settings::Voice;

use super::seed_fate::why_nothing;

/// Tells people what became of a crawl, and whether its job is still there.
pub type Tell = dyn Fn(&Ended, bool) + Send + Sync;

/// How many may run at once.
const AT_ONCE: usize = 4;

/// How often those that run are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long one waits whose domain another process is on.
const BUSY_WAIT: Duration = Duration::from_secs(10);

/// How many may wait for their turn.
pub(crate) const WAITING_MAX: usize = 1000;

/// So many that have left nothing are remembered.
const OUTCOMES_MAX: usize = 50;

/// Why a wish is not fulfilled: what is wrong with it, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Whose fault it is.
    pub kind: RefusalKind,
}

/// What kind of refusal it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Something is wrong with the request.
    Wrong,
    /// The job exists, and is busy with something else.
    Conflict,
    /// Too many harvests wait already.
    TooMany,
}

/// What became of a harvest that has left nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Name of the job that it was.
    pub job: String,
    /// When it began.
    pub started: String,
    /// Where it was to begin.
    pub urls: Vec<String>,
    /// Why nothing came of it.
    pub why: String,
}

/// Runs harvests on a thread of its own.
pub(crate) struct Runner {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    inside: Mutex<Inside>,
    bell: Condvar,
    voice: Voice,
    clock: Clock,
    tell: Arc<Tell>,
    /// Holds the jobs that wait, so that nobody else starts them.
    queue: Queue,
}

struct Inside {
    turns: Turns,
    waiting: BTreeMap<Id, Planned>,
    running: BTreeMap<Id, (Crawl, Planned)>,
    /// One gate for all that fetch in this process, whatever their settings.
    politeness: Politeness,
    outcomes: VecDeque<Outcome>,
    is_ending: bool,
    /// Those that can be gone on with after the end.
    left: Vec<String>,
}

/// A harvest and the name of its job. Nothing of it is open while it waits.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    pub(crate) name: String,
    /// Whether it has fetched nothing before.
    pub(crate) is_new: bool,
}

impl Runner {
    pub(crate) fn start(
        work: &Path,
        voice: Voice,
        clock: Clock,
        tell: Arc<Tell>,
    ) -> Result<Runner, job::Error> {
        let queue = Queue::open(work, clock.now())?;
        let inside = Inside {
            turns: Turns::new(AT_ONCE),
            waiting: BTreeMap::new(),
            running: BTreeMap::new(),
            politeness: Politeness::new(gate::Settings::default()),
            outcomes: VecDeque::new(),
            is_ending: false,
            left: Vec::new(),
        };
        let shared =
            Arc::new(Shared { inside: Mutex::new(inside), bell: Condvar::new(), voice, clock, tell, queue });
        let theirs = shared.clone();
        let thread = thread::spawn(move || theirs.run());
        Ok(Runner { shared, thread: Mutex::new(Some(thread)) })
    }

    /// The gate of this process, for another user with these settings.
    pub(crate) fn politeness(&self, settings: gate::Settings) -> Politeness {
        self.shared.lock().politeness.for_another(settings)
    }

    /// Whether nothing is begun any more.
    pub(crate) fn is_ending(&self) -> bool {
        self.shared.lock().is_ending
    }

    /// How many more may wait.
    pub(crate) fn places_left(&self) -> usize {
        WAITING_MAX.saturating_sub(self.shared.lock().waiting.len())
    }

    /// Puts a harvest behind those that are there and lets go of its job. One that comes too late is left for later.
    pub(crate) fn add(&self, planned: Planned, job: Job) -> Result<(), job::Error> {
        let mut inside = self.shared.lock();
        if inside.is_ending {
            inside.left.push(planned.name);
            return Ok(());
        }
        self.shared.queue.enter(&job.folder())?;
        drop(job);
        let id = inside.turns.add(crawl_queue::Crawl::of(&planned.plan.domains), self.shared.clock.now());
        inside.waiting.insert(id, planned);
        self.shared.bell.notify_all();
        Ok(())
    }

    /// Those that have left nothing, the newest first.
    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        self.shared.lock().outcomes.iter().cloned().collect()
    }

    /// Tells all to end; from here on nothing is begun.
    pub(crate) fn stop(&self) {
        let mut inside = self.shared.lock();
        inside.is_ending = true;
        inside.running.values().for_each(|(crawl, _)| crawl.control().stop());
        let waiting = std::mem::take(&mut inside.waiting);
        waiting.values().for_each(|planned| self.shared.queue.leave(&planned.folder()));
        inside.left.extend(waiting.into_values().map(|planned| planned.name));
        self.shared.bell.notify_all();
    }

    /// Waits for the end of all that was told to; says which can be gone on with.
    pub(crate) fn ended(&self) -> Vec<String> {
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = thread.join();
        }
        std::mem::take(&mut self.shared.lock().left)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut inside = self.lock();
        loop {
            self.look(&mut inside);
            if inside.is_ending && inside.running.is_empty() {
                return;
            }
            while !inside.is_ending
                && let Next::Start(id) = inside.turns.next(self.clock.now())
            {
                inside = self.begin(inside, id);
            }
            let is_idle = inside.running.is_empty() && inside.waiting.is_empty();
            inside = match is_idle {
                true => self.bell.wait(inside).unwrap_or_else(PoisonError::into_inner),
                false => self.bell.wait_timeout(inside, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    /// Opens the crawl of a harvest. Others can use the runner meanwhile: a frontier of millions of URLs takes seconds to open.
    fn begin<'s>(&'s self, mut inside: MutexGuard<'s, Inside>, id: Id) -> MutexGuard<'s, Inside> {
        let Some(planned) = inside.waiting.remove(&id) else {
            inside.turns.ended(id, self.clock.now());
            return inside;
        };
        let politeness = inside.politeness.clone();
        drop(inside);
        self.queue.leave(&planned.folder());
        let begun = Job::open(&planned.plan.archive, &planned.name)
            .and_then(|job| Crawl::start(job, planned.plan.settings.clone(), Some(&politeness)));
        let mut inside = self.lock();
        self.note_begun(&mut inside, id, planned, begun);
        inside
    }

    fn note_begun(&self, inside: &mut Inside, id: Id, planned: Planned, begun: Result<Crawl, Error>) {
        match begun {
            Ok(crawl) => {
                // The runner was stopped meanwhile, and did not find this crawl among those that run.
                if inside.is_ending {
                    crawl.control().stop();
                }
                inside.running.insert(id, (crawl, planned));
            }
            Err(error) if matches!(error, Error::DomainBusy { .. }) || error.is_out_of_descriptors() => {
                self.postpone(inside, id, planned);
            }
            Err(error) => {
                if planned.is_new && !matches!(error, Error::JobBusy { .. }) {
                    // Nothing was fetched, so there is nothing to keep.
                    let _ = planned.plan.archive.discard(&planned.name);
                }
                inside.turns.ended(id, self.clock.now());
                self.failed(inside, &planned, error.to_string());
            }
        }
    }

    /// Lets a harvest wait again that could not start now.
    fn postpone(&self, inside: &mut Inside, id: Id, planned: Planned) {
        if inside.is_ending {
            inside.turns.ended(id, self.clock.now());
            inside.left.push(planned.name);
            return;
        }
        // Without the mark another process may start it, and then this one will not.
        let _ = self.queue.enter(&planned.folder());
        inside.waiting.insert(id, planned);
        inside.turns.postpone(id, self.clock.now() + BUSY_WAIT);
    }

    /// Tells of those that are over.
    fn look(&self, inside: &mut Inside) {
        let over: Vec<Id> =
            inside.running.iter().filter(|(_, (crawl, _))| crawl.is_over()).map(|(id, _)| *id).collect();
        for id in over {
            let Some((crawl, planned)) = inside.running.remove(&id) else { continue };
            let ended = crawl.wait();
            if let Err(error) = &ended
                && error.is_out_of_descriptors()
                && !inside.is_ending
            {
                // It goes on where it was when there are descriptors again.
                self.voice.note(&format!("{}: {error}; it resumes by itself", planned.name));
                self.postpone(inside, id, Planned { is_new: false, ..planned });
                continue;
            }
            inside.turns.ended(id, self.clock.now());
            match ended {
                Ok(ended) => self.ended(inside, &planned, &ended),
                Err(error) => self.failed(inside, &planned, error.to_string()),
            }
        }
    }

    fn ended(&self, inside: &mut Inside, planned: &Planned, ended: &Ended) {
        let is_there = planned.is_there();
        (self.tell)(ended, is_there);
        if ended.is_committed {
            return;
        }
        match is_there {
            true => inside.left.push(planned.name.clone()),
            false => inside.remember(planned, why_nothing(ended), self.clock.now()),
        }
    }

    fn failed(&self, inside: &mut Inside, planned: &Planned, why: String) {
        self.voice.error(&format!("{}: {why}", planned.name));
        match planned.is_there() {
            true => inside.left.push(planned.name.clone()),
            false => inside.remember(planned, why, self.clock.now()),
        }
    }
}

impl Inside {
    fn remember(&mut self, planned: &Planned, why: String, now: Timestamp) {
        let urls = planned.plan.settings.scope.seeds.starts();
        self.outcomes.push_front(Outcome {
            job: planned.name.clone(),
            started: now.to_string(),
            urls: urls.iter().take(OUTCOMES_MAX).map(ToString::to_string).collect(),
            why,
        });
        self.outcomes.truncate(OUTCOMES_MAX);
    }
}

impl Planned {
    fn folder(&self) -> PathBuf {
        self.plan.archive.work().join(&self.name)
    }

    fn is_there(&self) -> bool {
        self.folder().is_dir()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runner(work: &Path) -> Runner {
        let clock = Clock::new(|| Timestamp::UNIX_EPOCH);
        Runner::start(work, Voice::silent(), clock, Arc::new(|_, _| ())).unwrap()
    }

    #[test]
    fn who_ends_begins_nothing() {
        let work = tempfile::tempdir().unwrap();
        let runner = runner(work.path());
        assert!(!runner.is_ending());
        runner.stop();
        assert_eq!(runner.ended(), [""; 0]);
        assert!(runner.is_ending());
    }

    /// A harvest and the watches may have other settings than a second harvest: a host has one pause, and one request at a time, all the
    /// same.
    #[tokio::test]
    async fn all_users_of_this_process_share_one_gate_whatever_their_settings() {
        let work = tempfile::tempdir().unwrap();
        let runner = runner(work.path());
        let hour = Duration::from_secs(3600);
        let strict = gate::Settings { delay_min: hour, delay_max: hour, ..gate::Settings::default() };
        let lax = gate::Settings { delay_min: Duration::ZERO, factor: 0.0, per_host: 4, ..strict };
        let (strict, lax) = (runner.politeness(strict).door(), runner.politeness(lax).door());
        let enters = async |host: &str| {
            // Asks once, and does not wait.
            tokio::time::timeout(Duration::ZERO, lax.enter(host, None)).await.is_ok()
        };
        let pass = strict.enter("example.org", None).await;
        assert!(!enters("example.org").await, "while a request is under way");
        pass.done(gate::Went::Answered { status: 200, retry_after: None });
        assert!(!enters("example.org").await, "in the pause");
        assert!(enters("example.com").await);
        runner.stop();
        runner.ended();
    }
}
