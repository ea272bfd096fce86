//! Repair: what is missing is copied from a sound replica, what has changed is kept aside and replaced; and where it is not clear what
//! is right, nothing is touched.

use std::ops::ControlFlow;

use catalogue::{File, Moved, State};
use store::Pace;

use crate::bring::told;
use crate::error::Error;
use crate::place::Place;
use crate::vault::Vault;

/// Files that are taken up in one go.
const PIECE: u32 = 100;

/// What was, or would be, done about a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remedy {
    /// Which file.
    pub file: String,
    /// In which replica.
    pub replica: String,
    /// Missing or changed.
    pub was: State,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It would be repaired; this was only asked.
    Possible,
    /// The copy is as it should be again.
    Repaired,
    /// It turned out to be as it should be.
    Sound,
    /// It is not clear what is right: somebody has to decide. Why.
    Undecided(String),
    /// It was tried in vain. Why.
    Failed(String),
}

impl Vault {
    /// Repairs what audits have found, and tells each copy as it is done; with `is_dry`, only says what would be done.
    ///
    /// # Errors
    /// When somebody else is at it, or the catalogue cannot be written. What goes wrong with a copy is told with it.
    pub fn repair(&self, is_dry: bool, each: &mut dyn FnMut(Remedy), pace: Pace<'_>) -> Result<(), Error> {
        let _hold = self.hold()?;
        for place in &self.places {
            for was in [State::Missing, State::Changed] {
                let mut behind: Option<File> = None;
                loop {
                    let files = self.catalogue.bad(&place.name, was, behind.as_ref(), PIECE)?;
                    for file in &files {
                        let outcome = self.repair_one(file, place, was, (is_dry, &mut *pace))?;
                        each(Remedy { file: file.name.clone(), replica: place.name.clone(), was, outcome });
                    }
                    match files.into_iter().next_back() {
                        Some(file) => behind = Some(file),
                        None => break,
                    }
                }
            }
        }
        Ok(())
    }

    fn repair_one(
        &self,
        file: &File,
        place: &Place,
        was: State,
        (is_dry, pace): (bool, Pace<'_>),
    ) -> Result<Outcome, Error> {
        // What it is by now: perhaps it is back, or has changed further since the audit.
        let mut no_hurry = |_| ControlFlow::Continue(());
        let now_found = match place.replica.read(&file.name, &mut no_hurry) {
            Ok(found) => found.map(|found| found.sha256),
            Err(error) => return Ok(Outcome::Failed(told(&error))),
        };
        if now_found.as_ref() == Some(&file.sha256) {
            if !is_dry {
                self.settle(file, place, was)?;
            }
            return Ok(Outcome::Sound);
        }
        if let Err(why) = self.opinions(file)?.verdict() {
            return self.undecided(file, place, why, is_dry);
        }
        if let Some(bad) = now_found {
            let recorded = self.copy(file, place)?.and_then(|copy| copy.found);
            if recorded.is_some_and(|recorded| recorded != bad) {
                let why = format!("it has changed again since the audit: it has SHA-256 {bad} now");
                return self.undecided(file, place, why, is_dry);
            }
            if is_dry {
                return Ok(Outcome::Possible);
            }
            if let Err(error) = place.replica.set_aside(&file.name, &bad) {
                return Ok(Outcome::Failed(told(&error)));
            }
            self.log(self.happened(
                "set aside",
                &file.name,
                &place.name,
                format!("the copy with SHA-256 {bad}"),
            ))?;
        } else if is_dry {
            return Ok(Outcome::Possible);
        }
        self.replace(file, place, was, pace)
    }

    /// Brings a copy to a place where there is none any more.
    fn replace(&self, file: &File, place: &Place, was: State, pace: Pace<'_>) -> Result<Outcome, Error> {
        self.go(file, place, Moved::new(was, State::Wanted, (self.clock)()))?;
        let mut brought = self.bring_to(file, place, pace)?;
        if brought == Outcome::Repaired {
            self.log(self.happened("repaired", &file.name, &place.name, "from a sound replica".to_owned()))?;
        } else if let Outcome::Failed(why) = &mut brought {
            why.push_str("; it is tried again later");
        }
        Ok(brought)
    }

    /// It is as it should be after all.
    fn settle(&self, file: &File, place: &Place, was: State) -> Result<(), Error> {
        let now = (self.clock)();
        self.catalogue.change(|change| {
            change.move_copy(file, &place.name, &Moved::new(was, State::Verified, now))?;
            let what = "read, and the same".to_owned();
            change.log(now, self.happened("sound again", &file.name, &place.name, what))?;
            // It may have been the last that was wanting.
            self.accept(change, file, now).map(drop)
        })?;
        Ok(())
    }

    fn undecided(&self, file: &File, place: &Place, why: String, is_dry: bool) -> Result<Outcome, Error> {
        if !is_dry {
            self.log(self.happened("undecided", &file.name, &place.name, why.clone()))?;
        }
        Ok(Outcome::Undecided(why))
    }
}
