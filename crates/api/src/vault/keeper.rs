//! Whoever looks after the files for this server: what it is asked, and what it answers. The program that has the settings does it.

use jiff::Timestamp;
use vault::{Remedy, Vault};

use super::tasks::Task;
use crate::jobs::Refused;

/// Looks after files. None of its calls waits for what is under way.
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

/// How files are looked after by the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// Whether what an audit finds is repaired by itself, if it is clear what is right.
    pub repairs: bool,
    /// So many copies of the catalogue are kept.
    pub backups: u64,
}
