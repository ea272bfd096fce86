//! Payloads that a job has stored, by digest, in bounded memory.
//!
//! What is known of each is at which byte of `captures.cdxj` its line begins: in memory while they are few, in a small key-value
//! store on disk beyond that. Neither is trusted: the line is read and must be about that payload, so an entry that has outlived
//! a cut of the file does no harm, and one that was lost costs no more than a second copy of a payload. A store that fails is
//! done without.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::claims::{self, Key};
use super::digests::Digests;
use crate::about::Dedup;
use crate::original::Original;

/// Bytes of a line that are believed.
const LINE_BYTES_MAX: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Known {
    places: RwLock<Places>,
    captures: File,
    folder: PathBuf,
    /// How many are kept in memory; beyond that all go to the disk.
    in_memory: usize,
}

/// Where the lines of payloads begin.
enum Places {
    Memory(HashMap<Key, u64, foldhash::fast::RandomState>),
    Disk(Box<Digests>),
    Nowhere,
}

impl std::fmt::Debug for Places {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Places::Memory(_) => "Memory",
            Places::Disk(_) => "Disk",
            Places::Nowhere => "Nowhere",
        })
    }
}

impl Known {
    /// Goes on with what an earlier run left, or begins; `captures` is the file with the lines, and so long.
    pub(super) fn open(folder: &Path, captures: File, length: u64, dedup: Dedup, in_memory: usize) -> Known {
        let opened = || {
            let digests = Digests::open(folder)?;
            let covers = digests.covers()?;
            Ok::<_, String>((digests, covers))
        };
        let (places, covers) = match folder.exists().then(opened) {
            Some(Ok((digests, covers))) => (Places::Disk(Box::new(digests)), covers),
            Some(Err(error)) => {
                tracing::warn!("{}: made anew, because it cannot be opened: {error}", folder.display());
                (Places::Memory(HashMap::default()), 0)
            }
            None => (Places::Memory(HashMap::default()), 0),
        };
        let known = Known { places: RwLock::new(places), captures, folder: folder.to_owned(), in_memory };
        if dedup != Dedup::Off {
            // It may cover lines that have been cut off since.
            known.read_lines(covers.min(length), length, dedup);
        }
        known
    }

    /// The record of this job that holds a payload, if `is_it` says so of its line.
    pub(super) fn find(&self, key: &Key, is_it: impl Fn(&cdx::Capture<'_>) -> bool) -> Option<Original> {
        let place = match &*self.read() {
            Places::Memory(places) => Ok(places.get(key).copied()),
            Places::Disk(digests) => digests.get(key),
            Places::Nowhere => Ok(None),
        };
        let place = place.unwrap_or_else(|error| {
            self.give_up(&mut self.write(), &error);
            None
        });
        let line = self.line(place?)?;
        let row = cdx::Capture::parse_cdxj(&line, &cdx::Limits::default()).ok()?;
        (!row.is_revisit() && is_it(&row)).then(|| Original::of(&row)).flatten()
    }

    /// Takes in payloads whose lines are with the system, as all lines up to the byte `covers` are.
    pub(super) fn learn(&self, stored: impl Iterator<Item = (Key, u64)>, covers: u64) {
        let mut places = self.write();
        let result = match &mut *places {
            Places::Memory(known) => {
                known.extend(stored);
                if known.len() <= self.in_memory {
                    return;
                }
                let known = std::mem::take(known);
                // What lies there is of an earlier run, and could not be opened.
                Digests::create(&self.folder).and_then(|digests| {
                    digests.insert(known.into_iter(), covers)?;
                    *places = Places::Disk(Box::new(digests));
                    Ok(())
                })
            }
            Places::Disk(digests) => digests.insert(stored, covers),
            Places::Nowhere => Ok(()),
        };
        if let Err(error) = result {
            self.give_up(&mut places, &error);
        }
    }

    fn give_up(&self, places: &mut Places, error: &str) {
        let folder = self.folder.display();
        tracing::warn!("{folder}: equal documents of this job may be stored again from here on: {error}");
        *places = Places::Nowhere;
    }

    /// Lets go of the store, so that its folder can be removed.
    pub(super) fn close(&self) {
        *self.write() = Places::Nowhere;
    }

    /// Learns from the lines between two bytes that an earlier run has left.
    fn read_lines(&self, from: u64, to: u64, dedup: Dedup) {
        let Ok(mut file) = self.captures.try_clone() else { return };
        if file.seek(SeekFrom::Start(from)).is_err() {
            return;
        }
        let limits = cdx::Limits::default();
        let source = BufReader::with_capacity(256 << 10, file.take(to.saturating_sub(from)));
        let mut lines = cdx::Lines::new(source, &limits);
        let mut place = from;
        let mut found = Vec::new();
        while let Ok(true) = lines.advance() {
            let line = lines.line();
            if let Ok(row) = cdx::Capture::parse_cdxj(line, &limits)
                && !row.is_revisit()
                && let Some(digest) = row.digest.as_deref().and_then(|text| warc::Digest::parse(text).ok())
            {
                let url = row.url.as_deref().unwrap_or_default();
                found.push((claims::key(dedup, digest.value(), url), place));
            }
            place += line.len() as u64 + 1;
            if found.len() >= self.in_memory {
                self.learn(found.drain(..), place);
            }
        }
        self.learn(found.drain(..), place);
    }

    fn read(&self) -> RwLockReadGuard<'_, Places> {
        self.places.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Places> {
        self.places.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line that begins at this byte.
    fn line(&self, place: u64) -> Option<Vec<u8>> {
        // The byte before tells whether a line begins here at all.
        let from = place.checked_sub(1)?;
        let mut bytes = Vec::new();
        let mut piece = [0; 2048];
        loop {
            let count = self.captures.read_at(&mut piece, from + bytes.len() as u64).ok()?;
            let before = bytes.len();
            bytes.extend_from_slice(piece.get(..count)?);
            if bytes.first() != Some(&b'\n') || count == 0 || bytes.len() > LINE_BYTES_MAX {
                return None;
            }
            let fresh = bytes.get(before.max(1)..)?;
            if let Some(end) = fresh.iter().position(|byte| *byte == b'\n') {
                bytes.truncate(before.max(1) + end);
                bytes.remove(0);
                return Some(bytes);
            }
        }
    }
}
