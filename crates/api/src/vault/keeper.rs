//! Whoever looks after the files for this server: what it is asked, and what it answers. The program that has the settings does it.

use jiff::{SignedDuration, Timestamp};
use vault::{Remedy, Vault};

use super::tasks::Task;
use crate::jobs::Refused;

/// A replica that has not answered for so long is not there.
const PATIENCE: SignedDuration = SignedDuration::from_secs(30);

/// Looks after files. None of its calls waits for what is under way, nor for a replica.
pub trait Keeper: Send + Sync {
    /// What is looked after.
    fn vault(&self) -> &Vault;

    /// Wants something done, behind what was wanted before. The same twice is once.
    ///
    /// # Errors
    /// When nothing more is begun.
    fn ask(&self, task: Task) -> Result<(), Refused>;

    /// What is being done.
    fn doing(&self) -> Vec<Doing>;

    /// What waits behind it, in its order.
    fn waiting(&self) -> Vec<Task>;

    /// What the last task came to.
    fn last(&self) -> Option<Last>;

    /// What was repaired, or would be, the newest first.
    fn remedies(&self) -> Vec<Remedied>;

    /// What each replica said when it was last asked for its room.
    fn rooms(&self) -> Vec<Room>;

    /// How it goes about it.
    fn habits(&self) -> Habits;
}

/// Something that is being done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doing {
    /// What.
    pub task: Task,
    /// Since when.
    pub since: Timestamp,
    /// Bytes that were read so far.
    pub bytes: u64,
    /// Bytes that are to be read in all, where that is known.
    pub of_bytes: Option<u64>,
}

/// What a task came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Last {
    /// When.
    pub at: Timestamp,
    /// What, as prose.
    pub what: String,
    /// Whether it went as it should; that an audit found something is no failure of the audit.
    pub is_done: bool,
}

/// What was, or would be, done about a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedied {
    /// When.
    pub at: Timestamp,
    /// Whether it was only asked what would be done.
    pub is_dry: bool,
    /// What.
    pub remedy: Remedy,
}

/// What a replica says about its room. It is asked apart from those who want to know: one on a server that is gone may never answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// Which replica.
    pub replica: String,
    /// When it last answered, and what: how much more would fit, where that can be told, or why it is not there.
    pub told: Option<(Timestamp, Result<Option<u64>, String>)>,
    /// Since when an answer is waited for.
    pub asked: Option<Timestamp>,
}

impl Room {
    /// What is known of it by now, if anything is.
    pub(super) fn known(&self, now: Timestamp) -> Option<Result<Option<u64>, String>> {
        match (self.asked, &self.told) {
            (Some(asked), _) if now.duration_since(asked) >= PATIENCE => {
                Some(Err(format!("it was asked at {asked:.0} and has not answered")))
            }
            (_, told) => told.as_ref().map(|(_, told)| told.clone()),
        }
    }
}

/// How files are looked after by the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// Whether what an audit finds is repaired by itself, if it is clear what is right.
    pub repairs: bool,
    /// So many copies of the catalogue are kept.
    pub backups: u64,
}
