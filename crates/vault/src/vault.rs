//! The files that are looked after, the places that keep them, and how things stand.

use std::fmt;
use std::sync::Arc;

use catalogue::{Audit, Catalogue, File, Happened, Replica, Sums, Tally};
use jiff::Timestamp;
use store::Sealed;

use crate::commits::Commits;
use crate::error::Error;
use crate::place::Place;

/// What time it is, as whoever wired this up says.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Who did it, in the log.
const OURSELVES: &str = "varve";

/// Files in replicas. A clone is cheap and is the same vault.
#[derive(Clone)]
pub struct Vault {
    pub(crate) catalogue: Catalogue,
    pub(crate) places: Vec<Place>,
    pub(crate) clock: Clock,
    /// Who seals files in the first place besides this vault.
    pub(crate) commits: Option<Arc<dyn Commits>>,
    /// In whose name, in the log.
    who: String,
}

/// How things stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// All files together.
    pub sums: Sums,
    /// Copies of each replica by their state.
    pub tallies: Vec<Tally>,
    /// The last audits of each replica, the newest first.
    pub audits: Vec<Audit>,
    /// Replicas that the catalogue knows and that are none of the places any more.
    pub given_up: Vec<String>,
}

impl Vault {
    /// Looks after the files of a catalogue in these places; the first is where files are sealed and read from by preference. Places
    /// that are new want all files.
    ///
    /// # Errors
    /// When no place would have the files themselves, two have one name, or the catalogue cannot be written.
    pub fn open(catalogue: Catalogue, places: Vec<Place>, clock: Clock) -> Result<Vault, Error> {
        if !places.first().is_some_and(|place| place.replica.is_full()) {
            return Err(Error::NoFullReplica);
        }
        for (number, place) in places.iter().enumerate() {
            if places.iter().take(number).any(|other| other.name == place.name) {
                return Err(Error::Twice(place.name.clone()));
            }
        }
        let now = clock();
        let known = catalogue.replicas()?;
        let vault = Vault { catalogue, places, clock, commits: None, who: OURSELVES.to_owned() };
        let is_new = |place: &&Place| {
            !known.iter().any(|replica| (&replica.name, replica.kind) == (&place.name, place.kind))
        };
        if vault.places.iter().any(|place| is_new(&place)) {
            vault.catalogue.change(|change| {
                for place in vault.places.iter().filter(is_new) {
                    change.add_replica(&Replica { name: place.name.clone(), kind: place.kind }, now)?;
                    let what = format!("a replica of kind {}", place.kind);
                    change.log(now, vault.happened("added", "", &place.name, what))?;
                }
                Ok::<(), catalogue::Error>(())
            })?;
        }
        Ok(vault)
    }

    /// The same vault in somebody's name: what is done is written down as done by him.
    #[must_use]
    pub fn in_the_name_of(&self, who: &str) -> Vault {
        Vault { who: who.to_owned(), ..self.clone() }
    }

    /// Where everything is written down.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The replicas, in the order of the settings.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Takes note of files that are sealed in the first place. They are wanted in all from now on.
    ///
    /// # Errors
    /// When another file of one of these names is known, or the catalogue cannot be written; then none is noted.
    pub fn take_note(&self, files: &[Sealed]) -> Result<Vec<File>, Error> {
        let now = (self.clock)();
        let noted = self.catalogue.change(|change| {
            let noted = files.iter().map(|file| {
                let noted = change.add_file(&file.name, file.bytes, &file.sha256, now)?;
                let what = format!("{} bytes, SHA-256 {}", file.bytes, file.sha256);
                change.log(now, self.happened("noted", &file.name, "", what))?;
                Ok(noted)
            });
            noted.collect::<Result<Vec<File>, catalogue::Error>>()
        })?;
        Ok(noted)
    }

    /// How things stand, without reading any file.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn status(&self) -> Result<Status, Error> {
        let mut audits = Vec::new();
        for place in &self.places {
            audits.extend(self.catalogue.audits(&place.name, 2)?);
        }
        let known = self.catalogue.replicas()?.into_iter().map(|replica| replica.name);
        let given_up = known.filter(|name| !self.places.iter().any(|place| place.name == *name)).collect();
        Ok(Status { sums: self.catalogue.sums()?, tallies: self.catalogue.tallies()?, audits, given_up })
    }

    pub(crate) fn place(&self, name: &str) -> Result<&Place, Error> {
        self.places.iter().find(|place| place.name == name).ok_or_else(|| Error::NoReplica(name.to_owned()))
    }

    pub(crate) fn happened(&self, kind: &str, file: &str, replica: &str, what: String) -> Happened {
        Happened {
            kind: kind.to_owned(),
            file: file.to_owned(),
            replica: replica.to_owned(),
            who: self.who.clone(),
            what,
        }
    }

    /// Writes down something that changes nothing else.
    pub(crate) fn log(&self, happened: Happened) -> Result<(), Error> {
        let now = (self.clock)();
        self.catalogue.change(|change| change.log(now, happened).map(drop))?;
        Ok(())
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault")
            .field("catalogue", &self.catalogue)
            .field("places", &self.places)
            .finish_non_exhaustive()
    }
}

pub(crate) fn sealed(file: &File) -> Sealed {
    Sealed { name: file.name.clone(), bytes: file.bytes, sha256: file.sha256.clone() }
}
