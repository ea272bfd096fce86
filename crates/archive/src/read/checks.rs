//! Whole-file checks, which a record with a wrong digest needs: does its file still have the checksum that it was accepted with?
//!
//! A file may take minutes, so checks have a thread of their own and a queue of limited length. A file is in the queue once: all who ask
//! for it before its check begins share that check. A file that has another checksum is remembered for ten minutes, unless it is
//! replaced; a file that is sound vouches only for faults that were seen before its check began, because it may rot at any time.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::places::Facts;

/// How long a file that has another checksum is remembered.
const REMEMBERED: Duration = Duration::from_secs(600);
/// Damaged files that are remembered.
const DAMAGED_MAX: usize = 1000;
/// Files that wait to be checked; a record of another one is not given.
const QUEUE_MAX: usize = 64;
/// Faults that one check decides.
const FAULTS_MAX: usize = 10_000;

/// A file in a place.
pub(super) type Key = (usize, String);
/// A record in a file, and what is wrong with its digest.
pub(super) type Fault = (u64, String);
/// What time it is, on a clock that is never set.
pub(crate) type Ticks = Arc<dyn Fn() -> Instant + Send + Sync>;

/// The checks of an archive. A clone is cheap and is the same.
#[derive(Clone)]
pub(super) struct Checks {
    inside: Arc<Mutex<Inside>>,
    ticks: Ticks,
    /// Readers that wait for a check at the same time.
    readers_max: usize,
}

#[derive(Default)]
struct Inside {
    queue: VecDeque<(Key, Arc<Check>)>,
    is_running: bool,
    readers: usize,
    damaged: HashMap<Key, (Option<Facts>, Instant)>,
}

/// A check that is wanted.
#[derive(Default)]
struct Check {
    faults: Mutex<Vec<Fault>>,
    /// Whether it is over.
    is_over: Mutex<bool>,
    bell: Condvar,
}

/// Ends a check whatever happens.
struct Ending(Arc<Check>);

impl Drop for Ending {
    fn drop(&mut self) {
        *lock(&self.0.is_over) = true;
        self.0.bell.notify_all();
    }
}

impl Checks {
    pub(super) fn new() -> Checks {
        #[allow(clippy::disallowed_methods)] // Only how much time has passed counts.
        let ticks: Ticks = Arc::new(Instant::now);
        Checks { inside: Arc::default(), ticks, readers_max: usize::MAX }
    }

    /// The same, with nothing remembered.
    pub(super) fn anew(&self) -> Checks {
        Checks { inside: Arc::default(), ..self.clone() }
    }

    pub(super) fn set_readers_max(&mut self, readers_max: usize) {
        self.readers_max = readers_max;
    }

    pub(super) fn set_ticks(&mut self, ticks: Ticks) {
        self.ticks = ticks;
    }

    /// Whether a file had another checksum within the last ten minutes, and was not touched since.
    pub(super) fn is_damaged(&self, key: &Key, facts: Option<Facts>) -> bool {
        let now = (self.ticks)();
        let inside = lock(&self.inside);
        inside
            .damaged
            .get(key)
            .is_some_and(|(known, at)| *known == facts && now.saturating_duration_since(*at) < REMEMBERED)
    }

    /// Remembers that a file has another checksum.
    fn set_damaged(&self, key: Key, facts: Option<Facts>) {
        let now = (self.ticks)();
        let mut inside = lock(&self.inside);
        if inside.damaged.len() >= DAMAGED_MAX {
            inside.damaged.retain(|_, (_, at)| now.saturating_duration_since(*at) < REMEMBERED);
        }
        if inside.damaged.len() >= DAMAGED_MAX {
            inside.damaged.clear();
        }
        inside.damaged.insert(key, (facts, now));
    }

    /// Wants a file checked because of a fault, and waits for that unless too many do already. `work` runs on the checking thread; it is
    /// handed all files of the queue: see [`Work::run`].
    pub(super) fn ask(&self, key: &Key, fault: Fault, work: impl FnOnce(Work) + Send + 'static) {
        let Some(check) = self.enqueue(key, fault, work) else { return };
        {
            let mut inside = lock(&self.inside);
            if inside.readers >= self.readers_max {
                return;
            }
            inside.readers += 1;
        }
        let mut is_over = lock(&check.is_over);
        while !*is_over {
            is_over = check.bell.wait(is_over).unwrap_or_else(PoisonError::into_inner);
        }
        drop(is_over);
        lock(&self.inside).readers -= 1;
    }

    /// Puts a file into the queue, and starts the thread where there is none. `None` where it is full.
    fn enqueue(
        &self,
        key: &Key,
        fault: Fault,
        work: impl FnOnce(Work) + Send + 'static,
    ) -> Option<Arc<Check>> {
        let mut inside = lock(&self.inside);
        let known = inside.queue.iter().find(|(queued, _)| queued == key).map(|(_, check)| Arc::clone(check));
        let check = match known {
            Some(check) => check,
            None if inside.queue.len() >= QUEUE_MAX => return None,
            None => {
                let check = Arc::new(Check::default());
                inside.queue.push_back((key.clone(), Arc::clone(&check)));
                check
            }
        };
        {
            let mut faults = lock(&check.faults);
            if faults.len() < FAULTS_MAX && !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        if !inside.is_running {
            inside.is_running = true;
            let own = Work { checks: self.clone(), is_done: false };
            drop(inside);
            // Where no thread can be started, dropping the work ends all checks.
            drop(thread::Builder::new().name("check".to_owned()).spawn(move || work(own)));
        }
        Some(check)
    }
}

/// The files that are to be checked, one after another.
pub(super) struct Work {
    checks: Checks,
    is_done: bool,
}

impl Drop for Work {
    fn drop(&mut self) {
        if self.is_done {
            return;
        }
        // It did not come to its end: nobody waits for the rest.
        let mut inside = lock(&self.checks.inside);
        inside.is_running = false;
        inside.queue.drain(..).for_each(|(_, check)| drop(Ending(check)));
    }
}

impl Work {
    /// Checks every file of the queue. `is_sound` reads one; `facts` says which file it is; those faults that a sound file vouches for go
    /// to `accept`.
    pub(super) fn run(
        mut self,
        is_sound: impl Fn(&Key) -> bool,
        facts: impl Fn(&Key) -> Option<Facts>,
        accept: impl Fn(&Key, Vec<Fault>),
    ) {
        let checks = self.checks.clone();
        loop {
            let next = {
                let mut inside = lock(&checks.inside);
                let next = inside.queue.pop_front();
                // Under the same lock, so that whoever asks next starts another thread.
                inside.is_running = next.is_some();
                self.is_done = next.is_none();
                next
            };
            let Some((key, check)) = next else { return };
            let ending = Ending(check);
            let before = facts(&key);
            if checks.is_damaged(&key, before) {
                continue;
            }
            let faults = std::mem::take(&mut *lock(&ending.0.faults));
            if is_sound(&key) {
                accept(&key, faults);
            } else {
                checks.set_damaged(key, before);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
