//! What can be done about files, what is being done, and what replicas say about their room.

use catalogue::AuditKind;
use jiff::{SignedDuration, Timestamp};
use vault::Remedy;

/// A replica that has not answered for so long is not there.
const PATIENCE: SignedDuration = SignedDuration::from_secs(30);

/// Something that somebody wants done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Bring files to the replicas that lack them, also what failed before.
    Bring,
    /// Look through a replica.
    Audit {
        /// Which.
        replica: String,
        /// What is looked at.
        kind: AuditKind,
    },
    /// Mend what audits have found, or only say what would be done.
    Repair {
        /// Only say it.
        is_dry: bool,
    },
    /// Copy the catalogue.
    BackUp,
}

impl Task {
    /// Its word.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Task::Bring => "bring",
            Task::Audit { .. } => "audit",
            Task::Repair { .. } => "repair",
            Task::BackUp => "backup",
        }
    }
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
    #[must_use]
    pub fn known(&self, now: Timestamp) -> Option<Result<Option<u64>, String>> {
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
