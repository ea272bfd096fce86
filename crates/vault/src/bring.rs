//! Bringing files to every replica, step by step, each of which is written down before the next begins.
//!
//! ```text
//! wanted ─▶ uploading   the replica is asked to put it
//!        ─▶ uploaded    it says that it has it
//!        ─▶ verified    what it has was read back and is the same
//! ```
//! Whatever fails is tried again later, each time after a longer pause. A file is accepted when every replica has been read back.

use std::io;

use catalogue::{Change, Copy, File, Moved, State};
use jiff::{SignedDuration, Timestamp};
use store::Pace;
use store::replica::Found;

use crate::error::{Error, told};
use crate::place::Place;
use crate::repair::Outcome;
use crate::unverified::within_bytes;
use crate::vault::{Vault, sealed};

/// A place that so many files in a row could not be brought to because it cannot be reached is left for later, with all that is due there.
const UNREACHED_MAX: u32 = 2;
/// How long such a place is left alone.
const PUT_OFF: SignedDuration = SignedDuration::from_mins(5);
/// Files of a replica that are taken up in one go.
const PIECE: u32 = 100;
/// The pause after the first failure; it doubles with each further one.
const PAUSE: SignedDuration = SignedDuration::from_secs(30);
/// The longest pause.
const PAUSE_MAX: SignedDuration = SignedDuration::from_hours(6);

/// What came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Brought {
    /// Copies that were made or found, and read back.
    pub verified: u64,
    /// Copies that failed and will be tried again.
    pub failed: u64,
    /// Copies that are other files than they should be.
    pub refused: u64,
    /// Files that were accepted by that.
    pub accepted: u64,
    /// Whether the pace said that it was enough before all was done.
    pub is_stopped: bool,
}

/// What came of one copy.
enum Step {
    Verified {
        is_accepted: bool,
    },
    Failed {
        is_unreachable: bool,
    },
    Refused,
    /// Somebody else has it in hand.
    Elsewhere,
    Stopped,
}

impl Vault {
    /// Brings all that is due by now to the replicas that want it.
    ///
    /// # Errors
    /// When the catalogue cannot be written. What goes wrong with a file or a replica is written down there, and is no error.
    pub fn bring(&self, pace: Pace<'_>) -> Result<Brought, Error> {
        let _hold = self.hold()?;
        let mut brought = Brought::default();
        'places: for place in &self.places {
            let mut unreached = 0;
            loop {
                let due = self.catalogue.due(&place.name, (self.clock)(), PIECE)?;
                // Of what somebody else has in hand nothing gets less by asking again.
                let mut is_last = due.len() < PIECE as usize;
                let mut elsewhere = 0;
                for file in &due {
                    match self.bring_one(file, place, &mut *pace)? {
                        Step::Verified { is_accepted } => {
                            unreached = 0;
                            brought.verified += 1;
                            brought.accepted += u64::from(is_accepted);
                        }
                        Step::Failed { is_unreachable } => {
                            brought.failed += 1;
                            unreached = if is_unreachable { unreached + 1 } else { 0 };
                            if unreached >= UNREACHED_MAX {
                                self.put_off(place)?;
                                continue 'places;
                            }
                        }
                        Step::Refused => brought.refused += 1,
                        Step::Elsewhere => elsewhere += 1,
                        Step::Stopped => return Ok(Brought { is_stopped: true, ..brought }),
                    }
                }
                is_last |= elsewhere == due.len();
                if is_last {
                    break;
                }
            }
        }
        Ok(brought)
    }

    /// Reads back the files of a job in the first place, where they were sealed, and of no other: so that a commit need not wait for what
    /// is due elsewhere. What somebody else verifies meanwhile is not counted.
    ///
    /// # Errors
    /// When the catalogue cannot be read or written. A file that is missing or cannot be read counts as failed.
    pub fn verify_job(&self, job: &str, pace: Pace<'_>) -> Result<Brought, Error> {
        let place = self.places.first().ok_or(Error::NoFullReplica)?;
        let (prefix, mut brought) = (format!("{job}/"), Brought::default());
        let mut behind = prefix.clone();
        loop {
            let files = self.catalogue.files(&behind, PIECE)?;
            let own = files.iter().filter(|file| file.name.starts_with(&prefix));
            let own: Vec<&File> = own.clone().take(within_bytes(own)).collect();
            let mut sound = Vec::new();
            for file in &own {
                behind.clone_from(&file.name);
                let Some(copy) = self.copy(file, place)?.filter(|copy| copy.state == State::Wanted) else {
                    continue;
                };
                match self.read_well(file, place, &mut *pace) {
                    Ok(Some(found)) if found.sha256 == file.sha256 => {
                        brought.verified += 1;
                        sound.push(*file);
                    }
                    Ok(Some(found)) => {
                        brought.refused += 1;
                        let what = format!("it has SHA-256 {}", found.sha256);
                        let moved = Moved::new(copy.state, State::Changed, (self.clock)());
                        let moved = Moved { found: Some(found.sha256), ..moved };
                        self.wrong(file, place, &moved, ("changed", what))?;
                    }
                    Ok(None) => {
                        brought.failed += 1;
                        let moved = Moved::new(copy.state, State::Missing, (self.clock)());
                        self.wrong(file, place, &moved, ("missing", "it is not there any more".to_owned()))?;
                    }
                    Err(store::Error::Stopped) => {
                        brought.is_stopped = true;
                        break;
                    }
                    // It stays unverified: the next audit reads it again.
                    Err(error) => {
                        brought.failed += 1;
                        self.log(self.happened("failed", &file.name, &place.name, told(&error)))?;
                    }
                }
            }
            brought.accepted += self.record_verified(place, &sound, (self.clock)())?;
            if brought.is_stopped || own.is_empty() {
                return Ok(brought);
            }
        }
    }

    /// Leaves all that is due in a place that cannot be reached, or is full, for later: nothing is tried there for a while.
    fn put_off(&self, place: &Place) -> Result<(), Error> {
        let now = (self.clock)();
        let until = now.checked_add(PUT_OFF).unwrap_or(now);
        self.catalogue.change(|change| change.put_off(&place.name, now, until))?;
        Ok(())
    }

    /// The same, also of what has failed before and is not due yet.
    ///
    /// # Errors
    /// As there.
    pub fn bring_now(&self, pace: Pace<'_>) -> Result<Brought, Error> {
        let now = (self.clock)();
        self.catalogue.change(|change| change.hurry(now))?;
        self.bring(pace)
    }

    /// Brings one file to one place, and says what came of it.
    pub(crate) fn bring_to(&self, file: &File, place: &Place, pace: Pace<'_>) -> Result<Outcome, Error> {
        Ok(match self.bring_one(file, place, pace)? {
            Step::Verified { .. } => Outcome::Repaired,
            Step::Elsewhere => Outcome::Failed("somebody else has it in hand".to_owned()),
            Step::Stopped => Outcome::Failed("stopped".to_owned()),
            Step::Failed { .. } | Step::Refused => {
                let why = self.copy(file, place)?.and_then(|copy| copy.why);
                Outcome::Failed(why.unwrap_or_else(|| "there is another file of that name".to_owned()))
            }
        })
    }

    /// Brings one file to one place. Where a crash has left it in the middle, it is begun again: each step finds what is done.
    fn bring_one(&self, file: &File, place: &Place, pace: Pace<'_>) -> Result<Step, Error> {
        // An audit may have verified it meanwhile.
        let Some(copy) = self.copy(file, place)?.filter(|copy| copy.state.is_unverified()) else {
            return Ok(Step::Elsewhere);
        };
        if !self.go(file, place, Moved::new(copy.state, State::Uploading, (self.clock)()))? {
            return Ok(Step::Elsewhere);
        }
        match self.put(file, place, &mut *pace) {
            Ok(()) => {}
            Err(store::Error::Stopped) => return Ok(Step::Stopped),
            Err(error) => return self.failed(file, place, (State::Uploading, &copy), &error),
        }
        self.go(file, place, Moved::new(State::Uploading, State::Uploaded, (self.clock)()))?;
        match self.read_well(file, place, pace) {
            Ok(Some(found)) if found.sha256 == file.sha256 => self.verified(file, place, found.bytes),
            Ok(Some(found)) => self.refused(file, place, found.sha256),
            Ok(None) => {
                let gone = store::Error::Missing(file.name.clone());
                self.failed(file, place, (State::Uploaded, &copy), &gone)
            }
            Err(store::Error::Stopped) => Ok(Step::Stopped),
            Err(error) => self.failed(file, place, (State::Uploaded, &copy), &error),
        }
    }

    /// Reads a copy. One that seems to differ is read once more: what came over a wire may have changed there.
    pub(crate) fn read_well(
        &self,
        file: &File,
        place: &Place,
        pace: Pace<'_>,
    ) -> Result<Option<Found>, store::Error> {
        match place.replica.read(&file.name, &mut *pace)? {
            Some(found) if found.sha256 != file.sha256 => place.replica.read(&file.name, pace),
            found => Ok(found),
        }
    }

    /// Puts it there from the first place that has it as it should be.
    fn put(&self, file: &File, place: &Place, pace: Pace<'_>) -> Result<(), store::Error> {
        let sealed = sealed(file);
        if place.replica.look(&file.name)?.is_some() {
            // There already: what it is, reading it back will tell. It is brought to the disk in any case.
            return place.replica.put(&sealed, &mut io::empty(), pace);
        }
        let mut last = store::Error::Missing(file.name.clone());
        for other in self.places.iter().filter(|other| other.name != place.name && other.replica.is_full()) {
            // Whatever is wrong with a source, another may be sound.
            let mut source = match other.replica.open(&file.name, 0) {
                Ok(source) => source,
                Err(error) => {
                    last = error;
                    continue;
                }
            };
            match place.replica.put(&sealed, &mut source, &mut *pace) {
                Err(
                    error @ (store::Error::Source(_) | store::Error::Copy { .. } | store::Error::Missing(_)),
                ) => last = error,
                outcome => return outcome,
            }
        }
        Err(last)
    }

    fn verified(&self, file: &File, place: &Place, bytes: Option<u64>) -> Result<Step, Error> {
        let now = (self.clock)();
        let is_accepted = self.catalogue.change(|change| {
            if let Some(bytes) = bytes.filter(|bytes| *bytes != file.bytes) {
                // Noted from a damaged copy when a catalogue was made again.
                change.set_length(file, bytes)?;
            }
            change.move_copy(file, &place.name, &Moved::new(State::Uploaded, State::Verified, now))?;
            change.log(
                now,
                self.happened("stored", &file.name, &place.name, "read back, and the same".to_owned()),
            )?;
            self.accept(change, file, now)
        })?;
        Ok(Step::Verified { is_accepted })
    }

    /// Accepts a file if every replica has it by now; says whether it became accepted by that.
    pub(crate) fn accept(
        &self,
        change: &mut Change<'_>,
        file: &File,
        now: Timestamp,
    ) -> Result<bool, catalogue::Error> {
        let is_accepted = change.accept(file, now)?;
        if is_accepted {
            change.log(now, self.happened("accepted", &file.name, "", "every replica has it".to_owned()))?;
        }
        Ok(is_accepted)
    }

    fn refused(&self, file: &File, place: &Place, found: String) -> Result<Step, Error> {
        let now = (self.clock)();
        let what = format!("there is another file of that name, with SHA-256 {found}");
        let moved = Moved { found: Some(found), ..Moved::new(State::Uploaded, State::Changed, now) };
        self.catalogue.change(|change| {
            change.move_copy(file, &place.name, &moved)?;
            change.log(now, self.happened("refused", &file.name, &place.name, what)).map(drop)
        })?;
        Ok(Step::Refused)
    }

    fn failed(
        &self,
        file: &File,
        place: &Place,
        (from, copy): (State, &Copy),
        error: &store::Error,
    ) -> Result<Step, Error> {
        let now = (self.clock)();
        let why = told(error);
        let retry_at = Some(retry(now, copy.tries));
        let moved = Moved { why: Some(why.clone()), retry_at, ..Moved::new(from, State::Failed, now) };
        self.catalogue.change(|change| {
            change.move_copy(file, &place.name, &moved)?;
            change.log(now, self.happened("failed", &file.name, &place.name, why)).map(drop)
        })?;
        Ok(Step::Failed { is_unreachable: error.is_unreachable() || error.is_full() })
    }

    pub(crate) fn copy(&self, file: &File, place: &Place) -> Result<Option<Copy>, Error> {
        Ok(self.catalogue.copies(file)?.into_iter().find(|copy| copy.replica == place.name))
    }

    pub(crate) fn go(&self, file: &File, place: &Place, moved: Moved) -> Result<bool, Error> {
        Ok(self.catalogue.change(|change| change.move_copy(file, &place.name, &moved))?)
    }
}

/// When to try again after so many failures before this one.
fn retry(now: Timestamp, tries: u32) -> Timestamp {
    let pause = PAUSE.checked_mul(1 << tries.min(16)).unwrap_or(PAUSE_MAX).min(PAUSE_MAX);
    now.checked_add(pause).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_have_an_end() {
        let now: Timestamp = "2026-11-18T00:00:00Z".parse().unwrap();
        let pause = |tries| retry(now, tries).as_second() - now.as_second();
        assert_eq!([0, 1, 2, 9, 10, 40].map(pause), [30, 60, 120, 15_360, 21_600, 21_600]);
    }
}
