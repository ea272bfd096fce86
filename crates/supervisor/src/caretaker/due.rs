//! What is to be done by now, without anybody having asked for it.

use std::fs;
use std::time::Duration;

use catalogue::{Audit, AuditKind, AuditState};
use jiff::{SignedDuration, Timestamp};
use settings::Repairs;

use super::{Shared, TRY_AGAIN};
use crate::backup::backups;
use crate::task::Task;

impl Shared {
    /// What the hands are to do by now, if anything.
    pub(super) fn to_do(&self) -> Option<Task> {
        let (vault, settings) = (&self.kept.vault, &self.kept.settings);
        let now = self.now();
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
    pub(super) fn to_audit(&self) -> Option<Task> {
        let (vault, settings) = (&self.kept.vault, &self.kept.settings);
        let now = self.now();
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
    pub(super) fn wrong(&self) -> u64 {
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
        let ages = backups(self.kept.archive.folder())
            .into_iter()
            .filter_map(|path| fs::metadata(path).ok()?.modified().ok());
        let youngest = ages.filter_map(|modified| modified.elapsed().ok()).min();
        youngest.is_none_or(|age| age >= every)
    }
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
