//! Copies that an audit before has found missing or changed: the next looks at them again, whatever their state.

use std::collections::HashSet;

use catalogue::{Audit, AuditKind, File, Moved, State};
use store::Pace;

use crate::error::{Error, told};
use crate::place::Place;
use crate::vault::Vault;

/// Files that are taken up in one go.
const PIECE: u32 = 100;

impl Vault {
    /// Looks at each of them again, and counts what is still wrong; what somebody has brought back is sound. Says whether the pace let it
    /// come to its end.
    pub(crate) fn look_again(&self, place: &Place, audit: &mut Audit, pace: Pace<'_>) -> Result<bool, Error> {
        // Those that were missing and are there again, changed, are looked at once. They are few.
        let mut moved = HashSet::new();
        for state in [State::Missing, State::Changed] {
            let mut behind: Option<File> = None;
            loop {
                let files = self.catalogue.bad(&place.name, state, behind.as_ref(), PIECE)?;
                for file in &files {
                    if moved.contains(&file.name) {
                        continue;
                    }
                    if pace(0).is_break() {
                        return Ok(false);
                    }
                    match self.read_well(file, place, &mut *pace) {
                        Err(store::Error::Stopped) => return Ok(false),
                        read => {
                            let changed_before = audit.changed;
                            self.look_at_bad(file, place, (state, audit), read)?;
                            if state == State::Missing && audit.changed > changed_before {
                                moved.insert(file.name.clone());
                            }
                        }
                    }
                }
                match files.into_iter().next_back() {
                    Some(file) => behind = Some(file),
                    None => break,
                }
            }
        }
        Ok(true)
    }

    fn look_at_bad(
        &self,
        file: &File,
        place: &Place,
        (state, audit): (State, &mut Audit),
        read: crate::disks::Read,
    ) -> Result<(), Error> {
        let now = (self.clock)();
        let found = match read {
            Ok(found) => found,
            Err(error) if error.is_unreachable() => return Err(Error::at(&place.name)(error)),
            Err(error) => {
                (audit.files, audit.missing) = (audit.files + 1, audit.missing + 1);
                let moved = Moved { why: Some(told(&error)), ..Moved::new(state, State::Missing, now) };
                return self.go(file, place, moved).map(drop);
            }
        };
        audit.files += 1;
        audit.bytes += found.as_ref().and_then(|found| found.bytes).unwrap_or(0);
        match found {
            Some(found) if found.sha256 == file.sha256 => {
                // Where all that are sound are looked at afterwards, it is counted with them.
                audit.files -= u64::from(audit.kind == AuditKind::Presence);
                self.settle(file, place, state)
            }
            Some(found) => {
                audit.changed += 1;
                audit.resized += u64::from(found.bytes.is_some_and(|bytes| bytes != file.bytes));
                let recorded = self.copy(file, place)?.and_then(|copy| copy.found);
                let moved =
                    Moved { found: Some(found.sha256.clone()), ..Moved::new(state, State::Changed, now) };
                if state == State::Changed && recorded.as_ref() == Some(&found.sha256) {
                    return Ok(());
                }
                let what = format!("it has SHA-256 {} now", found.sha256);
                self.wrong(file, place, &moved, ("changed", what))
            }
            None => {
                audit.missing += 1;
                if state == State::Missing {
                    return Ok(());
                }
                let moved = Moved::new(state, State::Missing, now);
                self.wrong(file, place, &moved, ("missing", "it is not there any more".to_owned()))
            }
        }
    }
}
