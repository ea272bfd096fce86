//! The one thread that writes: records, logs, and then the frontier, in groups.
//!
//! What a group holds is with the operating system before the frontier settles it, all in one batch; so whatever moment the
//! process is killed at, a URL is either done with everything that belongs to it, or not begun. Every second or so all of it
//! is synced, in the same order.

use std::io;
use std::time::Duration;

use archive::{Intake, Outcome as Put, Placed};
use frontier::Settled;
use job::log::{Line, note};
use tokio::sync::mpsc::{Receiver, error::TryRecvError};
use tokio::time::Instant;

use super::dealt::Dealt;
use super::descriptors;
use super::journal::{Log, Mark};
use super::locks::lock;
use super::room;
use super::running::Running;
use crate::control::Course;
use crate::error::Error;

/// URLs of a group at most.
const GROUP_MAX: usize = 256;

/// Links of a group, about.
const LINKS_MAX: usize = 20_000;

/// Groups are so far apart: each costs calls to the system and waking this thread.
const APART: Duration = Duration::from_millis(5);

/// How often everything is synced.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// The writing end of a crawl.
pub(super) struct Ledger {
    pub(super) intake: Intake,
    pub(super) crawl_log: Log,
    pub(super) filtered_log: Log,
    written: Instant,
    synced: Instant,
    is_dirty: bool,
}

impl Ledger {
    pub(super) fn new(intake: Intake, crawl_log: Log, filtered_log: Log) -> Ledger {
        let (written, synced) = (Instant::now(), Instant::now());
        Ledger { intake, crawl_log, filtered_log, written, synced, is_dirty: false }
    }

    /// Writes what comes until nothing more can come.
    pub(super) fn run(mut self, shared: &Running, mut dealt: Receiver<Dealt>) -> Result<Ledger, Error> {
        let clock =
            tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(Error::Threads)?;
        let mut group = Vec::with_capacity(GROUP_MAX);
        loop {
            let first = match clock.block_on(async { tokio::time::timeout(SYNC_EVERY, dealt.recv()).await }) {
                Ok(Some(first)) => first,
                Ok(None) => break,
                // Nothing has come for a while: what came before is brought to the disk.
                Err(_) => {
                    self.sync(shared)?;
                    continue;
                }
            };
            let mut links = first.found.len();
            group.push(first);
            if let Some(early) = APART.checked_sub(self.written.elapsed()) {
                std::thread::sleep(early);
            }
            while group.len() < GROUP_MAX && links < LINKS_MAX {
                match dealt.try_recv() {
                    Ok(next) => {
                        links += next.found.len();
                        group.push(next);
                    }
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
                }
            }
            self.wait_for_room(shared)?;
            self.write(shared, &mut group)?;
            self.written = Instant::now();
            if self.synced.elapsed() >= SYNC_EVERY {
                self.sync(shared)?;
            }
        }
        self.sync(shared)?;
        Ok(self)
    }

    /// Writes a group, and settles it.
    fn write(&mut self, shared: &Running, group: &mut Vec<Dealt>) -> Result<(), Error> {
        let count = group.len();
        let (placed, intake) = self.place(shared, group)?;
        let (mut lines, mut drops) = (String::new(), String::new());
        let mut settled = Vec::with_capacity(group.len());
        let mut tally = Vec::with_capacity(group.len());
        for (mut dealt, placed) in group.drain(..).zip(placed) {
            if let Some(mut line) = dealt.line.take() {
                if let Some(placed) = placed {
                    complete(&mut line, placed, &dealt.host, shared);
                }
                line.write(&mut lines);
                if let Some(why) = dealt.dropped {
                    drops.push_str(&format!("{} {} {why}\n", line.at, line.url));
                }
                tally.push((dealt.host, line));
            }
            if let Some(id) = dealt.id {
                settled.push(Settled { id, end: dealt.end, found: dealt.found });
            } else if !dealt.found.is_empty() {
                shared.want_offered(&shared.frontier.offer(dealt.found)?);
            }
        }
        self.tell(shared, &lines, &drops)?;
        let (crawl_log, filtered_log) = (self.crawl_log.length(), self.filtered_log.length());
        let mark = Mark { crawl_log, filtered_log, intake };
        if shared.frontier.is_log_full() {
            // It is about to bring all that was settled to the disk; the records of that have to be there first.
            self.sync(shared)?;
        }
        let offered = shared.frontier.settle(settled, &mark.to_bytes())?;
        self.is_dirty = true;
        // Only what is settled counts.
        let mut counts = lock(&shared.counters.tally);
        for (host, line) in &tally {
            counts.add(host, line);
        }
        drop(counts);
        shared.want_offered(&offered);
        shared.counters.settled(count);
        Ok(())
    }

    /// Appends the records of a group; where each lies, and the archive's mark. A full disk is waited for.
    fn place(&mut self, shared: &Running, group: &[Dealt]) -> Result<(Vec<Option<Placed>>, Vec<u8>), Error> {
        loop {
            match self.try_place(group) {
                Ok(placed) => return Ok(placed),
                Err(error) if error.is_full() => self.wait(shared, true)?,
                Err(error) if fetch::lacks_descriptors(&error) => {
                    if !wait_for_descriptors(shared) {
                        return Err(error.into());
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn try_place(&mut self, group: &[Dealt]) -> Result<(Vec<Option<Placed>>, Vec<u8>), archive::Error> {
        let mut placed = Vec::with_capacity(group.len());
        for dealt in group {
            placed.push(dealt.packed.clone().map(|packed| self.intake.append(packed)).transpose()?);
        }
        let mark = self.intake.flush()?;
        Ok((placed, mark.as_bytes().to_vec()))
    }

    /// Writes the logs. A full disk is waited for.
    fn tell(&mut self, shared: &Running, lines: &str, drops: &str) -> Result<(), Error> {
        for is_drops in [false, true] {
            loop {
                let (log, text) =
                    if is_drops { (&mut self.filtered_log, drops) } else { (&mut self.crawl_log, lines) };
                match log.append(text) {
                    Ok(()) => break,
                    Err(Error::File { source, .. }) if source.kind() == io::ErrorKind::StorageFull => {
                        self.wait(shared, true)?;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Brings everything to the disk. Without file descriptors it waits for some: a folder that was changed has to be opened.
    fn sync(&mut self, shared: &Running) -> Result<(), Error> {
        if self.is_dirty {
            while let Err(error) = self.try_sync(shared) {
                if !(error.is_out_of_descriptors() && wait_for_descriptors(shared)) {
                    return Err(error);
                }
            }
            self.is_dirty = false;
        }
        self.synced = Instant::now();
        Ok(())
    }

    fn try_sync(&mut self, shared: &Running) -> Result<(), Error> {
        self.intake.sync()?;
        self.crawl_log.sync()?;
        self.filtered_log.sync()?;
        Ok(shared.frontier.persist()?)
    }

    /// Waits while the disk is about full.
    fn wait_for_room(&mut self, shared: &Running) -> Result<(), Error> {
        let path = self.crawl_log.path().to_owned();
        if shared.is_short(&path).is_some() { self.wait(shared, false) } else { Ok(()) }
    }

    /// Waits for room. Nothing new is fetched meanwhile; the operator may still stop the job. Where a write has failed there may
    /// seem to be room all the same, so that it is tried again after a while in any case.
    fn wait(&mut self, shared: &Running, has_failed: bool) -> Result<(), Error> {
        let path = self.crawl_log.path().to_owned();
        let why = shared.is_short(&path).unwrap_or_else(|| room::FULL.to_owned());
        shared.hold_for_room(&why);
        loop {
            if shared.control.course() == Course::Stop {
                return Err(Error::DiskFull);
            }
            std::thread::sleep(room::LOOK_EVERY);
            if has_failed || shared.is_short(&path).is_none() {
                break;
            }
        }
        shared.release_room(&why);
        Ok(())
    }
}

/// Pauses the crawl for a moment because no file descriptor is left. Returns `false` if the crawl is to stop.
fn wait_for_descriptors(shared: &Running) -> bool {
    if shared.control.course() == Course::Stop {
        return false;
    }
    let is_ours = shared.hold_for_room(descriptors::NONE_LEFT);
    shared.fetcher.close_idle();
    std::thread::sleep(room::LOOK_EVERY);
    if is_ours {
        shared.release_room(descriptors::NONE_LEFT);
    }
    true
}

/// Fills in what is known of a line once its records are written.
fn complete(line: &mut Line<'static>, placed: Placed, host: &str, shared: &Running) {
    match placed.outcome {
        Put::Revisit => line.notes.push(note::DUPLICATE.into()),
        Put::NotModified => line.notes.push(note::NOT_MODIFIED.into()),
        Put::Gone => {
            line.notes.push(note::GONE.into());
            line.notes.extend(placed.original.is_some().then(|| note::DUPLICATE.into()));
        }
        _ => {}
    }
    if let (200, Some(digest)) = (line.status, &placed.digest) {
        shared.hosts.traps.bodies.note(host, digest, &line.url);
    }
    line.digest = placed.digest.map(Into::into);
    line.place = Some((placed.file.into(), placed.offset));
}
