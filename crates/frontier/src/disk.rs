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

use fjall::{AbstractTree as _, Database, Keyspace, OwnedWriteBatch, PersistMode};

use crate::error::Error;
use crate::key;
use crate::ledger::{Ledger, Unread, VERSION};
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
const UNMERGED_MAX: usize = 12;
/// How often a database that is behind may be found doing nothing.
const IDLE_LOOKS_MAX: u32 = 3;
/// How long writers wait before they look again.
const WAIT: Duration = Duration::from_millis(1);

/// An open database.
pub(crate) struct Disk {
    /// It is there until this is dropped.
    open: Option<Open>,
}

struct Open {
    database: Database,
    keyspaces: [Keyspace; Space::ALL.len()],
}

/// Changes that are made together or not at all.
#[derive(Default)]
pub(crate) struct Batch {
    /// What is put under a key, or that what is there is removed.
    items: Vec<(Space, Bytes, Option<Bytes>)>,
}

/// A key, and what is put under it; `None` removes what is there.
pub(crate) type Item = (Bytes, Option<Bytes>);

/// What lies between two keys.
pub(crate) struct Range {
    inner: fjall::Iter,
    last: Bytes,
}

impl Batch {
    pub(crate) fn put(&mut self, space: Space, key: &[u8], value: impl Into<Bytes>) {
        self.items.push((space, key.into(), Some(value.into())));
    }

    pub(crate) fn remove(&mut self, space: Space, key: &[u8]) {
        self.items.push((space, key.into(), None));
    }
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
        // Other versions may have other keyspaces.
        if has(&Space::Hosts)? {
            Disk::check_version(&database, folder)?;
        }
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

    fn check_version(database: &Database, folder: &Path) -> Result<(), Error> {
        let ledger = guarded(|| {
            database.keyspace(Space::Hosts.name(), || spaces::options(Space::Hosts))?.get(key::LEDGER)
        })?;
        match ledger.as_deref().map(Ledger::read) {
            Some(Err(Unread::Version(found))) => {
                Err(Error::Version { folder: folder.to_path_buf(), found, known: VERSION })
            }
            _ => Ok(()),
        }
    }

    /// Those keyspaces that are not there yet are made.
    fn with_keyspaces(database: Database) -> Result<Disk, Error> {
        guarded(|| {
            let [seen, queue, postponed, hosts, log] =
                Space::ALL.map(|space| database.keyspace(space.name(), || spaces::options(space)));
            let keyspaces = [seen?, queue?, postponed?, hosts?, log?];
            Ok(Disk { open: Some(Open { database, keyspaces }) })
        })
    }

    pub(crate) fn get(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, Error> {
        guarded(|| self.opened()?.keyspace(space).get(key))
    }

    pub(crate) fn has(&self, space: Space, key: &[u8]) -> Result<bool, Error> {
        guarded(|| self.opened()?.keyspace(space).contains_key(key))
    }

    /// Everything from one key to another, both included, as it is now.
    pub(crate) fn range(&self, space: Space, from: &[u8], to: &[u8]) -> Result<Range, Error> {
        // The database would look for the end in every table before it gives the first item. Mostly few are wanted.
        guarded(|| Ok(Range { inner: self.opened()?.keyspace(space).range(from..), last: to.into() }))
    }

    /// Hands the batch to the operating system; a process that is killed from now on does not lose it.
    pub(crate) fn commit(&self, batch: Batch) -> Result<(), Error> {
        self.wait_for_room()?;
        guarded(|| {
            let open = self.opened()?;
            let mut inner = OwnedWriteBatch::with_capacity(open.database.clone(), batch.items.len())
                .durability(Some(PersistMode::Buffer));
            for (space, key, value) in batch.items {
                match value {
                    Some(value) => inner.insert(open.keyspace(space), key, value),
                    None => inner.remove(open.keyspace(space), key),
                }
            }
            inner.commit()?;
            open.rotate()
        })
    }

    /// Writes items into tables, past the journal. They are in the order of their keys, and on the disk when this returns.
    pub(crate) fn ingest(&self, space: Space, items: impl Iterator<Item = Item>) -> Result<(), Error> {
        self.wait_for_room()?;
        guarded(|| {
            let mut ingestion = self.opened()?.keyspace(space).start_ingestion()?;
            for (key, value) in items {
                match value {
                    Some(value) => ingestion.write(key, value)?,
                    None => ingestion.write_tombstone(key)?,
                }
            }
            ingestion.finish()
        })
    }

    pub(crate) fn persist(&self) -> Result<(), Error> {
        guarded(|| self.opened()?.database.persist(PersistMode::SyncAll))
    }

    /// Waits while the database is behind with its own work.
    fn wait_for_room(&self) -> Result<(), Error> {
        let is_behind = |open: &Open, space: &Space| {
            let keyspace = open.keyspace(*space);
            keyspace.sealed_memtable_count() > SEALED_MAX || keyspace.l0_table_count() > UNMERGED_MAX
        };
        let mut idle_looks = 0;
        loop {
            let (behind, is_idle) = guarded(|| {
                let open = self.opened()?;
                let is_idle =
                    open.database.active_compactions() == 0 && open.database.outstanding_flushes() == 0;
                Ok((
                    Space::ALL.into_iter().filter(|space| is_behind(open, space)).collect::<Vec<_>>(),
                    is_idle,
                ))
            })?;
            if behind.is_empty() {
                return Ok(());
            }
            // This only asks whether a thread of the database has failed; then it would never catch up.
            guarded(|| self.opened()?.database.persist(PersistMode::Buffer))?;
            idle_looks = if is_idle { idle_looks + 1 } else { 0 };
            if idle_looks == IDLE_LOOKS_MAX {
                behind.into_iter().try_for_each(|space| self.nudge(space))?;
                idle_looks = 0;
            }
            thread::sleep(WAIT);
        }
    }

    /// Has the database take one more step of merging, if there is one to take. By itself it takes one for every table that comes,
    /// which may be too few, and then it would stand still; an ingestion without items is a way to ask. It leaves an empty file,
    /// which the next opening removes.
    fn nudge(&self, space: Space) -> Result<(), Error> {
        guarded(|| self.opened()?.keyspace(space).start_ingestion()?.finish())
    }

    fn opened(&self) -> fjall::Result<&Open> {
        self.open.as_ref().ok_or(fjall::Error::Poisoned)
    }
}

impl Open {
    /// Sets memtables aside that are large enough to become tables.
    ///
    /// Left to the database, every batch asks its thread for it again until it is done. While the thread is busy with a long
    /// merge the memtable grows, and the requests fill the thread's own queue, into which it must not wait to put one itself.
    fn rotate(&self) -> fjall::Result<()> {
        for space in Space::ALL {
            let keyspace = self.keyspace(space);
            if keyspace.tree.active_memtable().size() >= space.memtable_bytes() {
                keyspace.rotate_memtable()?;
            }
        }
        Ok(())
    }

    fn keyspace(&self, space: Space) -> &Keyspace {
        let [seen, queue, postponed, hosts, log] = &self.keyspaces;
        match space {
            Space::Seen => seen,
            Space::Queue => queue,
            Space::Postponed => postponed,
            Space::Hosts => hosts,
            Space::Log => log,
        }
    }
}

/// Closing a database one of whose threads has panicked may panic as well.
impl Drop for Disk {
    fn drop(&mut self) {
        let open = self.open.take();
        // There is nobody left to tell.
        let _ = guarded(|| {
            drop(open);
            Ok(())
        });
    }
}

impl Iterator for Range {
    type Item = Result<(Bytes, Bytes), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = guarded(|| self.inner.next().map(fjall::Guard::into_inner).transpose());
        let is_within = |item: &(Bytes, Bytes)| item.0 <= self.last;
        next.map(|item| item.filter(is_within)).transpose()
    }
}
