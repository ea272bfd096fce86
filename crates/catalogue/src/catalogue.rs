//! The database: opened, asked, changed in one step or not at all, and copied while it is used.

use std::fs;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{Connection as _, Row as _, SqliteConnection};
use tokio::runtime::{Builder, Runtime};

use crate::audit::{Audit, AuditKind};
use crate::change::Change;
use crate::copy::{Copy, State, Tally};
use crate::error::Error;
use crate::event::Event;
use crate::file::{File, Sums, count, stored};
use crate::replica::{Kind, Replica};
use crate::{moment, schema};

/// How long a change waits for another process to end its own.
const PATIENCE: Duration = Duration::from_secs(30);
/// Nobody makes a longer pause before something is tried again.
const PAUSE_MAX: SignedDuration = SignedDuration::from_hours(24);
/// How many may read at once.
const READERS: u32 = 4;

/// A copy that is due later than this is due now: a clock that was ahead has set its time.
pub(crate) fn latest_due(now: Timestamp) -> Timestamp {
    now.checked_add(PAUSE_MAX).unwrap_or(Timestamp::MAX)
}

/// A catalogue in an SQLite file. A clone is cheap and is the same catalogue; other processes may have it open, too.
///
/// Its calls wait for the disk: none may be made on a thread of an asynchronous runtime.
#[derive(Debug, Clone)]
pub struct Catalogue {
    path: PathBuf,
    readers: SqlitePool,
    writer: SqlitePool,
    runtime: Arc<Runtime>,
}

impl Catalogue {
    /// Opens the catalogue in a file; makes it where there is none, and brings an older one up to date.
    ///
    /// # Errors
    /// When the file cannot be opened, is something else, or was made by a later version of this program.
    pub fn open(path: &Path) -> Result<Catalogue, Error> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("catalogue").enable_time().build();
        let runtime = Arc::new(runtime.map_err(Error::Thread)?);
        let failed = || |source| Error::Open { path: path.to_owned(), source };
        private::protect_database(path);
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // What was acknowledged survives a power loss.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(PATIENCE);
        let found = runtime.block_on(async {
            let mut connection = SqliteConnection::connect_with(&options).await?;
            let found = schema::version(&mut connection).await?;
            if found < schema::VERSION {
                schema::migrate(&mut connection).await?;
            }
            connection.close().await?;
            Ok(found)
        });
        let found = found.map_err(failed())?;
        if found > schema::VERSION {
            return Err(Error::Later { path: path.to_owned(), found, known: schema::VERSION });
        }
        let (readers, writer) = {
            // A pool wants a runtime around it from the start.
            let _inside = runtime.enter();
            let pool = |most: u32| SqlitePoolOptions::new().max_connections(most);
            let reading = options.clone().read_only(true).create_if_missing(false);
            (pool(READERS).connect_lazy_with(reading), pool(1).connect_lazy_with(options))
        };
        Ok(Catalogue { path: path.to_owned(), readers, writer, runtime })
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes changes that become visible, and last, all together; none of them if `make` says so by an error.
    ///
    /// # Errors
    /// Those of `make`, and when the database cannot write.
    pub fn change<T, E: From<Error>>(
        &self,
        make: impl FnOnce(&mut Change<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        // Changes that are given up go back to the pool, which wants a runtime around it.
        let _inside = self.runtime.enter();
        let begun = self.wait(self.writer.begin_with("BEGIN IMMEDIATE"));
        let transaction = begun.map_err(Error::database("begin a change")).map_err(E::from)?;
        let mut change = Change::new(transaction, &self.runtime);
        let made = make(&mut change)?;
        change.commit()?;
        Ok(made)
    }

    /// Copies the whole catalogue, as of now, to a file that is not there yet. Whoever reads or writes meanwhile goes on. The copy has
    /// its name only when all of it is on the disk.
    ///
    /// # Errors
    /// When there is such a file, or it cannot be written; then nothing of it is left.
    pub fn back_up(&self, to: &Path) -> Result<(), Error> {
        if to.exists() {
            return Err(Error::Exists(to.to_owned()));
        }
        let mut part = to.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let copied = self.copy_to(&part).and_then(|()| {
            // SQLite does not bring such a copy to the disk.
            let synced = fs::File::open(&part).and_then(|copy| copy.sync_all());
            let named = synced.and_then(|()| fs::rename(&part, to)).and_then(|()| sync_above(to));
            named.map_err(|source| Error::BackUp { path: to.to_owned(), source })
        });
        if copied.is_err() {
            let _ = fs::remove_file(&part);
        }
        copied
    }

    /// Copies into a file that a crash may have left.
    fn copy_to(&self, part: &Path) -> Result<(), Error> {
        match fs::remove_file(part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::BackUp { path: part.to_owned(), source: error });
            }
            _ => {}
        }
        private::protect_database(part);
        let copying =
            sqlx::query(include_str!("../sql/sqlite/backup.sql")).bind(part.to_string_lossy().into_owned());
        self.wait(copying.execute(&self.writer)).map_err(Error::database("be copied"))?;
        Ok(())
    }

    /// Whether the database is whole, page by page, as far as it can tell by itself.
    ///
    /// # Errors
    /// When it could not be looked at; that says nothing of it.
    pub fn is_whole(&self) -> Result<bool, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/quick_check.sql"));
        let row = self.wait(asked.fetch_one(&self.readers));
        let told =
            row.and_then(|row| row.try_get::<String, _>(0)).map_err(Error::database("check its pages"));
        match told {
            Err(error) if error.is_damaged() => Ok(false),
            told => Ok(told? == "ok"),
        }
    }

    /// The replicas, in the order in which they came.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn replicas(&self) -> Result<Vec<Replica>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/replica_list.sql"));
        let rows = self.wait(asked.fetch_all(&self.readers)).map_err(Error::database("list its replicas"))?;
        let text = |row: &SqliteRow, column: usize| {
            row.try_get::<String, _>(column).map_err(Error::database("read a replica's row"))
        };
        rows.iter()
            .map(|row| Ok(Replica { name: text(row, 0)?, kind: Kind::parse(&text(row, 1)?)? }))
            .collect()
    }

    /// A file by its name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn file(&self, name: &str) -> Result<Option<File>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/file_find.sql")).bind(name.to_owned());
        let row =
            self.wait(asked.fetch_optional(&self.readers)).map_err(Error::database("look for a file"))?;
        row.as_ref().map(File::of).transpose()
    }

    /// So many files in the order of their names, behind this name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn files(&self, behind: &str, most: u32) -> Result<Vec<File>, Error> {
        let asked =
            sqlx::query(include_str!("../sql/sqlite/file_list.sql")).bind(behind.to_owned()).bind(most);
        self.list("list its files", asked, File::of)
    }

    /// The jobs that files are of. However many files each has, this takes a step a job.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn jobs(&self) -> Result<Vec<String>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/file_jobs.sql"));
        let name = |row: &SqliteRow| row.try_get(0).map_err(Error::database("read a job's name"));
        self.list("list its jobs", asked, name)
    }

    /// How many files there are, and how long they are.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn sums(&self) -> Result<Sums, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/file_sums.sql"));
        let row = self.wait(asked.fetch_one(&self.readers)).map_err(Error::database("count its files"))?;
        let number = |what, column: usize| {
            count(what, row.try_get::<i64, _>(column).map_err(Error::database("count its files"))?)
        };
        Ok(Sums { files: number("files", 0)?, bytes: number("bytes", 1)?, accepted: number("accepted", 2)? })
    }

    /// How it stands with a file in each replica.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn copies(&self, file: &File) -> Result<Vec<Copy>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/copy_of_file.sql")).bind(file.id);
        self.list("list copies", asked, Copy::of)
    }

    /// How many copies of each replica are in which state.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tallies(&self) -> Result<Vec<Tally>, Error> {
        self.list(
            "tell how things stand",
            sqlx::query(include_str!("../sql/sqlite/tally_list.sql")),
            Tally::of,
        )
    }

    /// Files that are to be brought to a replica by now, the longest due first. Whatever is due only after the longest pause that
    /// anybody makes was written down by a clock that was ahead, and is due, too.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn due(&self, replica: &str, now: Timestamp, most: u32) -> Result<Vec<File>, Error> {
        let id = self.replica(replica)?;
        let asked = sqlx::query(include_str!("../sql/sqlite/copy_due.sql"));
        let latest = latest_due(now);
        let asked = asked.bind(id).bind(moment::to_text(now)).bind(most).bind(moment::to_text(latest));
        self.list("list what is due", asked, File::of)
    }

    /// Files of a replica that were last found sound before this time, the longest ago first.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn to_audit(&self, replica: &str, before: Timestamp, most: u32) -> Result<Vec<File>, Error> {
        let id = self.replica(replica)?;
        let asked = sqlx::query(include_str!("../sql/sqlite/copy_to_audit.sql"));
        self.list(
            "list what is to be audited",
            asked.bind(id).bind(moment::to_text(before)).bind(most),
            File::of,
        )
    }

    /// Files of a replica whose copy nobody has verified, behind one that was listed before.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn unverified(&self, replica: &str, behind: Option<&File>, most: u32) -> Result<Vec<File>, Error> {
        let id = self.replica(replica)?;
        let behind = behind.map_or(0, |file| file.id);
        let asked = sqlx::query(include_str!("../sql/sqlite/copy_unverified.sql"));
        self.list("list what nobody has verified", asked.bind(id).bind(behind).bind(most), File::of)
    }

    /// Files of a replica whose copy is failed, missing or changed, behind one that was told before.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn bad(
        &self,
        replica: &str,
        state: State,
        behind: Option<&File>,
        most: u32,
    ) -> Result<Vec<File>, Error> {
        let id = self.replica(replica)?;
        let behind = behind.map_or(0, |file| file.id);
        let asked = sqlx::query(include_str!("../sql/sqlite/copy_bad.sql"));
        self.list("list what is wrong", asked.bind(id).bind(state.name()).bind(behind).bind(most), File::of)
    }

    /// The last audits of a replica, the newest first.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn audits(&self, replica: &str, most: u32) -> Result<Vec<Audit>, Error> {
        let id = self.replica(replica)?;
        let asked = sqlx::query(include_str!("../sql/sqlite/audit_last.sql")).bind(id).bind(most);
        self.list("list audits", asked, Audit::of)
    }

    /// The last audit of a replica that looked at this, however many of the other kind came after it.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn last_audit(&self, replica: &str, kind: AuditKind) -> Result<Option<Audit>, Error> {
        let id = self.replica(replica)?;
        let asked = sqlx::query(include_str!("../sql/sqlite/audit_last_of_kind.sql"));
        let audits = self.list("list audits", asked.bind(id).bind(kind.name()), Audit::of)?;
        Ok(audits.into_iter().next())
    }

    /// So many events behind the one with this number, in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events(&self, behind: u64, most: u32) -> Result<Vec<Event>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/event_list.sql")).bind(stored(behind)).bind(most);
        self.list("list events", asked, Event::of)
    }

    /// The newest events, the last first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn newest_events(&self, most: u32) -> Result<Vec<Event>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/event_newest.sql")).bind(most);
        self.list("list events", asked, Event::of)
    }

    /// The newest events about a file, the last first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events_of(&self, file: &str, most: u32) -> Result<Vec<Event>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/event_of_file.sql"));
        self.list("list events", asked.bind(file.to_owned()).bind(most), Event::of)
    }

    /// Whether there is any event of this kind about a file.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_event(&self, file: &str, kind: &str) -> Result<bool, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/event_of_kind.sql"));
        let asked = asked.bind(file.to_owned()).bind(kind.to_owned());
        Ok(!self.list("list events", asked, |_| Ok(()))?.is_empty())
    }

    fn replica(&self, name: &str) -> Result<i64, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/replica_find.sql")).bind(name.to_owned());
        let row =
            self.wait(asked.fetch_optional(&self.readers)).map_err(Error::database("look for a replica"))?;
        let row = row.ok_or_else(|| Error::NoReplica(name.to_owned()))?;
        row.try_get(0).map_err(Error::database("read a replica's row"))
    }

    fn list<T>(
        &self,
        what: &'static str,
        asked: Asked,
        read: impl Fn(&SqliteRow) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let rows = self.wait(asked.fetch_all(&self.readers)).map_err(Error::database(what))?;
        rows.iter().map(read).collect()
    }

    fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

/// Makes a file's name survive a power loss.
fn sync_above(file: &Path) -> io::Result<()> {
    let above = file.parent().filter(|above| *above != Path::new("")).unwrap_or(Path::new("."));
    fs::File::open(above)?.sync_all()
}

/// A statement with what it is about.
pub(crate) type Asked = sqlx::query::Query<'static, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;
