//! What there is to tell of watches, as it is written in JSON.

use diff::Finding;
use notify::To;
use serde::Serialize;

use super::wish::{NOBODY, WatchWish};

/// A watch, and how it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WatchRow {
    /// Its number.
    pub id: i64,
    /// What is wanted of it; `every` says the pace as it is. Lists have it [discreetly](WatchRow::discreet).
    #[serde(flatten)]
    pub wish: WatchWish,
    /// Since when it is watched.
    pub added: String,
    /// When it is checked next, unless it is paused.
    pub due: String,
    /// The pause just now, in words: differs from `every` where it adapts.
    pub pause: String,
    /// The newest version; 0 if there has never been one.
    pub version: u32,
    /// The last check.
    pub last: Option<CheckRow>,
    /// When it last changed by its rules.
    pub last_news: Option<String>,
    /// How many news there were.
    pub news: u64,
    /// The last checks, the oldest first, for a picture: each outcome's word.
    pub recent: Vec<String>,
    /// Messages that wait or could not be sent, and why; empty if all is told.
    pub untold: Vec<String>,
}

impl WatchRow {
    /// The same as others may see it: of webhooks, whose addresses are secrets, only the host is told.
    #[must_use]
    pub fn discreet(mut self) -> WatchRow {
        for to in self.wish.notify.iter_mut().filter(|to| *to != NOBODY) {
            *to = to.parse::<To>().map_or_else(|_| notify::discreet(to), |to| to.to_string());
        }
        self
    }
}

impl WatchRow {
    /// Whether the last check found another document in which nothing is worth telling: noise, or not what the rules want.
    #[must_use]
    pub fn is_noise(&self) -> bool {
        self.last
            .as_ref()
            .is_some_and(|last| last.outcome == "changed" && self.last_news.as_ref() != Some(&last.time))
    }
}

/// A check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckRow {
    /// Its number.
    pub id: i64,
    /// What was checked.
    pub url: String,
    /// When.
    pub time: String,
    /// How it ended: `first`, `changed`, `unchanged`, `unavailable`, `unreachable`, `too-large`, `too-large-changed`, `incomplete`.
    pub outcome: &'static str,
    /// Whether it can be reached.
    pub available: bool,
    /// Whether it is another document than before.
    pub changed: bool,
    /// The last answer's status.
    pub status: Option<u16>,
    /// Where redirects led.
    pub final_url: Option<String>,
    /// How many.
    pub redirects: u32,
    /// The version that holds from then on.
    pub version: Option<u32>,
    /// Digest of the document, if one came.
    pub sha256: Option<String>,
    /// Bytes of it.
    pub length: Option<u64>,
    /// How long it took.
    pub took_ms: u64,
    /// Why there is no document.
    pub why: Option<String>,
    /// What the server told wrongly.
    pub faults: Vec<&'static str>,
    /// Nothing was asked: this is the last result.
    pub repeated: bool,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VersionRow {
    /// Counts from 1.
    pub number: u32,
    /// Since when it holds.
    pub time: String,
    /// The 14 digits of that, as replay has it.
    pub timestamp: String,
    /// Its digest.
    pub sha256: String,
    /// Its bytes.
    pub length: u64,
    /// What it is.
    pub media_type: String,
    /// The URL of the capture: where redirects led.
    pub url: String,
}

/// What lies between two versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DifferenceRow {
    /// Of what.
    pub url: String,
    /// What it was.
    pub before: VersionRow,
    /// What it is.
    pub after: VersionRow,
    /// UC3: whether it is another document; `None` if whoever asks never asked before.
    pub changed: Option<bool>,
    /// Whether both are the same, byte for byte.
    pub empty: bool,
    /// Whether the change is worth telling: not noise, and by the rules.
    pub meaningful: bool,
    /// Whether both are texts, so that what follows is said at all.
    pub text: bool,
    /// Whether a finer answer was not looked for.
    pub coarse: bool,
    /// Words that differ, noise left out.
    pub words: usize,
    /// How large a share of all words that is.
    pub share: f64,
    /// What differs.
    pub findings: Vec<Finding>,
    /// What was left out as noise.
    pub left_out: Vec<Finding>,
    /// The triggers that were set off, in words.
    pub fired: Vec<String>,
    /// Bytes of the patch that makes the newer version of the older one.
    pub patch_bytes: Option<u64>,
}

/// What rules keep of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The version that it is of.
    pub version: VersionRow,
    /// What is kept, as a reader sees it.
    pub kept: String,
    /// How many lines are not.
    pub left_out: usize,
    /// Whether `kept` was cut off because it is long.
    pub is_cut: bool,
}

/// Something that was worth telling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NewsRow {
    /// Its number; it stays the same in feeds, mails and events.
    pub id: i64,
    /// The watch.
    pub watch: i64,
    /// Whose it is.
    pub owner: String,
    /// What it is of.
    pub url: String,
    /// What people call that.
    pub title: String,
    /// `changed`, `gone` or `back`.
    pub kind: &'static str,
    /// When.
    pub time: String,
    /// Of a change: from which version to which.
    pub before: Option<u32>,
    /// The newer version.
    pub after: Option<u32>,
    /// In a line.
    pub summary: String,
    /// The difference as text, shortened.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// Where captures of both are shown: 14 digits each.
    pub timestamps: (Option<String>, Option<String>),
}
