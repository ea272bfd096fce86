//! The small key-value store for the payloads of a job with many of them: where the line of each begins, and how much of
//! `captures.cdxj` it covers, told in the same step. So a store that a kill has left half filled is read on, not believed.
//!
//! The database asserts what it expects of its files. Its panics become errors, and whoever gets an error does without it.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::claims::Key;

/// The key of how much is covered; those of payloads are longer.
const COVERS: &[u8] = b"covers";

pub(super) struct Digests {
    /// Always there until it is closed.
    open: Option<Open>,
}

struct Open {
    database: fjall::Database,
    places: fjall::Keyspace,
}

impl Digests {
    /// Opens what is there, or makes it.
    pub(super) fn open(folder: &Path) -> Result<Digests, String> {
        guarded(|| {
            let database = fjall::Database::builder(folder).cache_size(4 << 20).worker_threads(1).open()?;
            let options = || fjall::KeyspaceCreateOptions::default().max_memtable_size(4 << 20);
            let places = database.keyspace("digests", options)?;
            Ok(Digests { open: Some(Open { database, places }) })
        })
    }

    /// Makes it anew, whatever lies there.
    pub(super) fn create(folder: &Path) -> Result<Digests, String> {
        // What cannot be removed is told by opening.
        let _ = if folder.is_dir() { fs::remove_dir_all(folder) } else { fs::remove_file(folder) };
        Digests::open(folder)
    }

    /// Where the line of a payload begins.
    pub(super) fn get(&self, key: &Key) -> Result<Option<u64>, String> {
        self.number(key)
    }

    /// How many bytes of the lines it knows.
    pub(super) fn covers(&self) -> Result<u64, String> {
        Ok(self.number(COVERS)?.unwrap_or(0))
    }

    /// Takes in payloads, and that all lines up to this byte are known now.
    pub(super) fn insert(&self, places: impl Iterator<Item = (Key, u64)>, covers: u64) -> Result<(), String> {
        guarded(|| {
            let Open { database, places: space } = self.opened()?;
            let mut batch = database.batch();
            for (key, place) in places {
                batch.insert(space, key, place.to_be_bytes());
            }
            batch.insert(space, COVERS, covers.to_be_bytes());
            batch.commit()
        })
    }

    fn number(&self, key: &[u8]) -> Result<Option<u64>, String> {
        let value = guarded(|| self.opened()?.places.get(key))?;
        Ok(value.and_then(|value| value.as_ref().try_into().ok()).map(u64::from_be_bytes))
    }

    fn opened(&self) -> fjall::Result<&Open> {
        self.open.as_ref().ok_or(fjall::Error::Poisoned)
    }
}

/// Closing a database one of whose threads has panicked may panic as well.
impl Drop for Digests {
    fn drop(&mut self) {
        let open = self.open.take();
        // There is nobody left to tell.
        let _ = guarded(|| {
            drop(open);
            Ok(())
        });
    }
}

fn guarded<T>(call: impl FnOnce() -> fjall::Result<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().copied();
            let said = said.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Err(format!("the database gave up: {}", said.unwrap_or("it did not say why")))
        }
    }
}
