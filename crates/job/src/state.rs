//! Where a job stands: a small file in its folder, replaced as a whole.

use std::fmt;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The version of the file.
const FORMAT: u32 = 1;

/// Its name in the job's folder.
const NAME: &str = "state";

/// Nobody writes a longer one.
const BYTES_MAX: u64 = 64 << 10;

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum State {
    /// It has not begun.
    New,
    /// It fetches; if no process holds it, that process was killed.
    Running,
    /// It waits for the operator, or for room on the disk.
    Paused,
    /// It was stopped before its end and can be resumed, committed or discarded.
    Stopped,
    /// There is nothing more to fetch; it is to be committed.
    Finished,
    /// It is being brought into the archive.
    Committing,
}

impl State {
    /// The word for people and programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            State::New => "new",
            State::Running => "running",
            State::Paused => "paused",
            State::Stopped => "stopped",
            State::Finished => "finished",
            State::Committing => "committing",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What the file says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    format: u32,
    /// Where it stands.
    pub state: State,
    /// Commit time of the job: when it began (A6).
    #[serde(with = "written")]
    pub started: Timestamp,
    /// Why it is not running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Standing {
    /// Of a job that has not begun.
    #[must_use]
    pub fn new(started: Timestamp) -> Standing {
        Standing { format: FORMAT, state: State::New, started, why: None }
    }

    /// Reads it from a job's folder.
    ///
    /// # Errors
    /// When it is not there, or not to be understood.
    pub fn read(folder: &Path) -> Result<Standing, Error> {
        let path = folder.join(NAME);
        let mut text = String::new();
        let file = private::read(&path).map_err(Error::file(&path))?;
        file.take(BYTES_MAX).read_to_string(&mut text).map_err(Error::file(&path))?;
        let damaged = |what: String| Error::Damaged { path: path.clone(), what };
        let standing: Standing = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if standing.format > FORMAT {
            return Err(damaged(format!(
                "its format is {}, and this program knows those up to {FORMAT}",
                standing.format
            )));
        }
        Ok(standing)
    }

    /// Replaces the file in a job's folder; whoever reads it sees the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(NAME);
        let next = path.with_extension("next");
        let text = serde_json::to_string(self).unwrap_or_default();
        let file = private::options().write(true).create(true).truncate(true).open(&next);
        let mut file = file.map_err(Error::file(&next))?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(Error::file(&next))?;
        fs::rename(&next, &path).map_err(Error::file(&path))
    }
}

/// A time as text.
mod written {
    use jiff::Timestamp;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(time)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_standing_is_read_as_it_was_written_and_later_formats_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let mut standing = Standing::new(Timestamp::UNIX_EPOCH);
        (standing.state, standing.why) = (State::Paused, Some("the disk is full".to_owned()));
        standing.write(path).unwrap();
        assert_eq!(Standing::read(path).unwrap(), standing);
        standing.format = FORMAT + 1;
        standing.write(path).unwrap();
        assert!(Standing::read(path).unwrap_err().to_string().contains("damaged"));
        fs::write(path.join(NAME), "{").unwrap();
        assert!(matches!(Standing::read(path), Err(Error::Damaged { .. })));
    }
}
