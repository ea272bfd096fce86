//! Which copy is right: the recorded checksum and most of the replicas must agree.

use catalogue::{File, State};
use store::Pace;

use crate::error::Error;
use crate::place::Place;
use crate::vault::Vault;

/// What the replicas say of a file, read just now.
#[derive(Debug)]
pub(crate) struct Opinions {
    /// Replicas that have the file with the recorded checksum.
    pub(crate) agree: Vec<String>,
    /// Replicas that have it with another.
    pub(crate) differ: Vec<String>,
    /// Whether one that agrees can give the file itself.
    pub(crate) has_source: bool,
}

impl Vault {
    /// Asks every replica but those whose copy is known to be missing or not there yet.
    /// `None` if the pace says that it is enough.
    pub(crate) fn opinions(&self, file: &File, pace: Pace<'_>) -> Result<Option<Opinions>, Error> {
        let mut opinions = Opinions { agree: Vec::new(), differ: Vec::new(), has_source: false };
        for place in &self.places {
            if !self.has_opinion(file, place)? {
                continue;
            }
            match self.read_well(file, place, &mut *pace) {
                Ok(Some(found)) if found.sha256 == file.sha256 => {
                    opinions.agree.push(place.name.clone());
                    opinions.has_source |= place.replica.is_full();
                }
                Ok(Some(_)) => opinions.differ.push(place.name.clone()),
                Err(store::Error::Stopped) => return Ok(None),
                // What cannot be read says nothing.
                Ok(None) | Err(_) => {}
            }
        }
        Ok(Some(opinions))
    }

    fn has_opinion(&self, file: &File, place: &Place) -> Result<bool, Error> {
        let state = self.copy(file, place)?.map(|copy| copy.state);
        Ok(matches!(state, Some(State::Verified | State::Changed | State::Missing)))
    }
}

impl Opinions {
    /// Whether it is clear what the file should be, and it can be had. If not, why.
    pub(crate) fn verdict(&self) -> Result<(), String> {
        let list = |names: &[String]| names.join(", ");
        if self.agree.len() <= self.differ.len() {
            let (agree, differ) = (list(&self.agree), list(&self.differ));
            let agree = if agree.is_empty() { "none".to_owned() } else { agree };
            return Err(format!(
                "no majority for the recorded checksum: it is that of {agree}, not that of {differ}"
            ));
        }
        if !self.has_source {
            return Err("no replica that keeps files has a sound copy".to_owned());
        }
        Ok(())
    }
}
