//! What is done by hand and cannot be undone by a command: putting right what is recorded, and taking files out. Each wants a reason,
//! which stays in the log for ever; and whatever is taken out is kept aside.

use catalogue::{File, Moved, State};
use store::Pace;

use crate::commits::FORGOTTEN;
use crate::error::Error;
use crate::vault::Vault;

/// A reason that says nothing is none.
const REASON_CHARS_MIN: usize = 5;

impl Vault {
    /// Puts right the recorded checksum of a file, to one that a copy of it has; all copies are read again before they count.
    ///
    /// # Errors
    /// When there is no such file, no reason, or no replica has a copy with this checksum.
    pub fn correct(&self, name: &str, sha256: &str, reason: &str, pace: Pace<'_>) -> Result<File, Error> {
        let reason = given(reason)?;
        let _hold = self.hold()?;
        let file = self.known(name)?;
        for place in self.places.iter().filter(|place| place.replica.is_full()) {
            let found = place.replica.read(name, &mut *pace);
            let Ok(Some(found)) = found else { continue };
            let Some(bytes) = found.bytes.filter(|_| found.sha256 == sha256) else { continue };
            let now = (self.clock)();
            let what = format!("{reason}; it was {}, and is {sha256} as in {}", file.sha256, place.name);
            let happened = self.happened("corrected", name, "", what);
            self.catalogue.change(|change| {
                change.correct_file(&file, bytes, sha256, now)?;
                change.log(now, happened).map(drop)
            })?;
            return self.known(name);
        }
        Err(Error::NoSuchCopy { name: name.to_owned(), sha256: sha256.to_owned() })
    }

    /// Takes the copy with this checksum, and no other, out of one replica; it is kept aside there. What is left to do then is
    /// [`Vault::repair`]'s.
    ///
    /// # Errors
    /// When there is no such file, replica or copy, or no reason.
    pub fn take_out(&self, name: &str, replica: &str, sha256: &str, reason: &str) -> Result<(), Error> {
        let reason = given(reason)?;
        let _hold = self.hold()?;
        let (file, place) = (self.known(name)?, self.place(replica)?);
        place.replica.set_aside(name, sha256).map_err(Error::at(replica))?;
        let now = (self.clock)();
        let state = self.copy(&file, place)?.map(|copy| copy.state);
        let happened =
            self.happened("taken out", name, replica, format!("{reason}; the copy with SHA-256 {sha256}"));
        self.catalogue.change(|change| {
            if let Some(state @ (State::Verified | State::Changed)) = state {
                change.move_copy(&file, replica, &Moved::new(state, State::Missing, now))?;
            }
            change.log(now, happened).map(drop)
        })?;
        Ok(())
    }

    /// Takes a file out of every replica, where it is kept aside, and out of the catalogue. After a crash the same is asked again.
    ///
    /// # Errors
    /// When there is no such file, no reason, or it cannot be taken out of a replica: then it is still known.
    pub fn forget(&self, name: &str, reason: &str, pace: Pace<'_>) -> Result<(), Error> {
        let reason = given(reason)?;
        let _hold = self.hold()?;
        let file = self.known(name)?;
        // That every replica can be had is known before anything is touched.
        for place in &self.places {
            place.replica.look(name).map_err(Error::at(&place.name))?;
        }
        self.log(self.happened("to be forgotten", name, "", reason.to_owned()))?;
        for place in &self.places {
            // A replica of several folders may have it more than once.
            while let Some(found) = place.replica.read(name, &mut *pace).map_err(Error::at(&place.name))? {
                place.replica.set_aside(name, &found.sha256).map_err(Error::at(&place.name))?;
                self.log(self.happened("set aside", name, &place.name, format!("SHA-256 {}", found.sha256)))?;
            }
        }
        let now = (self.clock)();
        let what = format!("{reason}; {} bytes, SHA-256 {}", file.bytes, file.sha256);
        let happened = self.happened(FORGOTTEN, name, "", what);
        self.catalogue.change(|change| {
            change.remove_file(&file)?;
            change.log(now, happened).map(drop)
        })?;
        Ok(())
    }

    /// Forgets a replica that is not among the places any more. What lies there stays.
    ///
    /// # Errors
    /// When there is none, it is one of the places, or there is no reason.
    pub fn forget_replica(&self, name: &str, reason: &str) -> Result<(), Error> {
        let reason = given(reason)?;
        if self.places.iter().any(|place| place.name == name) {
            return Err(Error::InUse(name.to_owned()));
        }
        let now = (self.clock)();
        let happened = self.happened("given up", "", name, reason.to_owned());
        self.catalogue.change(|change| {
            change.remove_replica(name)?;
            // Some files have waited for nobody else.
            change.accept_all(now)?;
            change.log(now, happened).map(drop)
        })?;
        Ok(())
    }
}

fn given(reason: &str) -> Result<&str, Error> {
    let reason = reason.trim();
    if reason.chars().count() < REASON_CHARS_MIN { Err(Error::NoReason) } else { Ok(reason) }
}
