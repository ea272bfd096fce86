#![doc = include_str!("../README.md")]

// What a value can be.
pub mod kind;
mod nearest;
pub mod readable;
mod size;
mod time;
pub mod words;
// What can be said.
pub mod disk;
pub mod filters;
pub mod harvest;
pub mod notify;
pub mod profiles;
pub mod replica;
pub mod sheet;
pub mod table;
pub mod vault;
pub mod watch;
// Where it is said.
mod asked;
mod credentials;
pub mod environment;
mod file;
mod find;
mod input;
mod misnamed;
mod origin;
mod problem;
mod syntax;
// How it is written down, and what is said about it.
mod error;
mod pages;
mod voice;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use asked::profile_layer;
pub use disk::DiskLayer;
pub use error::{Error, Explain, in_full, with_hint, wrong};
pub use file::{FORMAT, File};
pub use filters::{BUILT_IN as BUILT_IN_FILTERS, FilterLayer};
pub use find::{NAME, Place, Search, file_of, find, load, no_archive, read, said};
pub use harvest::{Harvest, HarvestLayer};
pub use input::Input;
pub use nearest::did_you_mean;
pub use notify::{Notify, NotifyLayer};
pub use origin::Origin;
pub use pages::new_file;
pub use problem::{Problem, Problems};
pub use profiles::BUILT_IN as BUILT_IN_PROFILES;
pub use readable::{Prefix, Years};
pub use replica::{Made, ReplicaLayer};
pub use sheet::SheetLayer;
pub use table::{Layer, Refused, Row, Set, Shown};
pub use vault::{VaultLayer, VaultValues};
pub use voice::{Tone, Voice};
pub use watch::{Every, Hours, WatchLayer, WatchValues};
pub use words::Repairs;

/// Reads an amount of bytes of the command line.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    size::parse(text).ok_or_else(|| format!("write {}", size::ALLOWED))
}

/// The same where nothing would make no sense.
pub fn parse_some_bytes(text: &str) -> Result<u64, String> {
    let some = size::parse(text).filter(|bytes| *bytes > 0);
    some.ok_or_else(|| format!("write {}", size::ALLOWED_SOME))
}

/// Reads a time of the command line.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    time::parse(text).ok_or_else(|| format!("write {}", time::ALLOWED))
}

/// The settings of an archive, as they were found.
pub struct Loaded {
    /// Where the archive is, if there is one.
    pub folder: Option<PathBuf>,
    /// What it says.
    pub file: File,
}

impl Loaded {
    /// The archive's folder.
    pub fn archive(&self) -> Result<&Path, Error> {
        self.folder.as_deref().ok_or_else(find::no_archive)
    }

    /// What holds for a harvest: file, profile and command line laid over each other. Whoever names no profile on the command
    /// line gets the one that the file names.
    pub fn harvest(&self, flags: &HarvestLayer) -> Result<HarvestLayer, Error> {
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
    fn profile(&self, name: &str) -> Result<HarvestLayer, Error> {
        let mut chain: Vec<HarvestLayer> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut next = Some(name.to_owned());
        while let Some(name) = next.take() {
            if !seen.insert(name.clone()) {
                return Err(failure!("the profile `{name}` builds upon itself"))
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

    fn no_profile(&self, name: &str) -> Error {
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
        with_hint(failure!("there is no profile `{name}`"), hint)
    }
}
