//! Payloads that a job has stored, by digest, in bounded memory.
//!
//! A small key-value store on disk says at which byte of `captures.cdxj` the line about a payload begins. It is never trusted: the
//! line is read and must be about that payload, so an entry that has outlived a cut of the file does no harm, and one that was lost
//! costs no more than a second copy of a payload. A store that fails is done without.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

use super::claims::{Claim, Key};
use crate::original::Original;

/// Bytes of a line that are believed.
const LINE_BYTES_MAX: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Known {
    digests: RwLock<Option<Digests>>,
    captures: File,
}

struct Digests {
    database: fjall::Database,
    places: fjall::Keyspace,
}

impl std::fmt::Debug for Digests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Digests").finish_non_exhaustive()
    }
}

impl Known {
    /// Opens what an earlier run left, or begins; `captures` is the file that the entries point into.
    pub(super) fn open(folder: &Path, captures: File) -> Known {
        let digests = open(folder).or_else(|error| {
            tracing::warn!("{}: begun anew, because it cannot be opened: {error}", folder.display());
            // What cannot be opened may as well be gone.
            let _ = std::fs::remove_dir_all(folder);
            open(folder)
        });
        let digests = digests.inspect_err(|error| {
            tracing::warn!("{}: equal documents of this job are stored again: {error}", folder.display());
        });
        Known { digests: RwLock::new(digests.ok()), captures }
    }

    /// The record of this job that holds a payload, if `is_it` says so of its line.
    pub(super) fn find(&self, key: &Key, is_it: impl Fn(&cdx::Capture<'_>) -> bool) -> Option<Original> {
        let digests = self.digests.read().unwrap_or_else(PoisonError::into_inner);
        let value = digests.as_ref()?.places.get(key).ok()??;
        drop(digests);
        let place = u64::from_be_bytes(value.as_ref().try_into().ok()?);
        let line = self.line(place)?;
        let row = cdx::Capture::parse_cdxj(&line, &cdx::Limits::default()).ok()?;
        (!row.is_revisit() && is_it(&row)).then(|| Original::of(&row)).flatten()
    }

    /// Takes in claims whose lines are with the system.
    pub(super) fn learn<'a>(&self, claims: impl Iterator<Item = &'a Claim>) {
        let digests = self.digests.read().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = digests.as_ref() else { return };
        let mut batch = open.database.batch();
        for claim in claims {
            if let Some(stored) = claim.stored() {
                batch.insert(&open.places, claim.key().to_vec(), stored.line.to_be_bytes().to_vec());
            }
        }
        if batch.is_empty() {
            return;
        }
        let result = batch.commit();
        drop(digests);
        if let Err(error) = result {
            tracing::warn!("equal documents of this job are stored again from here on: {error}");
            self.close();
        }
    }

    /// Lets go of the store, so that its folder can be removed.
    pub(super) fn close(&self) {
        let digests = self.digests.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(digests);
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

fn open(folder: &Path) -> fjall::Result<Digests> {
    let database = fjall::Database::builder(folder).cache_size(4 << 20).worker_threads(1).open()?;
    let options = || fjall::KeyspaceCreateOptions::default().max_memtable_size(4 << 20);
    let places = database.keyspace("digests", options)?;
    Ok(Digests { database, places })
}
