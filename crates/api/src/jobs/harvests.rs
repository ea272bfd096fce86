//! Whoever begins harvests for this server: what it is asked, and what it answers. The program that has the settings does it.

use std::fmt;

use serde::{Deserialize, Serialize};
use supervisor::{Harvester, Outcome, Refused};

/// What is to be harvested. Settings are written as in varve.toml; what is not said is as usual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wish {
    /// Where to begin; `http://` may be left out.
    pub urls: Vec<String>,
    /// The profile to go by.
    pub profile: Option<String>,
    /// What belongs to it: `page`, `prefix`, `host`, `domain`, …
    pub scope: Option<String>,
    /// The most links between a start URL and a page.
    pub depth: Option<Setting>,
    /// The most documents.
    pub max_objects: Option<Setting>,
    /// The most bytes, such as `500MB`.
    pub max_bytes: Option<Setting>,
    /// The longest time, such as `6h`.
    pub max_time: Option<Setting>,
    /// How long to wait between two requests to a host, such as `2s`.
    pub delay: Option<Setting>,
    /// What the job is called, instead of its domain.
    pub label: Option<String>,
    /// What it is for.
    pub description: Option<String>,
}

/// A setting, as text or as a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// A number.
    Number(u64),
    /// A text.
    Text(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Number(number) => number.fmt(f),
            Setting::Text(text) => text.fmt(f),
        }
    }
}

impl From<&str> for Setting {
    fn from(text: &str) -> Setting {
        Setting::Text(text.to_owned())
    }
}

impl Wish {
    /// The settings that are said, by their names in varve.toml. One that is said as nothing is not said.
    #[must_use]
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let number = |setting: &Option<Setting>| setting.as_ref().map(ToString::to_string);
        [
            ("profile", self.profile.clone()),
            ("scope", self.scope.clone()),
            ("depth", number(&self.depth)),
            ("max_objects", number(&self.max_objects)),
            ("max_bytes", number(&self.max_bytes)),
            ("max_time", number(&self.max_time)),
            ("delay", number(&self.delay)),
            ("label", self.label.clone()),
            ("description", self.description.clone()),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?.trim().to_owned())))
        .filter(|(_, value)| !value.is_empty())
        .collect()
    }
}

/// A profile that a harvest can go by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// By which it is chosen.
    pub name: String,
    /// What it is for; nothing is known of those that the settings add.
    pub about: String,
}

/// Begins harvests, and goes on with them. Calls may take a while: settings and lists are read.
pub trait Harvests: Send + Sync {
    /// Begins one, or puts it behind those that are on the same domain; says what its jobs are called.
    ///
    /// # Errors
    /// When something is wrong with it.
    fn start(&self, wish: &Wish) -> Result<Vec<String>, Refused>;

    /// Goes on with a job that no process runs.
    ///
    /// # Errors
    /// When there is none, or it cannot be gone on with.
    fn go_on(&self, job: &str) -> Result<(), Refused>;

    /// The latest harvests that have left nothing, the newest first.
    fn outcomes(&self) -> Vec<Outcome>;

    /// The profiles that there are.
    fn profiles(&self) -> Vec<Profile>;
}

impl Harvests for Harvester {
    fn start(&self, wish: &Wish) -> Result<Vec<String>, Refused> {
        self.start(&wish.urls, &wish.settings())
    }

    fn go_on(&self, job: &str) -> Result<(), Refused> {
        self.resume(job)
    }

    fn outcomes(&self) -> Vec<Outcome> {
        self.outcomes()
    }

    fn profiles(&self) -> Vec<Profile> {
        let profiles = self.profiles().into_iter();
        profiles.map(|(name, about)| Profile { name, about: about.to_owned() }).collect()
    }
}
