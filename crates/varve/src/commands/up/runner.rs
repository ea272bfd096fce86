//! Harvests in this process: as many at once as are allowed, never two on one domain (A4), each until it is over or the process ends.
//!
//! A job has its folder from the moment it is asked for, so whoever looks sees it wait, and it is still there if the process ends
//! before its turn.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use api::jobs::Outcome;
use crawl::{Crawl, Ended, Error, Job, Politeness};
use fetch::gate;
use harvest::{Id, Next, Turns};

use crate::clock::now;
use crate::commands::harvest::{Plan, told, why_nothing};
use crate::talk::Talk;

/// How many may run at once.
const AT_ONCE: usize = 4;

/// How often those that run are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long one waits whose domain another process is on.
const BUSY_WAIT: Duration = Duration::from_secs(10);

/// So many that have left nothing are remembered.
const OUTCOMES_MAX: usize = 50;

/// Runs harvests on a thread of its own.
pub(super) struct Runner {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    inside: Mutex<Inside>,
    bell: Condvar,
    talk: Talk,
}

struct Inside {
    turns: Turns,
    waiting: BTreeMap<Id, Planned>,
    running: BTreeMap<Id, (Crawl, Planned)>,
    /// One gate for all that are equally polite.
    gates: Vec<(gate::Settings, Politeness)>,
    outcomes: VecDeque<Outcome>,
    is_ending: bool,
    /// Those that can be gone on with after the end.
    left: Vec<String>,
}

/// A harvest and its job.
pub(super) struct Planned {
    pub(super) plan: Plan,
    pub(super) name: String,
    /// Held, so that nobody else begins it.
    pub(super) job: Option<Job>,
    /// Whether it has fetched nothing before.
    pub(super) is_new: bool,
}

impl Runner {
    pub(super) fn start(talk: Talk) -> Runner {
        let inside = Inside {
            turns: Turns::new(AT_ONCE),
            waiting: BTreeMap::new(),
            running: BTreeMap::new(),
            gates: Vec::new(),
            outcomes: VecDeque::new(),
            is_ending: false,
            left: Vec::new(),
        };
        let shared = Arc::new(Shared { inside: Mutex::new(inside), bell: Condvar::new(), talk });
        let theirs = shared.clone();
        let thread = thread::spawn(move || theirs.run());
        Runner { shared, thread: Mutex::new(Some(thread)) }
    }

    /// The gate that harvests by these settings share, for others of this process.
    pub(super) fn politeness(&self, settings: gate::Settings) -> Politeness {
        self.shared.lock().politeness(settings)
    }

    /// Whether nothing is begun any more.
    pub(super) fn is_ending(&self) -> bool {
        self.shared.lock().is_ending
    }

    /// Puts a harvest behind those that are there. One that comes too late is left for later.
    pub(super) fn add(&self, planned: Planned) {
        let mut inside = self.shared.lock();
        if inside.is_ending {
            inside.left.push(planned.name);
            return;
        }
        let id = inside.turns.add(harvest::Crawl::of(&planned.plan.domains), now());
        inside.waiting.insert(id, planned);
        self.shared.bell.notify_all();
    }

    /// Those that have left nothing, the newest first.
    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        self.shared.lock().outcomes.iter().cloned().collect()
    }

    /// Tells all to end; from here on nothing is begun.
    pub(super) fn stop(&self) {
        let mut inside = self.shared.lock();
        inside.is_ending = true;
        inside.running.values().for_each(|(crawl, _)| crawl.control().stop());
        let waiting = std::mem::take(&mut inside.waiting);
        inside.left.extend(waiting.into_values().map(|planned| planned.name));
        self.shared.bell.notify_all();
    }

    /// Waits for the end of all that was told to; says which can be gone on with.
    pub(super) fn ended(&self) -> Vec<String> {
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
                && let Next::Start(id) = inside.turns.next(now())
            {
                self.begin(&mut inside, id);
            }
            let is_idle = inside.running.is_empty() && inside.waiting.is_empty();
            inside = match is_idle {
                true => self.bell.wait(inside).unwrap_or_else(PoisonError::into_inner),
                false => self.bell.wait_timeout(inside, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    fn begin(&self, inside: &mut Inside, id: Id) {
        let Some(mut planned) = inside.waiting.remove(&id) else {
            inside.turns.ended(id, now());
            return;
        };
        let politeness = inside.politeness(planned.plan.settings.gate);
        let (archive, name) = (planned.plan.archive.clone(), planned.name.clone());
        let job = planned.job.take().map_or_else(|| Job::open(&archive, &name), Ok);
        let begun = job.and_then(|job| Crawl::start(job, planned.plan.settings.clone(), Some(&politeness)));
        match begun {
            Ok(crawl) => drop(inside.running.insert(id, (crawl, planned))),
            Err(Error::DomainBusy { .. }) => {
                planned.job = Job::open(&archive, &name).ok();
                inside.waiting.insert(id, planned);
                inside.turns.postpone(id, now() + BUSY_WAIT);
            }
            Err(error) => {
                if planned.is_new {
                    // Nothing was fetched, so there is nothing to keep.
                    let _ = archive.discard(&name);
                }
                inside.turns.ended(id, now());
                self.failed(inside, &planned, error.to_string());
            }
        }
    }

    /// Tells of those that are over.
    fn look(&self, inside: &mut Inside) {
        let over: Vec<Id> =
            inside.running.iter().filter(|(_, (crawl, _))| crawl.is_over()).map(|(id, _)| *id).collect();
        for id in over {
            let Some((crawl, planned)) = inside.running.remove(&id) else { continue };
            inside.turns.ended(id, now());
            match crawl.wait() {
                Ok(ended) => self.ended(inside, &planned, &ended),
                Err(error) => self.failed(inside, &planned, error.to_string()),
            }
        }
    }

    fn ended(&self, inside: &mut Inside, planned: &Planned, ended: &Ended) {
        let is_there = planned.is_there();
        self.talk.note(&told(ended, is_there));
        if ended.is_committed {
            return;
        }
        match is_there {
            true => inside.left.push(planned.name.clone()),
            false => inside.remember(planned, why_nothing(ended)),
        }
    }

    fn failed(&self, inside: &mut Inside, planned: &Planned, why: String) {
        self.talk.error(&format!("{}: {why}", planned.name));
        match planned.is_there() {
            true => inside.left.push(planned.name.clone()),
            false => inside.remember(planned, why),
        }
    }
}

impl Inside {
    fn politeness(&mut self, settings: gate::Settings) -> Politeness {
        if let Some((_, known)) = self.gates.iter().find(|(of, _)| *of == settings) {
            return known.clone();
        }
        let politeness = Politeness::new(settings);
        self.gates.push((settings, politeness.clone()));
        politeness
    }

    fn remember(&mut self, planned: &Planned, why: String) {
        let urls = planned.plan.settings.scope.seeds.starts();
        self.outcomes.push_front(Outcome {
            job: planned.name.clone(),
            started: now().to_string(),
            urls: urls.iter().take(OUTCOMES_MAX).map(ToString::to_string).collect(),
            why,
        });
        self.outcomes.truncate(OUTCOMES_MAX);
    }
}

impl Planned {
    fn is_there(&self) -> bool {
        self.plan.archive.work().join(&self.name).is_dir()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Color;
    use crate::progress::bars;
    use crate::terminal::Paint;

    #[test]
    fn who_ends_begins_nothing() {
        let paint = Paint::decide(Color::Never, false, true);
        let runner = Runner::start(Talk::new(paint, true, false, bars(false)));
        assert!(!runner.is_ending());
        runner.stop();
        assert_eq!(runner.ended(), [""; 0]);
        assert!(runner.is_ending());
    }
}
