//! Everything about watching that is decided beforehand.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use archive::disk::{Disk, Plain};
use archive::{About, Ids};
use fetch::Clock;
use fetch::gate::Door;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::limits::Limits;
use crate::logins::KeepLogins;

/// How a monitor behaves. Clock and ids are handed in.
#[derive(Clone)]
pub struct Settings {
    /// How documents are asked for, and where the time comes from. What is digested and where long answers are put aside is the
    /// monitor's to say.
    pub fetch: fetch::Settings,
    /// The gate of the process, if there is one; else the monitor has its own, of these settings.
    pub door: Option<Door>,
    /// How polite a gate of its own is.
    pub gate: fetch::gate::Settings,
    /// Makes ids of records.
    pub ids: Ids,
    /// What the archive's files say of their making.
    pub warcinfo: Vec<(String, String)>,
    /// How hard records are packed, 0 to 12.
    pub gzip_level: u32,
    /// What writes the archive's files.
    pub disk: Arc<dyn Disk>,
    /// Checks under way at once, of all hosts together.
    pub at_once: usize,
    /// A URL is asked at most once in this time; whoever asks earlier is told the last result (E5).
    pub again_after: Duration,
    /// The time zone of hours of quiet that name none.
    pub zone: TimeZone,
    /// Stores user names and passwords that stand in the URLs of a database of an earlier version. Without it they stay there.
    pub keep_logins: Option<KeepLogins>,
    /// The database, where it is on a server; else it is `watch.db` in the archive's folder.
    pub database: Option<::db::Location>,
    /// Bounds.
    pub limits: Limits,
}

/// How one check is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct How {
    /// Take the document also where it is larger than usual.
    pub force: bool,
    /// Ask by HEAD first: where length and digest are as before, nothing more is asked. For servers that tell a digest.
    pub head_first: bool,
}

impl Settings {
    /// The usual ones.
    #[must_use]
    pub fn new(clock: Clock, ids: Ids) -> Settings {
        Settings {
            fetch: fetch::Settings::new(clock),
            door: None,
            gate: fetch::gate::Settings::default(),
            ids,
            warcinfo: Vec::new(),
            gzip_level: 6,
            disk: Arc::new(Plain),
            at_once: 64,
            again_after: Duration::from_secs(10),
            zone: TimeZone::UTC,
            keep_logins: None,
            database: None,
            limits: Limits::default(),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.fetch.clock.now()
    }

    /// How captures of a job that began then are written.
    pub(crate) fn about(&self, began: Timestamp) -> About {
        About {
            warcinfo: self.warcinfo.clone(),
            gzip_level: self.gzip_level,
            disk: Arc::clone(&self.disk),
            ..About::new(began, Arc::clone(&self.ids))
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("at_once", &self.at_once)
            .field("again_after", &self.again_after)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
