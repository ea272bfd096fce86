//! Doing it: bringing, auditing, repairing, copying the catalogue, and looking at what a reader could not read.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use catalogue::AuditKind;
use notify::{Notice, Severity};
use vault::{Extent, Look, Remedies, notices};

use super::{NAP, REMEDIES_MAX, Shared, instant};
use crate::backup;
use crate::error::Result;
use crate::task::{Doing, Last, Remedied, Task};

impl Shared {
    /// Does it; says whether to go on with the next at once.
    pub(super) fn perform(&self, task: &Task, is_asked: bool) -> Result<bool> {
        // What somebody has asked for is written down as his.
        let vault = &if is_asked { self.kept.by_hand() } else { self.kept.vault.clone() };
        let mut is_calm = true;
        let told = match task {
            Task::Bring => {
                let mut pace = self.begin(task, None, None);
                let brought = if is_asked { vault.bring_now(&mut pace) } else { vault.bring(&mut pace) };
                let brought = brought?;
                self.tell(notices::brought(&brought, self.now()));
                // Where something failed, the rest waits a little: the place may come back.
                is_calm = brought.failed == 0;
                let copies = if brought.verified == 1 { "copy" } else { "copies" };
                format!("{} {copies} brought and read back, {} failed", brought.verified, brought.failed)
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
                        self.tell(Some(notices::no_audit(replica, error, self.now())));
                    }
                }
                let audit = audit?;
                self.tell(Some(notices::audit(&audit, self.now())));
                format!("audit of {replica}: {}, {}", files(audit.files), notices::found(&audit))
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
                self.lock().backed_up = Some(instant());
                let (path, _) = self.kept.back_up()?;
                let most = usize::try_from(self.kept.settings.backups.0).unwrap_or(usize::MAX);
                backup::thin_out(self.kept.archive.folder(), most);
                format!("the catalogue was copied to {}", path.display())
            }
        };
        self.lock().last = Some(Last { at: self.now(), what: told, is_done: true });
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
        inside.doing.push(Doing { task: task.clone(), since: self.now(), bytes: 0, of_bytes });
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
        let all = tallies.iter().filter(|tally| tally.replica == replica).map(|tally| tally.bytes).sum();
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
            self.tell(notices::repair(&remedies, self.now()));
        }
        let mut inside = self.lock();
        inside.has_new_damage &= is_dry;
        // What belongs together has one time.
        let at = self.now();
        for remedy in remedies.listed.into_iter().rev() {
            inside.remedies.push_front(Remedied { at, is_dry, remedy });
        }
        inside.remedies.truncate(REMEDIES_MAX);
        text
    }

    /// Reads files through that a reader could not read. What is found is written down, so that it is repaired.
    pub(super) fn look_at_suspected(&self) -> Result<()> {
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
                        let notice = Notice::new(self.now(), "reading", Severity::Alarm, subject);
                        self.tell(Some(notice.line(why).about("file", &name).about("replica", replica)));
                    }
                }
                Err(error @ vault::Error::NoSound { .. }) => {
                    let subject = format!("`{name}` cannot be read from any replica");
                    let notice = Notice::new(self.now(), "reading", Severity::Alarm, subject);
                    self.tell(Some(notice.line(error.to_string()).about("file", &name)));
                }
                // A file that lies elsewhere, or that is not noted yet.
                Err(vault::Error::Unknown(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Takes note of jobs that were committed since it last looked.
    pub(super) fn note(&self, noted: &mut BTreeSet<String>) -> Result<()> {
        for job in self.kept.archive.sealed_jobs()? {
            if !noted.contains(&job) {
                // One whose first file is just being sealed has none yet.
                if self.kept.note(&job)? > 0 || self.kept.is_noted(&job)? {
                    noted.insert(job);
                }
            }
        }
        Ok(())
    }
}

/// A number of files, its thousands set apart.
fn files(count: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} file{plural}", notify::grouped(count))
}
