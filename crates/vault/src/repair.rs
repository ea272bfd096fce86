//! Repair: what is missing is copied from a sound replica, what has changed is kept aside and replaced; and where it is not clear what
//! is right, nothing is touched.

use catalogue::{File, Moved, State};
use store::Pace;

use crate::error::{Error, told};
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

/// Many remedies, counted; of those that somebody has to look at, and else of the first, so many are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remedies {
    /// Copies that are as they should be, or could be.
    pub done: u64,
    /// Copies of which it is not clear what is right.
    pub undecided: u64,
    /// Copies that were tried in vain.
    pub failed: u64,
    /// Some of them.
    pub listed: Vec<Remedy>,
    most: usize,
}

impl Remedies {
    /// None so far; at most so many are to be listed.
    #[must_use]
    pub fn new(most: usize) -> Remedies {
        Remedies { most, ..Remedies::default() }
    }

    /// One more.
    pub fn add(&mut self, remedy: Remedy) {
        match &remedy.outcome {
            Outcome::Undecided(_) => self.undecided += 1,
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Possible | Outcome::Repaired | Outcome::Sound => self.done += 1,
        }
        if self.listed.len() < self.most {
            self.listed.push(remedy);
        } else if remedy.outcome.is_left()
            && let Some(good) = self.listed.iter_mut().find(|listed| !listed.outcome.is_left())
        {
            *good = remedy;
        }
    }

    /// Copies that are still not as they should be.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.undecided + self.failed
    }
}

impl Outcome {
    /// Whether the copy is still not as it should be.
    #[must_use]
    pub fn is_left(&self) -> bool {
        matches!(self, Outcome::Undecided(_) | Outcome::Failed(_))
    }
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
                        // Whoever has had enough need not wait for the rest; it is still written down as wrong.
                        if pace(0).is_break() {
                            return Ok(());
                        }
                        let Some(outcome) = self.repair_one(file, place, was, (is_dry, &mut *pace))? else {
                            return Ok(());
                        };
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

    /// What came of one copy; `None` if it was stopped before anything was touched.
    fn repair_one(
        &self,
        file: &File,
        place: &Place,
        mut was: State,
        (is_dry, pace): (bool, Pace<'_>),
    ) -> Result<Option<Outcome>, Error> {
        // What it is by now: perhaps it is back, or has changed further since the audit.
        let now_found = match place.replica.read(&file.name, &mut *pace) {
            Ok(found) => found.map(|found| found.sha256),
            Err(store::Error::Stopped) => return Ok(None),
            Err(error) if error.is_unreachable() => return Ok(Some(Outcome::Failed(told(&error)))),
            // A copy that the disk does not give any more is there and of no use.
            Err(error) => return self.replace_unreadable(file, place, was, (is_dry, pace), &error),
        };
        if now_found.as_ref() == Some(&file.sha256) {
            if !is_dry {
                self.settle(file, place, was)?;
            }
            return Ok(Some(Outcome::Sound));
        }
        let Some(opinions) = self.opinions(file, &mut *pace)? else { return Ok(None) };
        if let Err(why) = opinions.verdict() {
            return self.undecided(file, place, why, is_dry).map(Some);
        }
        if let Some(bad) = now_found {
            let recorded = self.copy(file, place)?.and_then(|copy| copy.found);
            if recorded.as_ref().is_some_and(|recorded| *recorded != bad) {
                let why = format!("it has changed again since the audit: it has SHA-256 {bad} now");
                return self.undecided(file, place, why, is_dry).map(Some);
            }
            if is_dry {
                return Ok(Some(Outcome::Possible));
            }
            if recorded.is_none() {
                // An audit that only looked how long it is, or did not find it: what it is by now is written down before it is touched.
                let now = (self.clock)();
                let moved = Moved { found: Some(bad.clone()), ..Moved::new(was, State::Changed, now) };
                let what = format!("found by the repair: it has SHA-256 {bad}");
                self.wrong(file, place, &moved, ("changed", what))?;
                was = State::Changed;
            }
            if let Err(error) = place.replica.set_aside(&file.name, &bad) {
                return Ok(Some(Outcome::Failed(told(&error))));
            }
            self.log(self.happened(
                "set aside",
                &file.name,
                &place.name,
                format!("the copy with SHA-256 {bad}"),
            ))?;
        } else if is_dry {
            return Ok(Some(Outcome::Possible));
        }
        self.replace(file, place, was, pace).map(Some)
    }

    /// A copy that cannot be read is moved aside as it is, and replaced, if others say what it should be.
    fn replace_unreadable(
        &self,
        file: &File,
        place: &Place,
        was: State,
        (is_dry, pace): (bool, Pace<'_>),
        error: &store::Error,
    ) -> Result<Option<Outcome>, Error> {
        let Some(opinions) = self.opinions(file, &mut *pace)? else { return Ok(None) };
        if let Err(why) = opinions.verdict() {
            return self.undecided(file, place, why, is_dry).map(Some);
        }
        if is_dry {
            return Ok(Some(Outcome::Possible));
        }
        if place.replica.set_aside_unread(&file.name).is_err() {
            return Ok(Some(Outcome::Failed(told(error))));
        }
        let what = format!("unread, because {}", told(error));
        self.log(self.happened("set aside", &file.name, &place.name, what))?;
        self.replace(file, place, was, pace).map(Some)
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
    pub(crate) fn settle(&self, file: &File, place: &Place, was: State) -> Result<(), Error> {
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
