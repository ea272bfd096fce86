//! Copies: how it stands with one file in one replica.
//!
//! ```text
//! wanted ─▶ uploading ─▶ uploaded ─▶ verified ─▶ missing ─▶ wanted
//!    ▲          │            │          │  ▲
//!    └─ failed ◀┴────────────┘          └─▶ changed ─▶ wanted
//! ```
//! An audit reads copies in every state: it moves each to `verified`, `missing` or `changed`.
//! A copy that a crash has left `uploading` or `uploaded` is due as one that is `wanted` is: whoever takes it up looks what is there.

use std::fmt;

use db::Row;
use jiff::Timestamp;

use crate::error::Error;

/// How it stands with a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It is to be made.
    Wanted,
    /// It is being made.
    Uploading,
    /// It was made and not read back yet.
    Uploaded,
    /// It was read, and has the checksum it should have.
    Verified,
    /// Making it failed; it is tried again when it is due.
    Failed,
    /// It was there and is not any more.
    Missing,
    /// It is there, and is another file than it was.
    Changed,
}

impl State {
    /// Every state, for tables and tests.
    pub const ALL: [State; 7] = [
        State::Wanted,
        State::Uploading,
        State::Uploaded,
        State::Verified,
        State::Failed,
        State::Missing,
        State::Changed,
    ];

    /// Its word in the database, on pages and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            State::Wanted => "wanted",
            State::Uploading => "uploading",
            State::Uploaded => "uploaded",
            State::Verified => "verified",
            State::Failed => "failed",
            State::Missing => "missing",
            State::Changed => "changed",
        }
    }

    /// Whether a copy may pass from this state to that.
    #[must_use]
    pub fn leads_to(self, next: State) -> bool {
        use State::{Changed, Failed, Missing, Uploaded, Uploading, Verified, Wanted};
        match self {
            // What is there already, with the right checksum, is verified without being made.
            Wanted | Failed => matches!(next, Uploading | Verified | Failed | Missing | Changed),
            Uploading => matches!(next, Uploading | Uploaded | Verified | Failed | Missing | Changed),
            Uploaded => matches!(next, Uploading | Verified | Failed | Missing | Changed),
            Verified => matches!(next, Verified | Missing | Changed),
            Missing => matches!(next, Missing | Wanted | Verified | Changed),
            Changed => matches!(next, Changed | Wanted | Verified | Missing),
        }
    }

    /// Whether nobody has read such a copy and found it the same: it is to be made, being made, or that failed.
    #[must_use]
    pub fn is_unverified(self) -> bool {
        matches!(self, State::Wanted | State::Uploading | State::Uploaded | State::Failed)
    }

    pub(crate) fn parse(text: &str) -> Result<State, Error> {
        let found = State::ALL.into_iter().find(|state| state.name() == text);
        found.ok_or_else(|| Error::Damaged { what: "state", found: text.to_owned() })
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A file in a replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// Which replica.
    pub replica: String,
    /// How it stands with it.
    pub state: State,
    /// The checksum that was found, where it is not the right one.
    pub found: Option<String>,
    /// Why it failed.
    pub why: Option<String>,
    /// How often making it has failed since it last succeeded.
    pub tries: u32,
    /// When it is to be tried next.
    pub due_at: Timestamp,
    /// When it was last found to be as it should.
    pub checked_at: Option<Timestamp>,
}

/// How a copy passes from one state to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The state it must be in.
    pub from: State,
    /// The state it is in then.
    pub to: State,
    /// When.
    pub at: Timestamp,
    /// The checksum that was found, where it is not the right one.
    pub found: Option<String>,
    /// Why it failed.
    pub why: Option<String>,
    /// When it is to be tried next, if it failed.
    pub retry_at: Option<Timestamp>,
}

impl Moved {
    /// From one state to another, with nothing more to say.
    #[must_use]
    pub fn new(from: State, to: State, at: Timestamp) -> Moved {
        Moved { from, to, at, found: None, why: None, retry_at: None }
    }
}

/// How many copies of a replica are in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Which replica.
    pub replica: String,
    /// Which state.
    pub state: State,
    /// How many.
    pub files: u64,
    /// How long they are together.
    pub bytes: u64,
}

impl Copy {
    pub(crate) fn of(row: &Row) -> Result<Copy, Error> {
        let failed = || Error::database("read a copy's row");
        let text = |column| row.get::<String>(column).map_err(failed());
        let tries: u64 = row.get("tries").map_err(failed())?;
        let checked: i64 = row.get("checked_us").map_err(failed())?;
        Ok(Copy {
            replica: text("replica")?,
            state: State::parse(&text("state")?)?,
            found: row.get("found").map_err(failed())?,
            why: row.get("why").map_err(failed())?,
            tries: u32::try_from(tries).unwrap_or(u32::MAX),
            due_at: row.get("due_us").map_err(failed())?,
            // 0 where nobody has found it sound yet.
            checked_at: if checked == 0 { None } else { Some(row.get("checked_us").map_err(failed())?) },
        })
    }
}

impl Tally {
    pub(crate) fn of(row: &Row) -> Result<Tally, Error> {
        let failed = || Error::database("read a tally");
        let text = |column| row.get::<String>(column).map_err(failed());
        let number = |column| row.get::<u64>(column).map_err(failed());
        Ok(Tally {
            replica: text("replica")?,
            state: State::parse(&text("state")?)?,
            files: number("files")?,
            bytes: number("bytes")?,
        })
    }
}
