//! The secrets of an archive: set, listed, removed, and encrypted with a new key.
//!
//! The database decides which key is in use. While a key is replaced there are two key files, and every step leaves both states readable:
//!
//! ```text
//! 1  write secrets.key.next                     rows and `current_key`: old key    a crash: the next file is removed later
//! 2  encrypt all rows, set `current_key`        rows and `current_key`: new key    a crash: the next file is found by its id
//! 3  rename secrets.key.next to secrets.key     done
//! ```
//!
//! Each step holds the database's write lock, so two processes never replace the key at once, and no secret is set with a key that is
//! about to go.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::thread;

use jiff::Timestamp;
use sqlx::{Connection as _, Sqlite, SqliteConnection, Transaction};
use tokio::runtime::Builder;
use urlkey::Login;

use crate::error::Error;
use crate::key::Key;
use crate::key_file::KeyFiles;
use crate::sealed::Sealed;
use crate::table::{self, SecretRow};

/// The secrets of an archive. Nothing is open between two calls.
#[derive(Debug, Clone)]
pub struct Secrets {
    database: PathBuf,
    keys: KeyFiles,
}

/// One secret, as far as it may be shown.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Scheme, host and port.
    pub origin: String,
    /// When it was stored.
    pub set_at: Timestamp,
    /// Whether it can be read.
    pub state: EntryState,
}

/// Whether a secret can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryState {
    /// It can.
    Readable(Login),
    /// The key that it was encrypted with is not there.
    KeyMissing,
    /// The key is there, and the secret was damaged.
    Damaged,
}

/// What a new key was used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotated {
    /// Secrets that are encrypted with it.
    pub encrypted: usize,
    /// Secrets that could not be read, and stay as they are.
    pub unreadable: usize,
}

/// Where replacing the key stands: told before each step, for tests that stop there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The next key is on the disk.
    KeyWritten,
    /// All rows are encrypted with it, and that is not on the disk yet.
    Encrypting,
    /// All rows are encrypted with it, and that is on the disk.
    Encrypted,
    /// It is the key in use.
    Done,
}

impl Secrets {
    /// The secrets in this database, encrypted with the key of this file. Neither needs to be there.
    #[must_use]
    pub fn new(database: &Path, key: &Path) -> Secrets {
        Secrets { database: database.to_owned(), keys: KeyFiles { path: key.to_owned() } }
    }

    /// The database.
    #[must_use]
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// The key file.
    #[must_use]
    pub fn key_file(&self) -> &Path {
        &self.keys.path
    }

    /// All secrets, in the order of their origins. A key file that cannot be read is as none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn list(&self) -> Result<Vec<Entry>, Error> {
        // Before and behind the rows: the key may be replaced meanwhile.
        let mut keys = self.keys.all();
        let rows = wait(async || {
            let Some(mut connection) = table::open_to_read(&self.database).await? else {
                return Ok(Vec::new());
            };
            let rows = table::list(&mut connection).await?;
            connection.close().await.map_err(Error::database("be closed"))?;
            Ok(rows)
        })?;
        keys.extend(self.keys.all());
        rows.into_iter().map(|row| entry(row, &keys)).collect()
    }

    /// Stores secrets, all or none, each over one of the same origin. The key is made where there is none.
    ///
    /// # Errors
    /// When one is too long, the key file is damaged, or the disk cannot be written to.
    pub fn set(&self, logins: &[Login], now: Timestamp) -> Result<(), Error> {
        if logins.is_empty() {
            return Ok(());
        }
        wait(async || {
            let mut connection = table::open_to_write(&self.database).await?;
            let mut change = begin(&mut connection).await?;
            let key = self.current(&mut change).await?;
            for login in logins {
                let sealed = Sealed::seal(login, &key)?;
                let (origin, set_at) = (login.origin.clone(), now.as_millisecond());
                table::set(&mut change, SecretRow { origin, key: key.id().clone(), sealed, set_at }).await?;
            }
            commit(change).await?;
            connection.close().await.map_err(Error::database("be closed"))
        })
    }

    /// Removes the secret of an origin. Says whether there was one.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn remove(&self, origin: &str) -> Result<bool, Error> {
        wait(async || {
            if table::open_to_read(&self.database).await?.is_none() {
                return Ok(false);
            }
            let mut connection = table::open_to_write(&self.database).await?;
            let is_removed = table::remove(&mut connection, origin).await?;
            connection.close().await.map_err(Error::database("be closed"))?;
            Ok(is_removed)
        })
    }

    /// Makes a new key and encrypts all secrets with it that can be read. `at` is told where it stands; an error of it stops there.
    ///
    /// # Errors
    /// When a key file is damaged, or the disk cannot be written to. Then the old key is in use, or the new one; calling again goes on.
    pub fn rotate(&self, mut at: impl FnMut(Stage) -> Result<(), Error> + Send) -> Result<Rotated, Error> {
        wait(async || {
            let mut connection = table::open_to_write(&self.database).await?;
            let mut change = begin(&mut connection).await?;
            self.finish_earlier(&mut change).await?;
            let old: Vec<Key> = self.keys.now()?.into_iter().collect();
            let key = Key::generate()?;
            self.keys.write_next(&key)?;
            at(Stage::KeyWritten)?;
            let rotated = encrypt_all(&mut change, &old, &key).await?;
            table::set_current_key(&mut change, key.id()).await?;
            at(Stage::Encrypting)?;
            commit(change).await?;
            at(Stage::Encrypted)?;
            let mut change = begin(&mut connection).await?;
            self.finish_earlier(&mut change).await?;
            commit(change).await?;
            at(Stage::Done)?;
            let vacuum = sqlx::query(include_str!("../sql/sqlite/vacuum.sql"));
            vacuum.execute(&mut connection).await.map_err(Error::database("be tidied up"))?;
            connection.close().await.map_err(Error::database("be closed"))?;
            private::protect_database(&self.database);
            Ok(rotated)
        })
    }

    /// The key in use, for a change that is under way; makes one where there is none.
    async fn current(&self, change: &mut SqliteConnection) -> Result<Key, Error> {
        self.finish_earlier(change).await?;
        let key = match self.keys.now()? {
            Some(key) => key,
            None => self.keys.create(&Key::generate()?)?,
        };
        // A key that somebody has put there instead of the lost one counts from now on.
        if table::current_key(change).await?.as_ref() != Some(key.id()) {
            table::set_current_key(change, key.id()).await?;
        }
        Ok(key)
    }

    /// Brings an earlier replacement to its end that was stopped in the middle: the next key is in use, or it never was.
    async fn finish_earlier(&self, change: &mut SqliteConnection) -> Result<(), Error> {
        let Some(next) = self.keys.next()? else { return Ok(()) };
        let is_in_use = table::current_key(change).await?.as_ref() == Some(next.id());
        if is_in_use { self.keys.promote_next() } else { self.keys.remove_next() }
    }
}

async fn begin(connection: &mut SqliteConnection) -> Result<Transaction<'_, Sqlite>, Error> {
    connection.begin_with("BEGIN IMMEDIATE").await.map_err(Error::database("begin to write"))
}

async fn commit(change: Transaction<'_, Sqlite>) -> Result<(), Error> {
    change.commit().await.map_err(Error::database("end a change"))
}

async fn encrypt_all(change: &mut SqliteConnection, old: &[Key], key: &Key) -> Result<Rotated, Error> {
    let mut rotated = Rotated { encrypted: 0, unreadable: 0 };
    for row in table::list(change).await? {
        let set_at = row.set_at;
        let EntryState::Readable(login) = entry(row, old)?.state else {
            rotated.unreadable += 1;
            continue;
        };
        let sealed = Sealed::seal(&login, key)?;
        let row = SecretRow { origin: login.origin, key: key.id().clone(), sealed, set_at };
        table::set(change, row).await?;
        rotated.encrypted += 1;
    }
    Ok(rotated)
}

fn entry(row: SecretRow, keys: &[Key]) -> Result<Entry, Error> {
    let state = match keys.iter().find(|key| *key.id() == row.key) {
        None => EntryState::KeyMissing,
        Some(key) => match row.sealed.open(&row.origin, key)? {
            Some(login) => EntryState::Readable(login),
            None => EntryState::Damaged,
        },
    };
    let set_at = Timestamp::from_millisecond(row.set_at).unwrap_or(Timestamp::UNIX_EPOCH);
    Ok(Entry { origin: row.origin, set_at, state })
}

/// Does the work on a thread of its own, so that it may be asked for anywhere, also within an asynchronous runtime.
fn wait<T: Send, F: Future<Output = Result<T, Error>>>(work: impl FnOnce() -> F + Send) -> Result<T, Error> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("secrets".to_owned()).spawn_scoped(scope, || {
            let runtime = Builder::new_current_thread().enable_time().build().map_err(Error::Thread)?;
            runtime.block_on(work())
        });
        let ended = thread.map_err(Error::Thread)?.join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
