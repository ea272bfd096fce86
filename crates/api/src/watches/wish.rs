//! What somebody wants of a watch, as it is written in JSON.

use diff::RuleSet;
use serde::{Deserialize, Serialize};

/// What is wanted of a watch. What is not said is as usual.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WatchWish {
    /// What is watched; `http://` may be left out.
    pub url: String,
    /// Whose it is; `me` if nothing is said.
    pub owner: String,
    /// What people call it.
    pub title: String,
    /// Words by which it is found.
    pub tags: Vec<String>,
    /// What somebody wants to remember of it.
    pub notes: String,
    /// How often: `1h`, `daily`, `adaptive 10m..24h`; as the settings have it if it is empty.
    pub every: String,
    /// Ask by HEAD first: for servers that send a digest.
    pub head_first: bool,
    /// Take the document also where it is larger than usual.
    pub force: bool,
    /// Not checked for the time being.
    pub paused: bool,
    /// What counts, and what is worth telling.
    pub rules: RuleSet,
    /// Who is told: `mailto:ann@example.org`, `https://hooks.example.org/varve`; as the settings have it if there are none.
    pub notify: Vec<String>,
    /// When nobody is told: `22:00-07:00 Europe/Prague`.
    pub quiet: String,
    /// How long mails are put together: `24h`; at once if it is empty.
    pub digest: String,
    /// After so many checks in a row at which it was not there somebody is told; 0 is never.
    pub gone_after: Option<u32>,
}
