//! The settings: what they are, where they come from, and which hold.
//!
//! One table ([`harvest`]) names every setting with its kind, its usual value and what it is for. Whatever is set goes through
//! the same layers, each over the one before: what is built in, `varve.toml`, the profile, and the command line; a sheet comes
//! between the last two, for its part of the web. Nothing outside of `plan` and the verbs asks for a setting by its name.

// What a value can be.
pub(crate) mod kind;
mod nearest;
mod readable;
mod size;
mod time;
pub(crate) mod words;
// What can be said.
mod disk;
mod filters;
mod harvest;
mod notify;
mod profiles;
mod replica;
mod sheet;
mod table;
mod vault;
mod watch;
// Where it is said.
mod credentials;
mod file;
mod find;
mod flags;
mod misnamed;
mod origin;
mod problem;
mod syntax;
// How it is written down.
mod pages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;

use crate::hint::{WithHint as _, with_hint};
use crate::usage::wrong;

pub(crate) use file::{FORMAT, File};
pub(crate) use filters::{BUILT_IN as BUILT_IN_FILTERS, FilterLayer};
pub(crate) use find::{NAME, archive, file_of, find, load, no_archive, open, read, said, store_is_gone};
pub(crate) use flags::{Flags, profile_layer};
pub(crate) use harvest::{Harvest, HarvestLayer};
pub(crate) use nearest::did_you_mean;
pub(crate) use notify::Notify;
pub(crate) use origin::Origin;
pub(crate) use pages::new_file;
pub(crate) use problem::{Problem, Problems};
pub(crate) use profiles::BUILT_IN as BUILT_IN_PROFILES;
pub(crate) use readable::{Prefix, Years};
pub(crate) use replica::{Made, ReplicaLayer};
pub(crate) use sheet::SheetLayer;
pub(crate) use table::{Layer, Shown};
pub(crate) use vault::VaultValues;
pub(crate) use watch::{Every, Hours, WatchValues};
pub(crate) use words::Repairs;

/// Reads an amount of bytes of the command line.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    size::parse(text).ok_or_else(|| format!("write {}", size::ALLOWED))
}

/// The same where nothing would make no sense.
pub(crate) fn parse_some_bytes(text: &str) -> Result<u64, String> {
    let some = size::parse(text).filter(|bytes| *bytes > 0);
    some.ok_or_else(|| format!("write {}", size::ALLOWED_SOME))
}

/// Reads a time of the command line.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    time::parse(text).ok_or_else(|| format!("write {}", time::ALLOWED))
}

/// The settings of an archive, as they were found.
pub(crate) struct Loaded {
    /// Where the archive is, if there is one.
    pub(crate) folder: Option<PathBuf>,
    /// What it says.
    pub(crate) file: File,
}

impl Loaded {
    /// The archive's folder.
    pub(crate) fn archive(&self) -> anyhow::Result<&Path> {
        self.folder.as_deref().ok_or_else(find::no_archive)
    }

    /// What holds for a harvest: file, profile and command line laid over each other. Whoever names no profile on the command
    /// line gets the one that the file names.
    pub(crate) fn harvest(&self, flags: &HarvestLayer) -> anyhow::Result<HarvestLayer> {
        let mut without_profile = self.file.harvest.clone();
        without_profile.lay(flags);
        let Some(profile) = without_profile.values().profile else { return Ok(without_profile) };
        let mut layers = self.file.harvest.clone();
        let is_there = self.has_profile(&profile) || flags.profile.is_none();
        layers.lay(&self.profile(&profile).map_err(|error| if is_there { error } else { wrong(error) })?);
        layers.lay(flags);
        Ok(layers)
    }

    /// What a profile says, with those that it builds upon below it.
    fn profile(&self, name: &str) -> anyhow::Result<HarvestLayer> {
        let mut chain: Vec<HarvestLayer> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut next = Some(name.to_owned());
        while let Some(name) = next.take() {
            if !seen.insert(name.clone()) {
                return Err(anyhow!("the profile `{name}` builds upon itself"))
                    .hint("take the setting `profile` out of one of them");
            }
            let (own, built_in) = (self.file.profiles.get(&name), profiles::built_in(&name));
            if !self.has_profile(&name) {
                return Err(self.no_profile(&name));
            }
            next = own.and_then(|own| own.profile.as_ref()).and_then(|set| set.value.clone());
            chain.extend(own.cloned());
            chain.extend(built_in);
        }
        let mut layers = HarvestLayer::default();
        chain.iter().rev().for_each(|layer| layers.lay(layer));
        Ok(layers)
    }

    fn has_profile(&self, name: &str) -> bool {
        self.file.profiles.contains_key(name) || profiles::BUILT_IN.iter().any(|profile| profile.name == name)
    }

    fn no_profile(&self, name: &str) -> anyhow::Error {
        let own = self.file.profiles.keys().map(String::as_str);
        let known: BTreeSet<&str> =
            own.chain(profiles::BUILT_IN.iter().map(|profile| profile.name)).collect();
        let hint = match nearest::did_you_mean(name, known.iter().copied()) {
            Some(hint) => hint,
            None => {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                format!("there are {}", known.join(", "))
            }
        };
        with_hint(anyhow!("there is no profile `{name}`"), hint)
    }
}
