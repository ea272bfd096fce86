//! Files that somebody hands in: they go to the first place, and from there to all others.

use std::fs;
use std::path::Path;

use catalogue::{File, Moved, State};
use store::{Digested, Pace, Sealed};

use crate::error::Error;
use crate::place::Place;
use crate::vault::Vault;

impl Vault {
    /// Takes a copy of a file in, as a file of this job, under its own name; [`Vault::bring`] brings it to the other replicas. The same
    /// again does nothing, also after a crash in the middle; but where our copy is damaged, it takes the damaged one's place.
    ///
    /// # Errors
    /// When its name is none, another file of that name is kept already, or it cannot be read or written.
    pub fn deposit(&self, job: &str, path: &Path, pace: Pace<'_>) -> Result<File, Error> {
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        self.deposit_as(job, &own, path, pace)
    }

    /// The same under another name.
    ///
    /// # Errors
    /// As there.
    pub fn deposit_as(&self, job: &str, own: &str, path: &Path, pace: Pace<'_>) -> Result<File, Error> {
        let _hold = self.hold()?;
        let unreadable = |source| store::Error::Read { path: path.to_owned(), source };
        let digested = Digested::of(path).map_err(Error::Deposit)?;
        let sealed = Sealed {
            name: format!("{job}/{own}"),
            bytes: digested.bytes(),
            sha256: digested.sha256().to_owned(),
        };
        let first = self.places.first().ok_or(Error::NoFullReplica)?;
        let known = self.catalogue.file(&sealed.name)?;
        if known.as_ref().is_some_and(|known| known.sha256 != sealed.sha256) {
            return Err(catalogue::Error::Taken(sealed.name).into());
        }
        let is_there = first.replica.look(&sealed.name).map_err(Error::at(&first.name))?.is_some();
        let put = |pace: Pace<'_>| {
            let mut source = fs::File::open(path).map_err(unreadable).map_err(Error::Deposit)?;
            first.replica.put(&sealed, &mut source, pace).map_err(Error::at(&first.name))
        };
        put(&mut *pace)?;
        if is_there {
            // Whose it is must be known before it counts as ours.
            let found = first.replica.read(&sealed.name, &mut *pace).map_err(Error::at(&first.name))?;
            let found = found.map(|found| found.sha256);
            match (known, found) {
                (_, Some(found)) if found == sealed.sha256 => {}
                // It is ours, and damaged: here is what it should be.
                (Some(file), Some(found)) => {
                    self.give_way(&file, first, found)?;
                    put(pace)?;
                }
                _ => return Err(catalogue::Error::Taken(sealed.name).into()),
            }
        }
        let noted = self.take_note(&[sealed])?;
        noted.into_iter().next().ok_or_else(|| Error::Unknown(own.to_owned()))
    }

    /// Takes a damaged copy out of the way of what it should be. It is kept aside, and whatever waited for a sound source is due.
    fn give_way(&self, file: &File, place: &Place, found: String) -> Result<(), Error> {
        place.replica.set_aside(&file.name, &found).map_err(Error::at(&place.name))?;
        let now = (self.clock)();
        let state = self.copy(file, place)?.map(|copy| copy.state);
        let what = format!("the copy with SHA-256 {found}, because the right one was handed in again");
        let happened = self.happened("set aside", &file.name, &place.name, what);
        self.catalogue.change(|change| {
            if state == Some(State::Verified) {
                let moved = Moved { found: Some(found), ..Moved::new(State::Verified, State::Changed, now) };
                change.move_copy(file, &place.name, &moved)?;
            }
            if let Some(State::Verified | State::Changed) = state {
                change.move_copy(file, &place.name, &Moved::new(State::Changed, State::Wanted, now))?;
            }
            change.log(now, happened)?;
            change.hurry(now)
        })?;
        Ok(())
    }
}
