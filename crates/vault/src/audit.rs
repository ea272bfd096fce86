//! Audits: is every copy still there, and still what it was?

use catalogue::{Audit, AuditKind, AuditState, File, Moved, State};
use store::Pace;

use crate::commits::CommitLookup;
use crate::error::{Error, told};
use crate::notices;
use crate::place::Place;
use crate::vault::Vault;

/// Files that are looked at before it is written down how far it has come.
const PIECE: u32 = 100;
/// The same where they may lie on several disks.
const PIECE_OF_SEVERAL: u32 = 5000;
/// The same in bytes of one disk, because files may be large.
pub(crate) const PIECE_BYTES: u64 = 1 << 30;

/// The kind of events about files that nobody knows.
const UNKNOWN: &str = "unknown";

/// What an audit covers: every recorded copy of a replica, in every state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Presence or checksums.
    pub kind: AuditKind,
    /// All, or part of it.
    pub extent: Extent,
}

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every file, and whether there are any that nobody knows of.
    Complete,
    /// Those that were not looked at for the longest time, up to about so many bytes.
    Bytes(u64),
}

impl Vault {
    /// Audits every recorded copy of a replica, whatever its state, and records what is missing or changed file by file. An audit that was
    /// paused resumes.
    ///
    /// # Errors
    /// When there is no such replica, the catalogue cannot be written, or the replica cannot be read at all.
    pub fn audit(&self, replica: &str, look: Look, pace: Pace<'_>) -> Result<Audit, Error> {
        let place = self.place(replica)?;
        let _hold = self.hold_audit(replica)?;
        let mut audit = self.begun(place, look.kind)?;
        // So much of what is still to be read, however much was before a pause.
        let extent = match look.extent {
            Extent::Bytes(most) => Extent::Bytes(audit.bytes.saturating_add(most)),
            Extent::Complete => Extent::Complete,
        };
        let outcome = self.audit_place(place, &mut audit, extent, pace);
        let (state, error) = match outcome {
            Ok(state) => (state, None),
            Err(error) => (AuditState::Failed, Some(error)),
        };
        (audit.state, audit.ended_at) = (state, Some((self.clock)()));
        let what = format!(
            "{} {}: {} files, {} bytes; {}",
            audit.kind.name(),
            state.name(),
            audit.files,
            audit.bytes,
            notices::found(&audit)
        );
        let now = (self.clock)();
        self.catalogue.change(|change| {
            change.save_audit(&audit)?;
            change.log(now, self.happened("audited", "", &place.name, what)).map(drop)
        })?;
        error.map_or(Ok(audit), Err)
    }

    /// What nobody has verified comes before what was verified long ago.
    fn audit_place(
        &self,
        place: &Place,
        audit: &mut Audit,
        extent: Extent,
        pace: Pace<'_>,
    ) -> Result<AuditState, Error> {
        // Nothing is said of a place that cannot be reached, not even that it has nothing.
        check_reached(place)?;
        if !self.again(place, audit, &mut *pace)? {
            return Ok(AuditState::Paused);
        }
        let state = match audit.kind {
            AuditKind::Presence => self.presence(place, audit, &mut *pace)?,
            AuditKind::Checksum => match self.audit_unverified(place, audit, extent, &mut *pace)? {
                Some(state) => state,
                None => self.checksums(place, audit, extent, &mut *pace)?,
            },
        };
        match (state, extent) {
            (AuditState::Done, Extent::Complete) => self.finish_complete(place, audit, extent, pace),
            (state, _) => Ok(state),
        }
    }

    /// What only a complete audit does: it looks for unknown files, reads those that it records by that, and compares its counts with the
    /// catalogue. Other processes may have found a copy missing or changed since this audit began, or this one did before it was killed.
    fn finish_complete(
        &self,
        place: &Place,
        audit: &mut Audit,
        extent: Extent,
        pace: Pace<'_>,
    ) -> Result<AuditState, Error> {
        let (state, has_recorded) = self.unknown(place, audit, &mut *pace)?;
        if state != AuditState::Done {
            return Ok(state);
        }
        if has_recorded
            && audit.kind == AuditKind::Checksum
            && let Some(state) = self.audit_unverified(place, audit, extent, pace)?
        {
            return Ok(state);
        }
        let tallies = self.catalogue.tallies()?;
        let recorded = |state: State| -> u64 {
            let own = tallies.iter().filter(|tally| tally.replica == place.name && tally.state == state);
            own.map(|tally| tally.files).sum()
        };
        audit.missing = audit.missing.max(recorded(State::Missing));
        let counted = match audit.kind {
            // Whatever has another length has another checksum, which nobody reads here.
            AuditKind::Presence => audit.changed + audit.resized,
            AuditKind::Checksum => audit.changed,
        };
        audit.changed += recorded(State::Changed).saturating_sub(counted);
        Ok(AuditState::Done)
    }

    /// What is known to be wrong comes first, so that nothing is counted twice; where an audit was paused behind that, it is done.
    fn again(&self, place: &Place, audit: &mut Audit, pace: Pace<'_>) -> Result<bool, Error> {
        if !audit.reached.is_empty() {
            return Ok(true);
        }
        (audit.files, audit.bytes) = (0, 0);
        (audit.missing, audit.changed, audit.resized, audit.not_copied) = (0, 0, 0, 0);
        self.look_again(place, audit, pace)
    }

    /// One that was paused, or that a crash has left, or a new one.
    fn begun(&self, place: &Place, kind: AuditKind) -> Result<Audit, Error> {
        // Of its own kind: another may have been made since.
        let last = self.catalogue.last_audit(&place.name, kind)?;
        let is_open = |audit: &Audit| matches!(audit.state, AuditState::Paused | AuditState::Running);
        if let Some(mut audit) = last.filter(is_open) {
            audit.state = AuditState::Running;
            return Ok(audit);
        }
        let now = (self.clock)();
        Ok(self.catalogue.change(|change| change.begin_audit(&place.name, kind, now))?)
    }

    fn checksums(
        &self,
        place: &Place,
        audit: &mut Audit,
        extent: Extent,
        pace: Pace<'_>,
    ) -> Result<AuditState, Error> {
        // Files of one disk may come in long runs.
        let most = if place.replica.disks() > 1 { PIECE_OF_SEVERAL } else { PIECE };
        loop {
            // What is found sound has a later time then, so that this comes to an end by itself.
            let files = self.catalogue.to_audit(&place.name, audit.began_at, most)?;
            if files.is_empty() {
                return Ok(AuditState::Done);
            }
            let state = self.piece(place, audit, &files, extent, &mut *pace)?;
            self.catalogue.change(|change| change.save_audit(audit))?;
            if let Some(state) = state {
                return Ok(state);
            }
        }
    }

    /// Reads some files. What is wrong is written down at once; that the others are sound, together at the end: a crash before that
    /// costs reading them again.
    fn piece(
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
        self.read_many(place, files, (PIECE_BYTES, left), pace, |file, read| match read {
            Ok(Some(found)) if found.sha256 == file.sha256 => {
                audit.files += 1;
                audit.bytes += found.bytes.unwrap_or(0);
                audit.reached.clone_from(&file.name);
                sound.push(file);
                Ok(())
            }
            Ok(found) => self.found(
                file,
                (place, State::Verified),
                audit,
                found.map(|found| (found.sha256, found.bytes)),
            ),
            Err(store::Error::Stopped) => {
                state = Some(AuditState::Paused);
                Ok(())
            }
            // A file whose bytes the disk does not give is as good as gone.
            Err(error) => self.unreadable(file, (place, State::Verified), audit, &error),
        })?;
        if state.is_none() && matches!(extent, Extent::Bytes(most) if audit.bytes >= most) {
            state = Some(AuditState::Done);
        }
        // A clock that is set back must not make it look as if nobody had been here: this would never end.
        let now = (self.clock)().max(audit.began_at);
        self.catalogue.change(|change| {
            sound.iter().try_for_each(|file| {
                let moved = Moved::new(State::Verified, State::Verified, now);
                change.move_copy(file, &place.name, &moved).map(drop)
            })
        })?;
        Ok(state)
    }

    /// Writes down what is not as it should be.
    pub(crate) fn found(
        &self,
        file: &File,
        (place, from): (&Place, State),
        audit: &mut Audit,
        found: Option<(String, Option<u64>)>,
    ) -> Result<(), Error> {
        // Somebody may have forgotten the file since it was listed.
        if self.catalogue.file(&file.name)?.is_none() {
            return Ok(());
        }
        audit.files += 1;
        audit.reached.clone_from(&file.name);
        let now = (self.clock)().max(audit.began_at);
        match found {
            Some((sha256, bytes)) => {
                audit.bytes += bytes.unwrap_or(0);
                audit.changed += 1;
                audit.resized += u64::from(bytes.is_some_and(|bytes| bytes != file.bytes));
                let what = format!("it has SHA-256 {sha256}");
                let moved = Moved { found: Some(sha256), ..Moved::new(from, State::Changed, now) };
                self.wrong(file, place, &moved, ("changed", what))?;
            }
            None => {
                audit.missing += 1;
                let moved = Moved::new(from, State::Missing, now);
                self.wrong(file, place, &moved, ("missing", "it is not there any more".to_owned()))?;
            }
        }
        Ok(())
    }

    pub(crate) fn unreadable(
        &self,
        file: &File,
        (place, from): (&Place, State),
        audit: &mut Audit,
        error: &store::Error,
    ) -> Result<(), Error> {
        // Where the whole place cannot be reached, nothing is said of its files.
        check_reached(place)?;
        audit.files += 1;
        audit.missing += 1;
        let what = format!("it cannot be read: {}", told(error));
        let moved = Moved { why: Some(what.clone()), ..Moved::new(from, State::Missing, (self.clock)()) };
        self.wrong(file, place, &moved, ("missing", what))
    }

    fn presence(&self, place: &Place, audit: &mut Audit, pace: Pace<'_>) -> Result<AuditState, Error> {
        loop {
            let files = self.catalogue.files(&audit.reached, PIECE)?;
            for file in &files {
                if pace(0).is_break() {
                    return Ok(AuditState::Paused);
                }
                audit.reached.clone_from(&file.name);
                self.look_for(file, place, audit)?;
            }
            if files.len() < PIECE as usize {
                return Ok(AuditState::Done);
            }
            self.catalogue.change(|change| change.save_audit(audit))?;
        }
    }

    /// Looks whether a copy is there, and as long as it should be. Those that are known to be missing or changed were looked at before.
    fn look_for(&self, file: &File, place: &Place, audit: &mut Audit) -> Result<(), Error> {
        let state = self.copy(file, place)?.map(|copy| copy.state);
        let is_open = |state: &State| *state == State::Verified || state.is_unverified();
        let Some(from) = state.filter(is_open) else { return Ok(()) };
        let looked = place.replica.look(&file.name).map_err(Error::at(&place.name))?;
        let now = (self.clock)();
        match looked {
            // Somebody may have forgotten the file since it was listed.
            None if self.catalogue.file(&file.name)?.is_none() => return Ok(()),
            None if from.is_unverified() && !self.is_lost(file, place) => {
                audit.not_copied += 1;
                return Ok(());
            }
            None => {
                audit.missing += 1;
                let moved = Moved::new(from, State::Missing, now);
                self.wrong(file, place, &moved, ("missing", "it is not there any more".to_owned()))?;
            }
            Some(Some(bytes)) if bytes != file.bytes => {
                // Its checksum is not known by that, and what it is by then, repair will find out.
                audit.resized += 1;
                let what = format!("it has {bytes} bytes instead of {}", file.bytes);
                self.wrong(file, place, &Moved::new(from, State::Changed, now), ("changed", what))?;
            }
            Some(_) => {}
        }
        audit.files += 1;
        Ok(())
    }

    /// Files that are there and that nobody knows of. Each is written down once, and not again as long as nothing else happens to it. Files
    /// of commits are known: see [`crate::Commits`]. Says whether any were recorded that nobody has read.
    fn unknown(&self, place: &Place, audit: &mut Audit, pace: Pace<'_>) -> Result<(AuditState, bool), Error> {
        let (mut failed, mut is_stopped, mut count) = (None, false, 0);
        let mut lookup = CommitLookup::default();
        let listed = place.replica.each_name(&mut |name| {
            if lookup.is_stopped || pace(0).is_break() {
                is_stopped = true;
                return Err(store::Error::Stopped);
            }
            let is_unknown = self.is_unknown(name, place, (&mut lookup, &mut *audit), &mut *pace);
            let looked = is_unknown.and_then(|is_unknown| {
                count += u64::from(is_unknown);
                if is_unknown { self.note_unknown(name, place) } else { Ok(()) }
            });
            looked.map_err(|error| {
                failed = Some(error);
                store::Error::Stopped
            })
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if is_stopped || lookup.is_stopped {
            // It is counted from the start when it goes on.
            return Ok((AuditState::Paused, lookup.has_recorded));
        }
        listed.map_err(Error::at(&place.name))?;
        audit.unknown = count;
        self.remove_unfinished(place)?;
        Ok((AuditState::Done, lookup.has_recorded))
    }

    fn is_unknown(
        &self,
        name: &str,
        place: &Place,
        lookup: (&mut CommitLookup, &mut Audit),
        pace: Pace<'_>,
    ) -> Result<bool, Error> {
        Ok(self.catalogue.file(name)?.is_none() && !self.is_of_commit(name, place, lookup, pace)?)
    }

    fn note_unknown(&self, name: &str, place: &Place) -> Result<(), Error> {
        let last = self.catalogue.events_of(name, 10)?;
        let mut own =
            last.iter().map(|event| &event.happened).filter(|happened| happened.replica == place.name);
        if own.next().is_some_and(|happened| happened.kind == UNKNOWN) {
            return Ok(());
        }
        self.log(self.happened(UNKNOWN, name, &place.name, "nobody knows of it".to_owned()))
    }

    pub(crate) fn wrong(
        &self,
        file: &File,
        place: &Place,
        moved: &Moved,
        (kind, what): (&str, String),
    ) -> Result<(), Error> {
        self.catalogue.change(|change| {
            if change.move_copy(file, &place.name, moved)? {
                change.log(moved.at, self.happened(kind, &file.name, &place.name, what))?;
            }
            Ok::<(), catalogue::Error>(())
        })?;
        Ok(())
    }
}

/// An error where a place cannot be listed: of its files nothing is known then.
fn check_reached(place: &Place) -> Result<(), Error> {
    match place.replica.each_name(&mut |_| Err(store::Error::Stopped)) {
        Ok(()) | Err(store::Error::Stopped) => Ok(()),
        Err(error) => Err(Error::at(&place.name)(error)),
    }
}
