//! Looking after the files while the program runs: what was committed is brought to every replica, replicas are looked through when that
//! is due, what is wrong is repaired, and the catalogue is copied. On two threads: one changes what lies in the replicas, the other only
//! reads it, which may take days and must not keep new files waiting.

mod due;
mod perform;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use notify::{Notice, Notifier};
use settings::{Repairs, Voice};

use crate::error::{Error, is_busy};
use crate::kept::Kept;
use crate::rooms::Rooms;
use crate::runner::{RefusalKind, Refused};
use crate::task::{Doing, Habits, Last, Remedied, Room, Task};

/// How often it is looked whether there is something to do.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// What could not be repaired is tried again after so long.
const TRY_AGAIN: Duration = Duration::from_secs(6 * 3600);
/// An audit that somebody else is at, or whose replica cannot be reached, is tried again after so long.
const PUT_OFF: Duration = Duration::from_secs(600);
/// A file that a reader could not read is looked at once in so long.
const LOOK_AGAIN: Duration = Duration::from_secs(3600);
/// So many files wait to be looked at; an audit finds the rest.
const SUSPECTED_MAX: usize = 1000;
/// So many remedies are remembered.
const REMEDIES_MAX: usize = 200;
/// Longer is not slept in one go.
const NAP: Duration = Duration::from_millis(100);

/// Who does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    /// Brings, repairs, copies.
    Hands,
    /// Audits.
    Eyes,
}

impl Lane {
    fn of(task: &Task) -> Lane {
        if matches!(task, Task::Audit { .. }) { Lane::Eyes } else { Lane::Hands }
    }
}

/// Looks after the files of an archive.
pub struct Caretaker {
    shared: Arc<Shared>,
    rooms: Rooms,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    kept: Kept,
    inside: Mutex<Inside>,
    bell: Condvar,
    voice: Voice,
    notifier: Arc<Notifier>,
}

#[derive(Default)]
struct Inside {
    /// Files that somebody could not read as they should be.
    suspected: BTreeSet<String>,
    /// Those that were looked at, and when.
    looked_at: BTreeMap<String, Instant>,
    /// Whether damage was found by that, and nothing was done about it yet.
    has_new_damage: bool,
    /// How much a repair has left, and when that was.
    tried: Option<(u64, Instant)>,
    /// When the catalogue was last copied.
    backed_up: Option<Instant>,
    /// Audits that could not be made, and when that was tried.
    put_off: Vec<(Task, Instant)>,
    is_ending: bool,
    asked: VecDeque<Task>,
    doing: Vec<Doing>,
    remedies: VecDeque<Remedied>,
    /// What the last task came to.
    last: Option<Last>,
}

impl Caretaker {
    /// Starts its threads.
    #[must_use]
    pub fn start(kept: Kept, voice: Voice, notifier: Arc<Notifier>) -> Caretaker {
        let rooms = Rooms::watch(kept.vault.places(), kept.clock().clone());
        let shared =
            Arc::new(Shared { kept, inside: Mutex::default(), bell: Condvar::new(), voice, notifier });
        let threads = [Lane::Hands, Lane::Eyes].map(|lane| {
            let theirs = shared.clone();
            thread::spawn(move || theirs.run(lane))
        });
        Caretaker { shared, rooms, threads: Mutex::new(threads.into()) }
    }

    /// The vault that is looked after.
    #[must_use]
    pub fn kept(&self) -> &Kept {
        &self.shared.kept
    }

    /// Adds a task behind those that wait; the same task twice is done once.
    ///
    /// # Errors
    /// When it ends, and nothing more is begun.
    pub fn ask(&self, task: Task) -> std::result::Result<(), Refused> {
        let mut inside = self.shared.lock();
        if inside.is_ending {
            let message = "the server is ending".to_owned();
            return Err(Refused { message, hint: None, kind: RefusalKind::Conflict });
        }
        if !inside.asked.contains(&task) {
            inside.asked.push_back(task);
        }
        self.shared.bell.notify_all();
        Ok(())
    }

    /// What is being done.
    #[must_use]
    pub fn doing(&self) -> Vec<Doing> {
        self.shared.lock().doing.clone()
    }

    /// What waits behind it.
    #[must_use]
    pub fn waiting(&self) -> Vec<Task> {
        self.shared.lock().asked.iter().cloned().collect()
    }

    /// What was repaired, or would be, the newest first.
    #[must_use]
    pub fn remedies(&self) -> Vec<Remedied> {
        self.shared.lock().remedies.iter().cloned().collect()
    }

    /// What the last task came to.
    #[must_use]
    pub fn last(&self) -> Option<Last> {
        self.shared.lock().last.clone()
    }

    /// What each replica said when it was last asked for its room.
    #[must_use]
    pub fn rooms(&self) -> Vec<Room> {
        self.rooms.told()
    }

    /// How files are looked after by the settings.
    #[must_use]
    pub fn habits(&self) -> Habits {
        let settings = &self.shared.kept.settings;
        Habits { repairs: settings.repair == Repairs::Auto, backups: settings.backups.0 }
    }

    /// Wants a file looked at that a reader could not read.
    pub fn suspect(&self, file: &str) {
        let mut inside = self.shared.lock();
        inside.looked_at.retain(|_, at| at.elapsed() < LOOK_AGAIN);
        let is_known = inside.looked_at.contains_key(file) || inside.suspected.contains(file);
        if is_known || inside.suspected.len() + inside.looked_at.len() >= SUSPECTED_MAX {
            return;
        }
        inside.suspected.insert(file.to_owned());
        self.shared.bell.notify_all();
    }

    /// Ends it: what is under way is stopped and can be gone on with.
    pub fn end(&self) {
        self.shared.lock().is_ending = true;
        self.shared.bell.notify_all();
        for thread in self.threads.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn now(&self) -> Timestamp {
        self.kept.clock().now()
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, lane: Lane) {
        let mut noted = BTreeSet::new();
        loop {
            if self.lock().is_ending {
                return;
            }
            if lane == Lane::Hands
                && let Err(error) = self.note(&mut noted)
            {
                self.complain("cannot take note of new files", &error);
            }
            if lane == Lane::Hands
                && let Err(error) = self.look_at_suspected()
            {
                self.complain("cannot look at a file that could not be read", &error);
            }
            let asked = self.lock().take(lane, self.now());
            let is_asked = asked.is_some();
            let due = || if lane == Lane::Hands { self.to_do() } else { self.to_audit() };
            let did = match asked.or_else(due) {
                Some(task) => {
                    let did = self.perform(&task, is_asked);
                    self.lock().over(&task);
                    did
                }
                None => Ok(false),
            };
            let did = did.unwrap_or_else(|error| {
                self.complain("looking after the files failed", &error);
                let (at, what) = (self.now(), settings::in_full(&error));
                self.lock().last = Some(Last { at, what, is_done: false });
                false
            });
            let inside = self.lock();
            let is_more_asked = inside.asked.iter().any(|task| Lane::of(task) == lane);
            if inside.is_ending || is_more_asked || (did && !is_asked) {
                continue;
            }
            drop(self.bell.wait_timeout(inside, LOOK_EVERY));
        }
    }

    fn tell(&self, notice: Option<Notice>) {
        if let Some(notice) = notice {
            self.notifier.notify(&notice);
        }
    }

    fn complain(&self, what: &str, error: &Error) {
        if !is_busy(error) {
            self.voice.warning(&format!("{what}: {}", settings::in_full(error)));
        }
    }
}

impl Inside {
    fn is_put_off(&mut self, task: &Task) -> bool {
        self.put_off.retain(|(_, at)| at.elapsed() < PUT_OFF);
        self.put_off.iter().any(|(put_off, _)| put_off == task)
    }

    /// The next that was asked of a lane. It is being done from now on, so that nobody thinks it forgotten.
    fn take(&mut self, lane: Lane, now: Timestamp) -> Option<Task> {
        let at = self.asked.iter().position(|task| Lane::of(task) == lane)?;
        let task = self.asked.remove(at)?;
        self.doing.push(Doing { task: task.clone(), since: now, bytes: 0, of_bytes: None });
        Some(task)
    }

    fn over(&mut self, task: &Task) {
        self.doing.retain(|doing| doing.task != *task);
    }
}

#[allow(clippy::disallowed_methods)] // How long it takes is how long it takes.
fn instant() -> Instant {
    Instant::now()
}
