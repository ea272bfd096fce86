//! Appending: one thread writes what all have packed, and says how far the files have come.

use std::sync::{Arc, Mutex, PoisonError};

use index::{Index, Snapshot};

use super::claims::{Claim, Claims, Stored};
use super::folder::JobFolder;
use super::growing::Growing;
use super::known::Known;
use super::lines::{CAPTURES_HEAD, Row};
use super::mark::{Mark, Position};
use super::member::Member;
use super::mending;
use super::packed::{Packed, Ready};
use super::packer::Packer;
use super::settle::Settled;
use super::spool::Spool;
use crate::about::About;
use crate::capture::{Outcome, Placed};
use crate::error::Error;
use crate::original::Original;

/// What all parts of a job share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) job: String,
    pub(super) about: Arc<About>,
    pub(super) folder: JobFolder,
    index: Index,
    /// What was committed when the job began, or at its last sync: looking for a newer commit costs a call to the system, which is
    /// too much for each document.
    committed: Mutex<Snapshot>,
    pub(super) claims: Claims,
    pub(super) known: Known,
}

impl Shared {
    /// What is in the archive, as of the last sync.
    pub(super) fn committed(&self) -> Snapshot {
        self.committed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Looks for commits of others.
    fn look_for_commits(&self) -> Result<(), Error> {
        let newest = self.index.snapshot()?;
        *self.committed.lock().unwrap_or_else(PoisonError::into_inner) = newest;
        Ok(())
    }
}

/// Writes a job's files. Not to be shared: one thread appends.
///
/// Everything is buffered until [`flush`](Intake::flush). When the disk is full the files are cut back to the last flush, and what
/// was appended since can be appended again.
#[derive(Debug)]
pub struct Intake {
    shared: Arc<Shared>,
    spool: Spool,
    captures: Growing,
    /// How far the files had come at the last flush.
    flushed: Position,
    /// Claims whose payloads were stored since.
    fresh: Vec<Arc<Claim>>,
    is_poisoned: bool,
    /// The commit has begun in an earlier run: nothing more comes in.
    is_closed: bool,
}

impl Intake {
    /// Begins a job, or goes on with one from where it was.
    pub(crate) fn open(
        folder: JobFolder,
        about: &About,
        index: Index,
        from: Option<Position>,
    ) -> Result<(Packer, Intake), Error> {
        let about = Arc::new(about.clone());
        let is_closed = folder.is_committing();
        let mut spool = Spool::new(folder.clone(), Arc::clone(&about));
        let mut captures = match from {
            // What is being committed is not touched any more.
            Some(_) if is_closed => Growing::as_it_is(folder.captures(), &about.disk)?,
            Some(from) => {
                let from = mending::position(&folder, &about, from)?;
                folder.sync_files_before(from.serial, &*about.disk)?;
                spool.go_to(from.serial, from.file_bytes)?;
                folder.remove_files_behind(from.serial)?;
                Growing::resume(folder.captures(), from.captures_bytes, &about.disk)?
            }
            None => Growing::create(folder.captures(), &about.disk)?,
        };
        if captures.len() == 0 && !is_closed {
            captures.push(CAPTURES_HEAD)?;
            captures.hand_over()?;
        }
        let flushed =
            Position { serial: spool.serial(), file_bytes: spool.len(), captures_bytes: captures.len() };
        let reading = std::fs::File::open(captures.path()).map_err(Error::read(captures.path()))?;
        let (length, in_memory) = (captures.len(), about.limits.digests_in_memory);
        let known = Known::open(&folder.digests(), reading, length, about.dedup, in_memory);
        let job = folder.job().to_owned();
        let committed = Mutex::new(index.snapshot()?);
        let claims = Claims::default();
        let shared = Arc::new(Shared { job, about, folder, index, committed, claims, known });
        let intake = Intake {
            shared: Arc::clone(&shared),
            spool,
            captures,
            flushed,
            fresh: Vec::new(),
            is_poisoned: false,
            is_closed,
        };
        Ok((Packer(shared), intake))
    }

    /// Name of the job.
    #[must_use]
    pub fn job(&self) -> &str {
        &self.shared.job
    }

    /// How far the files had come at the last flush, or at the start.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark::of(self.flushed)
    }

    /// Whether the job's commit has begun: then nothing can be appended, and all that is left is to commit it again.
    #[must_use]
    pub fn is_committing(&self) -> bool {
        self.is_closed
    }

    /// Writes the records of a capture, one behind another, and its line.
    ///
    /// # Errors
    /// [`Error::Full`] when the disk is: the files have been cut back to the last [`flush`](Intake::flush), so everything since,
    /// this one included, is to be appended again. Any other error of the disk, and the job has to be resumed.
    pub fn append(&mut self, packed: Packed) -> Result<Placed, Error> {
        self.guarded(|intake| intake.write(&packed.0))
    }

    /// Hands everything on to the operating system: from here on it survives the end of this process.
    ///
    /// # Errors
    /// As [`append`](Intake::append).
    pub fn flush(&mut self) -> Result<Mark, Error> {
        self.guarded(|intake| {
            intake.spool.hand_over()?;
            intake.captures.hand_over()
        })?;
        self.flushed = self.position();
        if !self.fresh.is_empty() {
            self.shared
                .known
                .learn(self.fresh.iter().filter_map(|claim| claim.place()), self.flushed.captures_bytes);
        }
        self.fresh.clear();
        Ok(self.mark())
    }

    /// Brings everything that was flushed to the disk: from here on it survives a power loss.
    ///
    /// # Errors
    /// When the disk fails. Nobody knows then what is on it, and the job has to be resumed. When no file descriptor is left; then it can be
    /// called again.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.guarded(|intake| {
            intake.spool.hand_over()?;
            intake.captures.hand_over()
        })?;
        // No going back here: what failed to reach the disk may be what was flushed and settled long ago.
        self.is_poisoned = true;
        let synced = self.spool.sync().and_then(|()| self.captures.sync());
        // Only opening a folder needs a descriptor. Without one no sync has failed, so all of them can be repeated.
        self.is_poisoned = synced.as_ref().is_err_and(|error| !fetch::lacks_descriptors(error));
        synced?;
        self.shared.look_for_commits()
    }

    pub(crate) fn about(&self) -> &About {
        &self.shared.about
    }

    /// Lets go of what helped to find equal payloads, so that the folder can be removed.
    pub(crate) fn forget_digests(&self) {
        self.shared.known.close();
    }

    fn position(&self) -> Position {
        Position {
            serial: self.spool.serial(),
            file_bytes: self.spool.len(),
            captures_bytes: self.captures.len(),
        }
    }

    /// Does something that writes; when it fails for want of room or of descriptors, goes back to where all was well.
    fn guarded<T>(&mut self, write: impl FnOnce(&mut Intake) -> Result<T, Error>) -> Result<T, Error> {
        if self.is_closed {
            return Err(Error::Committing(self.shared.job.clone()));
        }
        if self.is_poisoned {
            return Err(Error::Poisoned);
        }
        self.is_poisoned = true;
        let result = write(self);
        match &result {
            Ok(_) => self.is_poisoned = false,
            Err(error) if error.is_full() || fetch::lacks_descriptors(error) => {
                self.go_back()?;
                self.is_poisoned = false;
            }
            Err(_) => {}
        }
        result
    }

    fn go_back(&mut self) -> Result<(), Error> {
        for claim in self.fresh.drain(..) {
            claim.set_stored(None);
        }
        self.captures.cut(self.flushed.captures_bytes)?;
        self.spool.go_to(self.flushed.serial, self.flushed.file_bytes)
    }

    fn write(&mut self, ready: &Ready) -> Result<Placed, Error> {
        let settled = self.shared.settle(ready)?;
        let dns = ready.dns.as_ref().map_or(&[][..], |(member, _)| member);
        let length = settled.as_ref().map_or(0, |settled| settled.member.get().len());
        let bytes = (dns.len() + ready.companions.len()) as u64 + length;
        if bytes == 0 {
            return Ok(nothing(String::new(), 0));
        }
        let file = self.spool.file_for(bytes, ready.at)?;
        let start = file.len();
        file.push(dns)?;
        if let Some(settled) = &settled {
            match settled.member.get() {
                Member::Memory(member) => file.push(member)?,
                Member::Spilled(spilled) => file.push_from(spilled.reader(), self.shared.folder.path())?,
            }
        }
        file.push(&ready.companions)?;
        let name = format!("{}/{}", self.shared.job, self.shared.folder.file_name(self.spool.serial()));
        if let Some((member, row)) = &ready.dns {
            self.write_line(&mut row.clone(), &name, start, member.len() as u64)?;
        }
        let Some(settled) = settled else { return Ok(nothing(name, bytes)) };
        let offset = start + dns.len() as u64;
        self.finish(settled, ready, Placed { bytes, ..placed(name, offset, length) })
    }

    /// Writes the line of a capture, and tells those who have the same payload.
    fn finish(&mut self, settled: Settled<'_>, ready: &Ready, mut placed: Placed) -> Result<Placed, Error> {
        let Settled { mut row, outcome, original, claim, .. } = settled;
        let line = self.captures.len();
        self.write_line(&mut row, &placed.file, placed.offset, placed.length)?;
        if let (Some(claim), Some(original)) = (claim, Original::of(&row)) {
            claim.set_stored(Some(Stored { original, line }));
            self.fresh.push(Arc::clone(claim));
        }
        placed.outcome = if ready.gone { Outcome::Gone } else { outcome };
        placed.digest = row.digest.map(|digest| digest.into_owned());
        placed.original = original;
        Ok(placed)
    }

    fn write_line(&mut self, row: &mut Row, file: &str, offset: u64, length: u64) -> Result<(), Error> {
        row.filename = Some(file.to_owned().into());
        (row.offset, row.length) = (Some(offset), Some(length));
        let mut line = Vec::with_capacity(512);
        row.write_cdxj(&mut line);
        line.push(b'\n');
        self.captures.push(&line)
    }
}

fn nothing(file: String, bytes: u64) -> Placed {
    Placed { outcome: Outcome::Nothing, bytes, ..placed(file, 0, 0) }
}

fn placed(file: String, offset: u64, length: u64) -> Placed {
    Placed { outcome: Outcome::New, file, offset, length, bytes: 0, digest: None, original: None }
}
