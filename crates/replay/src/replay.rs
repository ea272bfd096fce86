//! What replay is made of, and what it keeps in memory.

use std::fmt;
use std::sync::Arc;

use archive::Archive;
use jiff::Timestamp;
use policy::{CurrentRules, Network};

use crate::kept::Kept;
use crate::limits::Limits;
use crate::timeline::Timeline;

/// A clock, handed in.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What [`Replay::new`] needs to know.
#[derive(Clone)]
pub struct Settings {
    /// What is shown.
    pub archive: Archive,
    /// Who may see it.
    pub access_rules: CurrentRules,
    /// What time it is.
    pub now: Clock,
    /// Where the pages of the program are: another origin than replay's own. Empty where there are none.
    pub pages: String,
    /// Replay's own origin, as in `http://localhost:8471`. By default what the client says that it asks.
    pub origin: Option<String>,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// The header in which a trusted proxy says who asks.
    pub user_header: Option<String>,
    /// Whether scripts of archived pages see the time of the capture, and chance that is always the same.
    pub is_pinned: bool,
    /// Bounds.
    pub limits: Limits,
}

impl Settings {
    /// Everybody may see everything; all else by default.
    #[must_use]
    pub fn new(archive: Archive, now: Clock) -> Settings {
        Settings {
            archive,
            access_rules: CurrentRules::default(),
            now,
            pages: String::new(),
            origin: None,
            trusted_proxies: Vec::new(),
            user_header: None,
            is_pinned: false,
            limits: Limits::default(),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Settings").field("archive", &self.archive).finish_non_exhaustive()
    }
}

/// Shows what is archived. A clone is cheap and is the same.
#[derive(Debug, Clone)]
pub struct Replay {
    inside: Arc<Inside>,
}

#[derive(Debug)]
struct Inside {
    settings: Settings,
    timelines: Kept<Timeline>,
    lengths: Kept<u64>,
}

impl Replay {
    /// By these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Replay {
        let kept = settings.limits.kept;
        Replay { inside: Arc::new(Inside { settings, timelines: Kept::new(kept), lengths: Kept::new(kept) }) }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.inside.settings
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inside.settings.limits
    }

    /// Timelines of URLs with very many captures, by what they were counted in.
    pub(crate) fn timelines(&self) -> &Kept<Timeline> {
        &self.inside.timelines
    }

    /// Lengths of payloads that are not to be had but by reading them, by their place.
    pub(crate) fn lengths(&self) -> &Kept<u64> {
        &self.inside.lengths
    }
}
