//! How it stands with every file in every replica, and what is being done. Nothing is read but the catalogue, and no replica is asked, so
//! this is quick however large the archive is and whoever is away.

use ::vault::Place;
use catalogue::{Audit, AuditKind, State, Tally};
use serde::Serialize;
use supervisor::{Doing, Room, Task};

use super::Keeping;
use super::tasks::TaskRow;
use crate::error::Error;

/// How things stand. The names are those of `varve vault status --json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Status {
    /// Files that are kept.
    pub files: u64,
    /// How long they are.
    pub bytes: u64,
    /// Of how many every replica was found to have a copy.
    pub accepted: u64,
    /// Each replica, the archive's own first.
    pub replicas: Vec<ReplicaRow>,
    /// Replicas that the catalogue knows and the settings do not name any more.
    pub given_up: Vec<String>,
    /// What is being done.
    pub doing: Vec<Work>,
    /// What waits behind it.
    #[serde(serialize_with = "as_rows")]
    pub waiting: Vec<Task>,
    /// What the last task came to.
    pub last: Option<LastRow>,
}

/// A replica.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReplicaRow {
    /// What it is called.
    pub name: String,
    /// `folder`, `bucket` or `checksums`.
    pub kind: &'static str,
    /// Whether it is there, if that is known yet. Buckets are not asked for that.
    pub reachable: Option<bool>,
    /// Why it is not.
    pub why: Option<String>,
    /// How much more would fit, where that can be told.
    pub room_bytes: Option<u64>,
    /// When it said so.
    pub answered_at: Option<String>,
    /// Copies that were read and are as they should be.
    pub verified: u64,
    /// Their bytes.
    pub verified_bytes: u64,
    /// Copies that are to be made, or being made.
    pub on_the_way: u64,
    /// Copies that could not be made; that is tried again.
    pub failed: u64,
    /// Copies that are not there any more.
    pub missing: u64,
    /// Copies that are other files than they were.
    pub changed: u64,
    /// Every verified copy was read since then.
    pub checked_since: Option<String>,
    /// The last audit of each kind, checksums first.
    pub audits: Vec<AuditRow>,
}

/// An audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditRow {
    /// Of which replica.
    pub replica: String,
    /// `presence` or `checksum`.
    pub kind: &'static str,
    /// `running`, `paused`, `done` or `failed`.
    pub state: &'static str,
    /// When it began.
    pub began: String,
    /// When it ended or paused.
    pub ended: Option<String>,
    /// Files looked at.
    pub files: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Files that were not there.
    pub missing: u64,
    /// Files with another checksum.
    pub changed: u64,
    /// Files with another length.
    pub wrong_size: u64,
    /// Files that nobody knows of.
    pub unknown: u64,
    /// Copies that were not there because nobody has made them yet.
    pub not_copied: u64,
    /// Whether it came to its end, read at least one file, found every copy, and found nothing wrong.
    pub sound: bool,
}

impl AuditRow {
    /// Copies that are wrong or not there, as counts and words; empty if there are none.
    pub fn wrong(&self) -> impl Iterator<Item = (u64, &'static str)> {
        let all = [
            (self.missing, "missing"),
            (self.changed, "changed"),
            (self.wrong_size, "of another length"),
            (self.unknown, "unknown"),
            (self.not_copied, "not copied yet"),
        ];
        all.into_iter().filter(|(count, _)| *count > 0)
    }

    /// Whether it found anything wrong: copies that nobody has made yet are not.
    #[must_use]
    pub fn has_damage(&self) -> bool {
        self.missing + self.changed + self.wrong_size + self.unknown > 0
    }
}

/// Something that is being done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Work {
    /// What.
    #[serde(flatten, serialize_with = "as_row")]
    pub task: Task,
    /// Since when.
    pub since: String,
    /// For how long.
    pub seconds: f64,
    /// Bytes that were read so far.
    pub bytes: u64,
    /// Bytes that are to be read in all, where that is known.
    pub of_bytes: Option<u64>,
}

/// What a task came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastRow {
    /// When.
    pub at: String,
    /// What, as prose.
    pub what: String,
    /// Whether it went as it should; that an audit found something is no failure of the audit.
    pub done: bool,
}

impl Keeping {
    /// How things stand.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn status(&self) -> Result<Status, Error> {
        let vault = self.keeper.vault();
        let found = vault.status()?;
        let rooms = self.keeper.rooms();
        let room = |place: &Place| rooms.iter().find(|room| room.replica == place.name);
        let replicas = vault.places().iter().map(|place| self.replica(place, &found.tallies, room(place)));
        let last = self.keeper.last();
        Ok(Status {
            files: found.sums.files,
            bytes: found.sums.bytes,
            accepted: found.sums.accepted,
            replicas: replicas.collect::<Result<_, Error>>()?,
            given_up: found.given_up,
            doing: self.keeper.doing().into_iter().map(|doing| self.work(doing)).collect(),
            waiting: self.keeper.waiting(),
            last: last.map(|last| LastRow { at: last.at.to_string(), what: last.what, done: last.is_done }),
        })
    }

    fn replica(&self, place: &Place, tallies: &[Tally], room: Option<&Room>) -> Result<ReplicaRow, Error> {
        let tally =
            |state| tallies.iter().find(move |tally| tally.replica == place.name && tally.state == state);
        let count = |state| tally(state).map_or(0, |tally| tally.files);
        let is_asked = !matches!(place.kind, catalogue::Kind::Bucket);
        let (reachable, why, room_bytes) = match room.and_then(|room| room.known(self.now)) {
            Some(Ok(room)) => (is_asked.then_some(true), None, room),
            Some(Err(why)) => (Some(false), Some(why), None),
            None => (None, None, None),
        };
        let answered_at = room.and_then(|room| room.told.as_ref()).map(|(at, _)| at.to_string());
        let mut audits = Vec::new();
        for kind in [AuditKind::Checksum, AuditKind::Presence] {
            audits.extend(self.catalogue().last_audit(&place.name, kind)?.as_ref().map(AuditRow::of));
        }
        Ok(ReplicaRow {
            name: place.name.clone(),
            kind: place.kind.name(),
            reachable,
            why,
            room_bytes,
            answered_at,
            verified: count(State::Verified),
            verified_bytes: tally(State::Verified).map_or(0, |tally| tally.bytes),
            on_the_way: count(State::Wanted) + count(State::Uploading) + count(State::Uploaded),
            failed: count(State::Failed),
            missing: count(State::Missing),
            changed: count(State::Changed),
            checked_since: self.checked_since(&place.name)?,
            audits,
        })
    }

    /// When the copy was read that was not read for the longest time.
    fn checked_since(&self, replica: &str) -> Result<Option<String>, Error> {
        // A clock that was set back has left times that are still to come.
        let oldest = self.catalogue().to_audit(replica, jiff::Timestamp::MAX, 1)?;
        let Some(file) = oldest.first() else { return Ok(None) };
        let copies = self.catalogue().copies(file)?;
        let copy = copies.into_iter().find(|copy| copy.replica == replica);
        Ok(copy.and_then(|copy| copy.checked_at).map(|at| at.to_string()))
    }

    fn work(&self, doing: Doing) -> Work {
        Work {
            task: doing.task,
            since: doing.since.to_string(),
            seconds: self.now.duration_since(doing.since).as_secs_f64().max(0.0),
            bytes: doing.bytes,
            of_bytes: doing.of_bytes,
        }
    }
}

impl Status {
    /// Copies that are missing, have changed or could not be made.
    #[must_use]
    pub fn wrong(&self) -> u64 {
        self.replicas.iter().map(ReplicaRow::wrong).sum()
    }

    /// Whether something is being done, or waits for it.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        !self.doing.is_empty() || !self.waiting.is_empty()
    }
}

impl ReplicaRow {
    /// Copies that are missing, have changed or could not be made.
    #[must_use]
    pub fn wrong(&self) -> u64 {
        self.failed + self.missing + self.changed
    }

    /// All recorded copies, in whatever state.
    #[must_use]
    pub fn recorded(&self) -> u64 {
        self.verified + self.on_the_way + self.wrong()
    }
}

impl AuditRow {
    /// As the catalogue has it.
    #[must_use]
    pub fn of(audit: &Audit) -> AuditRow {
        AuditRow {
            replica: audit.replica.clone(),
            kind: audit.kind.name(),
            state: audit.state.name(),
            began: audit.began_at.to_string(),
            ended: audit.ended_at.map(|at| at.to_string()),
            files: audit.files,
            bytes: audit.bytes,
            missing: audit.missing,
            changed: audit.changed,
            wrong_size: audit.resized,
            unknown: audit.unknown,
            not_copied: audit.not_copied,
            sound: audit.is_sound() && audit.files > 0,
        }
    }
}

fn as_row<S: serde::Serializer>(task: &Task, serializer: S) -> Result<S::Ok, S::Error> {
    TaskRow::of(task).serialize(serializer)
}

fn as_rows<S: serde::Serializer>(tasks: &[Task], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(tasks.iter().map(TaskRow::of))
}
