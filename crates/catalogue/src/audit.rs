//! Audits: looking through a replica, and what was found.

use db::Row;
use jiff::Timestamp;

use crate::error::Error;

/// What an audit looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditKind {
    /// Whether each file is there, and as long as it should be.
    Presence,
    /// Whether each file has the checksum it should have.
    Checksum,
}

/// Where an audit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditState {
    /// It goes on.
    Running,
    /// It was stopped and can be gone on with.
    Paused,
    /// It has seen everything it was to see.
    Done,
    /// It could not go on.
    Failed,
}

/// An audit of a replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audit {
    pub(crate) id: i64,
    /// Of which replica.
    pub replica: String,
    /// What it looks at.
    pub kind: AuditKind,
    /// Where it stands.
    pub state: AuditState,
    /// When it began.
    pub began_at: Timestamp,
    /// When it ended or paused.
    pub ended_at: Option<Timestamp>,
    /// The name up to which it has come.
    pub reached: String,
    /// Files looked at.
    pub files: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Files that are not there.
    pub missing: u64,
    /// Files with another checksum.
    pub changed: u64,
    /// Files with another length.
    pub resized: u64,
    /// Files that nobody knows of.
    pub unknown: u64,
    /// Copies that were not found because nobody has made them yet.
    pub not_copied: u64,
}

impl AuditKind {
    /// Its word in the database, on pages and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AuditKind::Presence => "presence",
            AuditKind::Checksum => "checksum",
        }
    }

    fn parse(text: &str) -> Result<AuditKind, Error> {
        let found = [AuditKind::Presence, AuditKind::Checksum].into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| Error::Damaged { what: "kind", found: text.to_owned() })
    }
}

impl AuditState {
    /// Its word in the database, on pages and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AuditState::Running => "running",
            AuditState::Paused => "paused",
            AuditState::Done => "done",
            AuditState::Failed => "failed",
        }
    }

    fn parse(text: &str) -> Result<AuditState, Error> {
        let all = [AuditState::Running, AuditState::Paused, AuditState::Done, AuditState::Failed];
        let found = all.into_iter().find(|state| state.name() == text);
        found.ok_or_else(|| Error::Damaged { what: "state", found: text.to_owned() })
    }
}

impl Audit {
    /// Whether the audit came to its end, every copy was there, and nothing was wrong with any of them.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.state == AuditState::Done && !self.has_findings() && self.not_copied == 0
    }

    /// Whether anything wrong was found so far.
    #[must_use]
    pub fn has_findings(&self) -> bool {
        self.missing + self.changed + self.resized + self.unknown > 0
    }

    pub(crate) fn of(row: &Row) -> Result<Audit, Error> {
        let failed = || Error::database("read an audit's row");
        let text = |column| row.get::<String>(column).map_err(failed());
        let number = |column| row.get::<u64>(column).map_err(failed());
        Ok(Audit {
            id: row.get("id").map_err(failed())?,
            replica: text("replica")?,
            kind: AuditKind::parse(&text("kind")?)?,
            state: AuditState::parse(&text("state")?)?,
            began_at: row.get("began_us").map_err(failed())?,
            ended_at: row.get("ended_us").map_err(failed())?,
            reached: text("reached")?,
            files: number("files")?,
            bytes: number("bytes")?,
            missing: number("missing")?,
            changed: number("changed")?,
            resized: number("resized")?,
            unknown: number("unknown")?,
            not_copied: number("not_copied")?,
        })
    }
}
