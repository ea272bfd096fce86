//! The database, behind a narrow door: look up, walk through a range, write a batch, sync.
//!
//! Nothing else of this crate knows which database it is. What it panics at, and it does at some kinds of damage, comes out of
//! here as an error.

mod create;
mod guard;
mod spaces;

use std::path::Path;
use std::thread;
use std::time::Duration;

use fjall::{Database, Keyspace, PersistMode};

use crate::error::Error;
use crate::settings::Settings;
use guard::guarded;
pub(crate) use spaces::Space;

/// Bytes that are cheap to clone.
pub(crate) type Bytes = fjall::Slice;

/// The file that the database writes last when it makes itself.
const VERSION_MARKER: &str = "version";

/// Memtables that may wait to be written before writers wait for them. The database itself would wait at one more, for ever
/// if the thread that writes them is gone.
const SEALED_MAX: usize = 2;
/// Tables of the first level before writers wait for them to be merged; the database itself waits at thirty.
const UNMERGED_MAX: usize = 24;
/// How long writers wait before they look again.
const WAIT: Duration = Duration::from_millis(1);

/// An open database.
pub(crate) struct Disk {
    database: Database,
    keyspaces: [Keyspace; Space::ALL.len()],
}

/// Changes that are made together or not at all.
pub(crate) struct Batch {
    inner: fjall::OwnedWriteBatch,
}

/// What lies between two keys.
pub(crate) struct Range {
    inner: fjall::Iter,
}

impl Disk {
    /// Opens what is there, or makes it.
    pub(crate) fn open(folder: &Path, settings: &Settings) -> Result<Disk, Error> {
        create::if_absent(folder, settings)?;
        // Where the database finds part of itself missing, it would begin anew without a word.
        if !folder.join(VERSION_MARKER).try_exists().map_err(|error| guard::of_io(&error))? {
            return Err(Error::Damaged { what: format!("there is no database in `{}`", folder.display()) });
        }
        let database = Disk::open_database(folder, settings)?;
        let has = |space: &Space| guarded(|| Ok(database.keyspace_exists(space.name())));
        for space in Space::ALL {
            if !has(&space)? {
                return Err(Error::Damaged { what: format!("it has lost its keyspace `{}`", space.name()) });
            }
        }
        Disk::with_keyspaces(database)
    }

    fn open_database(folder: &Path, settings: &Settings) -> Result<Database, Error> {
        guarded(|| spaces::builder(folder, settings).open()).map_err(|error| match error {
            Error::InUse { .. } => Error::InUse { folder: folder.to_path_buf() },
            other => other,
        })
    }

    /// Those keyspaces that are not there yet are made.
    fn with_keyspaces(database: Database) -> Result<Disk, Error> {
        guarded(|| {
            let [seen, queue, postponed, hosts] =
                Space::ALL.map(|space| database.keyspace(space.name(), || spaces::options(space)));
            let keyspaces = [seen?, queue?, postponed?, hosts?];
            Ok(Disk { database, keyspaces })
        })
    }

    pub(crate) fn get(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, Error> {
        guarded(|| self.keyspace(space).get(key))
    }

    pub(crate) fn has(&self, space: Space, key: &[u8]) -> Result<bool, Error> {
        guarded(|| self.keyspace(space).contains_key(key))
    }

    /// Everything from one key to another, both included, as it is now.
    pub(crate) fn range(&self, space: Space, from: &[u8], to: &[u8]) -> Result<Range, Error> {
        guarded(|| Ok(Range { inner: self.keyspace(space).range(from..=to) }))
    }

    pub(crate) fn batch(&self) -> Batch {
        Batch { inner: self.database.batch().durability(Some(PersistMode::Buffer)) }
    }

    pub(crate) fn put(&self, batch: &mut Batch, space: Space, key: &[u8], value: impl Into<Bytes>) {
        batch.inner.insert(self.keyspace(space), key, value);
    }

    pub(crate) fn remove(&self, batch: &mut Batch, space: Space, key: &[u8]) {
        batch.inner.remove(self.keyspace(space), key);
    }

    /// Hands the batch to the operating system; a process that is killed from now on does not lose it.
    pub(crate) fn commit(&self, batch: Batch) -> Result<(), Error> {
        self.wait_for_room()?;
        guarded(|| batch.inner.commit())
    }

    pub(crate) fn persist(&self) -> Result<(), Error> {
        guarded(|| self.database.persist(PersistMode::SyncAll))
    }

    /// Waits while the database is behind with its own work.
    fn wait_for_room(&self) -> Result<(), Error> {
        let is_behind = |keyspace: &Keyspace| {
            keyspace.sealed_memtable_count() > SEALED_MAX || keyspace.l0_table_count() > UNMERGED_MAX
        };
        while guarded(|| Ok(self.keyspaces.iter().any(is_behind)))? {
            // This only asks whether a thread of the database has failed; then it would never catch up.
            guarded(|| self.database.persist(PersistMode::Buffer))?;
            thread::sleep(WAIT);
        }
        Ok(())
    }

    fn keyspace(&self, space: Space) -> &Keyspace {
        let [seen, queue, postponed, hosts] = &self.keyspaces;
        match space {
            Space::Seen => seen,
            Space::Queue => queue,
            Space::Postponed => postponed,
            Space::Hosts => hosts,
        }
    }
}

impl Iterator for Range {
    type Item = Result<(Bytes, Bytes), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        guarded(|| self.inner.next().map(fjall::Guard::into_inner).transpose()).transpose()
    }
}
