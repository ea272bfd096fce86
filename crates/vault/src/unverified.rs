//! Audits of copies that nobody has verified: each is read as any other, and recorded as what it is.
//!
//! A copy that is not there is one of two things. Somebody has yet to copy it from another replica: that is counted, and [`Vault::bring`]
//! does it. Or it was sealed in the first replica and no other has it: then the file is missing.

use std::collections::{HashMap, HashSet};
use std::io;

use catalogue::{Audit, AuditState, File, Moved, State};
use store::Pace;

use crate::audit::{Extent, PIECE_BYTES};
use crate::error::{Error, told};
use crate::place::Place;
use crate::vault::{Vault, sealed};

/// Files that are read before the results are recorded.
const PIECE: u32 = 100;

impl Vault {
    /// Reads copies that nobody has verified. Says how the audit ends if it ends with this step.
    pub(crate) fn audit_unverified(
        &self,
        place: &Place,
        audit: &mut Audit,
        extent: Extent,
        pace: Pace<'_>,
    ) -> Result<Option<AuditState>, Error> {
        // Counted anew when an audit resumes: such a copy stays on the list. All others leave it, and are counted once.
        audit.not_copied = 0;
        let mut last: Option<File> = None;
        loop {
            let mut files = self.catalogue.unverified(&place.name, last.as_ref(), PIECE)?;
            files.truncate(within_bytes(files.iter()));
            let state = self.audit_unverified_piece(place, audit, &files, extent, &mut *pace)?;
            self.catalogue.change(|change| change.save_audit(audit))?;
            last = files.into_iter().next_back();
            if state.is_some() || last.is_none() {
                return Ok(state);
            }
        }
    }

    /// Reads some of them. Says how the audit ends if it ends with them.
    fn audit_unverified_piece(
        &self,
        place: &Place,
        audit: &mut Audit,
        files: &[File],
        extent: Extent,
        pace: Pace<'_>,
    ) -> Result<Option<AuditState>, Error> {
        let left = match extent {
            Extent::Bytes(most) => most.saturating_sub(audit.bytes),
            Extent::Complete => u64::MAX,
        };
        let (mut sound, mut state) = (Vec::new(), None);
        self.read_many(place, files, (u64::MAX, left), &mut *pace, |file, read| {
            let from = self.copy(file, place)?.map_or(State::Verified, |copy| copy.state);
            match read {
                Ok(Some(found)) if found.sha256 == file.sha256 => {
                    audit.files += 1;
                    audit.bytes += found.bytes.unwrap_or(0);
                    audit.reached.clone_from(&file.name);
                    sound.push(file);
                    Ok(())
                }
                Ok(None) if !self.is_lost(file, place) => {
                    audit.not_copied += 1;
                    Ok(())
                }
                Ok(found) => {
                    self.found(file, (place, from), audit, found.map(|found| (found.sha256, found.bytes)))
                }
                Err(store::Error::Stopped) => {
                    state = Some(AuditState::Paused);
                    Ok(())
                }
                Err(error) => self.unreadable(file, (place, from), audit, &error),
            }
        })?;
        if state.is_none() && matches!(extent, Extent::Bytes(most) if audit.bytes >= most) {
            state = Some(AuditState::Done);
        }
        self.record_sound(place, audit, &sound, pace)?;
        Ok(state)
    }

    /// Records copies as verified. Copies that were sealed here are on the disk; any other is brought there first.
    fn record_sound(
        &self,
        place: &Place,
        audit: &mut Audit,
        sound: &[&File],
        pace: Pace<'_>,
    ) -> Result<(), Error> {
        let sealed_here = self.sealed_in(place, sound);
        let mut safe = Vec::new();
        for file in sound {
            if sealed_here.contains(&file.name) || self.bring_to_disk(file, place, audit, &mut *pace)? {
                safe.push(*file);
            }
        }
        self.record_verified(place, &safe, (self.clock)().max(audit.began_at)).map(drop)
    }

    /// Brings a copy to the disk that lies in its place, and says whether it is there. Only one process may do that at a time, and holds
    /// the vault for it: if another has it, that one verifies the copy, too.
    fn bring_to_disk(
        &self,
        file: &File,
        place: &Place,
        audit: &mut Audit,
        pace: Pace<'_>,
    ) -> Result<bool, Error> {
        let _hold = match self.try_hold() {
            Err(Error::Busy(_)) => return Ok(false),
            hold => hold?,
        };
        match place.replica.put(&sealed(file), &mut io::empty(), pace) {
            Ok(()) => Ok(true),
            Err(store::Error::Stopped) => Ok(false),
            // It stays unverified, and whatever copies files tries it again.
            Err(error) => {
                audit.not_copied += 1;
                self.log(self.happened("failed", &file.name, &place.name, told(&error)))?;
                Ok(false)
            }
        }
    }

    /// Records copies that were read and are the same, in one step. Says how many files were accepted by that.
    pub(crate) fn record_verified(
        &self,
        place: &Place,
        files: &[&File],
        now: jiff::Timestamp,
    ) -> Result<u64, Error> {
        let mut unverified = Vec::new();
        for file in files {
            let copy = self.copy(file, place)?.filter(|copy| copy.state.is_unverified());
            unverified.extend(copy.map(|copy| (*file, copy.state)));
        }
        if unverified.is_empty() {
            return Ok(0);
        }
        let accepted = self.catalogue.change(|change| {
            let mut accepted = 0;
            for (file, state) in unverified {
                if change.move_copy(file, &place.name, &Moved::new(state, State::Verified, now))? {
                    let what = "read back, and the same".to_owned();
                    change.log(now, self.happened("stored", &file.name, &place.name, what))?;
                    accepted += u64::from(self.accept(change, file, now)?);
                }
            }
            Ok::<u64, catalogue::Error>(accepted)
        })?;
        Ok(accepted)
    }

    /// Those of these files that were sealed in this place: they are on the disk, with their checksums. The list of a job is read once.
    fn sealed_in(&self, place: &Place, files: &[&File]) -> HashSet<String> {
        let (mut sealed, mut lists) = (HashSet::new(), HashMap::new());
        for file in files.iter().filter(|_| self.is_first(place)) {
            let Some((job, _)) = file.name.split_once('/') else { continue };
            let list = lists.entry(job).or_insert_with(|| place.replica.recorded_of(job).unwrap_or_default());
            if list.get(&file.name) == Some(&file.sha256) {
                sealed.insert(file.name.clone());
            }
        }
        sealed
    }

    /// Whether a file that is not in this place was sealed here, and no other place can be expected to have it.
    pub(crate) fn is_lost(&self, file: &File, place: &Place) -> bool {
        let mut others =
            self.places.iter().filter(|other| other.name != place.name && other.replica.is_full());
        self.is_first(place) && others.all(|other| matches!(other.replica.look(&file.name), Ok(None)))
    }

    pub(crate) fn is_first(&self, place: &Place) -> bool {
        self.places.first().is_some_and(|first| first.name == place.name)
    }
}

/// How many of these files are read before the results are recorded: as many as have a limited number of bytes, and at least one.
pub(crate) fn within_bytes<'f>(files: impl Iterator<Item = &'f File>) -> usize {
    let mut bytes = 0_u64;
    let is_within = |file: &&File| {
        let is_within = bytes < PIECE_BYTES;
        bytes = bytes.saturating_add(file.bytes);
        is_within
    };
    files.take_while(is_within).count()
}
