//! Looking after the files while the program runs: what was committed is brought to every replica, replicas are looked through when that
//! is due, what is wrong is repaired, and the catalogue is copied. On two threads: one changes what lies in the replicas, the other only
//! reads it, which may take days and must not keep new files waiting.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use api::vault::{Doing, Last, Remedied, Task};
use catalogue::{Audit, AuditKind, AuditState};
use jiff::{SignedDuration, Timestamp};
use notify::{Notice, Notifier, Severity};
use vault::{Extent, Look, Remedies, notices};

use crate::clock::now;
use crate::commands::vault::backup;
use crate::replicas::{Kept, is_busy};
use crate::settings::Repairs;
use crate::talk::Talk;
use crate::terminal::counted;

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
pub(super) struct Caretaker {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    kept: Kept,
    inside: Mutex<Inside>,
    bell: Condvar,
    talk: Talk,
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
    pub(super) fn start(kept: Kept, talk: Talk, notifier: Arc<Notifier>) -> Caretaker {
        let shared =
            Arc::new(Shared { kept, inside: Mutex::default(), bell: Condvar::new(), talk, notifier });
        let threads = [Lane::Hands, Lane::Eyes].map(|lane| {
            let theirs = shared.clone();
            thread::spawn(move || theirs.run(lane))
        });
        Caretaker { shared, threads: Mutex::new(threads.into()) }
    }

    /// The vault that is looked after.
    pub(super) fn kept(&self) -> &Kept {
        &self.shared.kept
    }

    /// Wants something done, behind what was wanted before; the same twice is once. Says whether it will be: not while it ends.
    pub(super) fn ask(&self, task: Task) -> bool {
        let mut inside = self.shared.lock();
        if inside.is_ending {
            return false;
        }
        if !inside.asked.contains(&task) {
            inside.asked.push_back(task);
        }
        self.shared.bell.notify_all();
        true
    }

    /// What is being done.
    pub(super) fn doing(&self) -> Vec<Doing> {
        self.shared.lock().doing.clone()
    }

    /// What waits behind it.
    pub(super) fn waiting(&self) -> Vec<Task> {
        self.shared.lock().asked.iter().cloned().collect()
    }

    /// What was repaired, or would be, the newest first.
    pub(super) fn remedies(&self) -> Vec<Remedied> {
        self.shared.lock().remedies.iter().cloned().collect()
    }

    /// What the last task came to.
    pub(super) fn last(&self) -> Option<Last> {
        self.shared.lock().last.clone()
    }

    /// Wants a file looked at that a reader could not read.
    pub(super) fn suspect(&self, file: &str) {
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
    pub(super) fn end(&self) {
        self.shared.lock().is_ending = true;
        self.shared.bell.notify_all();
        for thread in self.threads.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = thread.join();
        }
    }
}

impl Shared {
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
            let asked = self.lock().take(lane);
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
                self.lock().last = Some(Last { at: now(), what: format!("{error:#}"), is_done: false });
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

    /// Reads files through that a reader could not read. What is found is written down, so that it is repaired.
    fn look_at_suspected(&self) -> anyhow::Result<()> {
        loop {
            let Some(name) = self.lock().suspected.pop_first() else { return Ok(()) };
            self.lock().looked_at.insert(name.clone(), instant());
            let before = self.wrong();
            let sound = self.kept.vault.read(&name, 0, &mut |_| {
                if self.lock().is_ending { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            match sound {
                Ok(sound) => {
                    let is_new = self.wrong() > before;
                    self.lock().has_new_damage |= is_new;
                    for (replica, why) in &sound.passed_over {
                        let subject = format!("`{name}` is not as it should be in replica `{replica}`");
                        let notice = Notice::new(now(), "reading", Severity::Alarm, subject);
                        self.tell(Some(notice.line(why).about("file", &name).about("replica", replica)));
                    }
                }
                Err(error @ vault::Error::NoSound { .. }) => {
                    let subject = format!("`{name}` cannot be read from any replica");
                    let notice = Notice::new(now(), "reading", Severity::Alarm, subject);
                    self.tell(Some(notice.line(error.to_string()).about("file", &name)));
                }
                // A file that lies elsewhere, or that is not noted yet.
                Err(vault::Error::Unknown(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Takes note of jobs that were committed since it last looked.
    fn note(&self, noted: &mut BTreeSet<String>) -> anyhow::Result<()> {
        for job in self.kept.archive.sealed_jobs()? {
            if !noted.contains(&job) {
                self.kept.note(&job)?;
                noted.insert(job);
            }
        }
        Ok(())
    }

    /// What the hands are to do by now, if anything.
    fn to_do(&self) -> Option<Task> {
        let (vault, settings) = (&self.kept.vault, &self.kept.settings);
        let now = now();
        let is_waiting = |name: &str| vault.catalogue().due(name, now, 1).is_ok_and(|due| !due.is_empty());
        if vault.places().iter().any(|place| is_waiting(&place.name)) {
            return Some(Task::Bring);
        }
        if settings.repair == Repairs::Auto && self.is_repair_due() {
            return Some(Task::Repair { is_dry: false });
        }
        settings.backup_every.filter(|every| self.is_backup_due(*every)).map(|_| Task::BackUp)
    }

    /// What is to be looked through by now, if anything.
    fn to_audit(&self) -> Option<Task> {
        let (vault, settings) = (&self.kept.vault, &self.kept.settings);
        let now = now();
        let kinds =
            [(settings.presence_every, AuditKind::Presence), (settings.audit_every, AuditKind::Checksum)];
        for (every, kind) in kinds {
            let Some(every) = every else { continue };
            for place in vault.places() {
                // Whoever cannot say when it was last done is not made to do it over and over.
                let Ok(last) = vault.catalogue().last_audit(&place.name, kind) else { continue };
                let task = Task::Audit { replica: place.name.clone(), kind };
                if last.is_none_or(|last| is_over_due(&last, every, now)) && !self.lock().is_put_off(&task) {
                    return Some(task);
                }
            }
        }
        None
    }

    /// Copies that are missing or have changed, in the replicas there are.
    fn wrong(&self) -> u64 {
        use catalogue::State::{Changed, Missing};
        let (vault, tallies) = (&self.kept.vault, self.kept.vault.catalogue().tallies().unwrap_or_default());
        let is_ours = |name: &str| vault.places().iter().any(|place| place.name == name);
        let wrong = tallies.iter().filter(|tally| matches!(tally.state, Missing | Changed));
        wrong.filter(|tally| is_ours(&tally.replica)).map(|tally| tally.files).sum()
    }

    /// Whether there is something wrong that was not tried since it was found. What could not be repaired is tried again when there is more,
    /// and now and then: a replica may be back.
    fn is_repair_due(&self) -> bool {
        let wrong = self.wrong();
        let inside = self.lock();
        wrong > 0
            && (inside.has_new_damage
                || inside.tried.is_none_or(|(left, at)| wrong > left || at.elapsed() > TRY_AGAIN))
    }

    fn is_backup_due(&self, every: Duration) -> bool {
        if let Some(at) = self.lock().backed_up {
            return at.elapsed() >= every;
        }
        // One from the future says nothing: a clock was wrong.
        let ages =
            backups(&self.kept).into_iter().filter_map(|path| fs::metadata(path).ok()?.modified().ok());
        let youngest = ages.filter_map(|modified| modified.elapsed().ok()).min();
        youngest.is_none_or(|age| age >= every)
    }

    /// Does it; says whether to go on with the next at once.
    fn perform(&self, task: &Task, is_asked: bool) -> anyhow::Result<bool> {
        // What somebody has asked for is written down as his.
        let vault = &if is_asked { self.kept.by_hand() } else { self.kept.vault.clone() };
        let mut is_calm = true;
        let told = match task {
            Task::Bring => {
                let mut pace = self.begin(task, None, None);
                let brought = if is_asked { vault.bring_now(&mut pace) } else { vault.bring(&mut pace) };
                let brought = brought?;
                self.tell(notices::brought(&brought, now()));
                // Where something failed, the rest waits a little: the place may come back.
                is_calm = brought.failed == 0;
                format!("{} copies brought and read back, {} failed", brought.verified, brought.failed)
            }
            Task::Audit { replica, kind } => {
                let extent = match self.kept.settings.audit_bytes {
                    Some(size) if *kind == AuditKind::Checksum && !is_asked => Extent::Bytes(size.0),
                    _ => Extent::Complete,
                };
                let rate = self.kept.settings.audit_rate.map(|size| size.0);
                let total = (*kind == AuditKind::Checksum).then(|| self.to_read(replica, extent));
                let mut pace = self.begin(task, total, rate);
                let audit = vault.audit(replica, Look { kind: *kind, extent }, &mut pace);
                if let Err(error) = &audit {
                    self.lock().put_off.push((task.clone(), instant()));
                    if !matches!(error, vault::Error::Busy(_)) {
                        self.tell(Some(notices::no_audit(replica, error, now())));
                    }
                }
                let audit = audit?;
                self.tell(Some(notices::audit(&audit, now())));
                format!("audit of {replica}: {}, {}", counted(audit.files, "file"), notices::found(&audit))
            }
            Task::Repair { is_dry } => {
                let mut pace = self.begin(task, None, None);
                let mut remedies = Remedies::new(REMEDIES_MAX);
                let repaired = vault.repair(*is_dry, &mut |remedy| remedies.add(remedy), &mut pace);
                if !is_dry {
                    let left = self.wrong();
                    self.lock().tried = Some((left, instant()));
                }
                // What was done before it went wrong was done.
                let text = self.remember(*is_dry, remedies);
                repaired?;
                text
            }
            Task::BackUp => {
                drop(self.begin(task, None, None));
                let path = backup::named_after_the_time(&self.kept)?;
                self.lock().backed_up = Some(instant());
                vault.catalogue().back_up(&path)?;
                self.thin_out();
                format!("the catalogue was copied to {}", path.display())
            }
        };
        self.lock().last = Some(Last { at: now(), what: told, is_done: true });
        Ok(is_calm)
    }

    /// Says what is being done; what is made is told how much of it was read.
    fn begin(
        &self,
        task: &Task,
        of_bytes: Option<u64>,
        rate: Option<u64>,
    ) -> impl FnMut(u64) -> ControlFlow<()> {
        let task = task.clone();
        let mut inside = self.lock();
        inside.doing.retain(|doing| doing.task != task);
        inside.doing.push(Doing { task: task.clone(), since: now(), bytes: 0, of_bytes });
        drop(inside);
        let (started, mut count) = (instant(), 0_u64);
        move |bytes| {
            count = count.saturating_add(bytes);
            if let Some(doing) = self.lock().doing.iter_mut().find(|doing| doing.task == task) {
                doing.bytes = count;
            }
            let due = rate.map(|rate| Duration::from_secs_f64(count as f64 / rate.max(1) as f64));
            while let Some(early) =
                due.and_then(|due| due.checked_sub(started.elapsed())).filter(|e| !e.is_zero())
            {
                if self.lock().is_ending {
                    break;
                }
                thread::sleep(early.min(NAP));
            }
            if self.lock().is_ending { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    /// How many bytes an audit of checksums is going to read.
    fn to_read(&self, replica: &str, extent: Extent) -> u64 {
        let tallies = self.kept.vault.catalogue().tallies().unwrap_or_default();
        let own = tallies
            .iter()
            .find(|tally| tally.replica == replica && tally.state == catalogue::State::Verified);
        let all = own.map_or(0, |tally| tally.bytes);
        match extent {
            Extent::Complete => all,
            Extent::Bytes(most) => all.min(most),
        }
    }

    fn remember(&self, is_dry: bool, remedies: Remedies) -> String {
        let (done, left) = (remedies.done, remedies.left());
        let word = if is_dry { "could be repaired" } else { "repaired" };
        let copies = if done == 1 { "copy" } else { "copies" };
        let text = format!("{done} {copies} {word}, {left} left");
        if !is_dry {
            self.tell(notices::repair(&remedies, now()));
        }
        let mut inside = self.lock();
        inside.has_new_damage &= is_dry;
        // What belongs together has one time.
        let at = now();
        for remedy in remedies.listed.into_iter().rev() {
            inside.remedies.push_front(Remedied { at, is_dry, remedy });
        }
        inside.remedies.truncate(REMEDIES_MAX);
        text
    }

    /// Removes the oldest copies of the catalogue beyond those that are kept.
    fn thin_out(&self) {
        let copies = backups(&self.kept);
        let most = usize::try_from(self.kept.settings.backups.0).unwrap_or(usize::MAX);
        for path in copies.iter().take(copies.len().saturating_sub(most)) {
            let _ = fs::remove_file(path);
        }
    }

    fn tell(&self, notice: Option<Notice>) {
        if let Some(notice) = notice {
            self.notifier.notify(&notice);
        }
    }

    fn complain(&self, what: &str, error: &anyhow::Error) {
        if !is_busy(error) {
            self.talk.warning(&format!("{what}: {error:#}"));
        }
    }
}

impl Inside {
    fn is_put_off(&mut self, task: &Task) -> bool {
        self.put_off.retain(|(_, at)| at.elapsed() < PUT_OFF);
        self.put_off.iter().any(|(put_off, _)| put_off == task)
    }

    /// The next that was asked of a lane. It is being done from now on, so that nobody thinks it forgotten.
    fn take(&mut self, lane: Lane) -> Option<Task> {
        let at = self.asked.iter().position(|task| Lane::of(task) == lane)?;
        let task = self.asked.remove(at)?;
        self.doing.push(Doing { task: task.clone(), since: now(), bytes: 0, of_bytes: None });
        Some(task)
    }

    fn over(&mut self, task: &Task) {
        self.doing.retain(|doing| doing.task != *task);
    }
}

/// Copies of the catalogue that were named after the time, the oldest first.
fn backups(kept: &Kept) -> Vec<std::path::PathBuf> {
    let listed = fs::read_dir(kept.archive.folder().join(backup::FOLDER));
    let mut paths: Vec<_> = listed
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("catalogue-") && name.ends_with(".db")
        })
        .map(|entry| entry.path())
        .collect();
    // By when they were made: a name from a wrong clock must not outlive the others.
    paths.sort_by_key(|path| fs::metadata(path).and_then(|facts| facts.modified()).ok());
    paths
}

/// Whether an audit of this kind is wanted again. One that was stopped is gone on with at once.
fn is_over_due(last: &Audit, every: Duration, now: Timestamp) -> bool {
    let every = SignedDuration::try_from(every).unwrap_or(SignedDuration::MAX);
    match last.state {
        AuditState::Paused | AuditState::Running => true,
        AuditState::Done | AuditState::Failed => {
            // A clock that is set back must not put audits off for years.
            let since = now.duration_since(last.began_at);
            since >= every || since.is_negative()
        }
    }
}

#[allow(clippy::disallowed_methods)] // How long it takes is how long it takes.
fn instant() -> Instant {
    Instant::now()
}
