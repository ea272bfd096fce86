//! Whoever watches pages for this server: what it is asked, and what it answers. The program that has the settings does it.

use std::future::Future;
use std::pin::Pin;

use diff::RuleSet;
use jiff::Timestamp;
use serde::Serialize;
use tokio::sync::broadcast;

use super::rows::{CheckRow, DifferenceRow, NewsRow, Preview, VersionRow, WatchRow};
use super::wish::WatchWish;
use crate::Error;

/// An answer that may take as long as a server that is asked.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>;

/// Watches pages. Its answers are waited for, never threads.
///
/// What is wrong with a wish is [`Error::Fields`], so that it can be said beside the field; rules and lengths were looked at before it is
/// handed over. A document that a server does not give is [`Error::NotHad`]; a watch, version or URL that is not known is
/// [`Error::NotFound`].
pub trait Watcher: Send + Sync {
    /// UC6, and UC7 by what it says of being available: asks the server, unless it was asked just now.
    fn check(&self, url: String, person: Option<String>, force: bool) -> Answer<CheckRow>;

    /// UC1, UC2 and UC9: one version.
    fn version(&self, url: String, which: Which) -> Answer<VersionRow>;

    /// So many versions before this number (the newest without one), the newest first. Nothing is asked of the server.
    fn versions(&self, url: String, before: Option<u32>, most: u32) -> Answer<Vec<VersionRow>>;

    /// The document of a version.
    fn document(&self, url: String, number: u32) -> Answer<Document>;

    /// UC3 and UC4: what changed since this person last asked.
    fn changes(&self, url: String, person: String) -> Answer<Compared>;

    /// UC5: what changed from one version to another.
    fn difference(&self, asked: Asked) -> Answer<Compared>;

    /// The patch that makes the one version of the other.
    fn patch(&self, url: String, from: Which, to: Which) -> Answer<Vec<u8>>;

    /// UC8: so many checks before the one with this id (the newest without one), the newest first.
    fn checks(&self, url: String, before: Option<i64>, most: u32) -> Answer<Vec<CheckRow>>;

    /// UC8 for a picture: whether it could be reached on each day from this one on, until today.
    fn days(&self, url: String, from: jiff::civil::Date) -> Answer<Vec<DayRow>>;

    /// E3: whether somebody is called so.
    fn is_name_taken(&self, name: String) -> Answer<bool>;

    /// So many watches behind this number, of one person or of all, that have the text in URL, title or tags.
    fn list(&self, wanted: Listed) -> Answer<Vec<WatchRow>>;

    /// One watch.
    fn show(&self, id: i64) -> Answer<WatchRow>;

    /// Begins to watch.
    fn add(&self, wish: WatchWish) -> Answer<WatchRow>;

    /// Changes what is wanted of a watch; its URL and its owner stay.
    fn change(&self, id: i64, wish: WatchWish) -> Answer<WatchRow>;

    /// Checks the page of a watch now, as if it were due: what is news by its rules is told. UC6 for those who watch.
    fn check_watch(&self, id: i64) -> Answer<CheckRow>;

    /// Ends a watch. What was seen so far stays.
    fn remove(&self, id: i64) -> Answer<()>;

    /// What rules keep of a page, before anything is saved. Asks the server if the page was never had.
    fn preview(&self, wish: WatchWish) -> Answer<Preview>;

    /// So many news before the one with this id (the newest without one), the newest first.
    fn news(&self, of: NewsOf, before: Option<i64>, most: u32) -> Answer<Vec<NewsRow>>;

    /// News as they come, from now on: each once, in the order of their ids, and each when [`news`](Watcher::news) has it already. The
    /// channel is closed when the server ends, so that those who follow do not keep it from that.
    fn follow(&self) -> broadcast::Receiver<NewsRow>;
}

/// Which version is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// UC2: the one that is there now; a check comes first.
    Current,
    /// UC1: the one that held at this time: the oldest if it is before all, after a check if it is after the newest.
    At(Timestamp),
    /// The one of this number.
    Number(u32),
    /// UC9: the last that could be had; a check comes first, and need not succeed.
    Reachable,
}

/// What is to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Of what.
    pub url: String,
    /// From which version.
    pub from: Which,
    /// To which.
    pub to: Which,
    /// By the rules of this watch, and by what it has learned to be noise; by none without it.
    pub watch: Option<i64>,
    /// By these rules instead: to try some before they are kept.
    pub rules: Option<RuleSet>,
}

/// What was compared: the difference, and the texts that the rules keep of both versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// What differs.
    pub row: DifferenceRow,
    /// What the rules keep of the older version; empty if it is no text.
    pub old_text: String,
    /// And of the newer one.
    pub new_text: String,
}

/// A document as it was compared: without framing and codings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What it is, as found out; may be empty.
    pub media_type: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Which watches are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Whose; everybody's without it.
    pub owner: Option<String>,
    /// With this text in URL, title or tags.
    pub find: Option<String>,
    /// Behind this number.
    pub behind: i64,
    /// So many.
    pub most: u32,
}

/// Whose news are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewsOf {
    /// Everybody's.
    All,
    /// Of one watch.
    Watch(i64),
    /// Of all watches of a person.
    Person(String),
}

/// How a day went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DayRow {
    /// Which, in UTC: `2026-11-18`.
    pub day: String,
    /// Checks.
    pub checks: u32,
    /// Checks at which it could be reached.
    pub available: u32,
    /// Changes that were found.
    pub changed: u32,
}
