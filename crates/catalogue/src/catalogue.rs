//! The database: opened, asked, changed in one step or not at all, and copied while it is used.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use db::{Database, Location, Row, Settings, Sql, Statement};
use jiff::{SignedDuration, Timestamp};
use tokio::runtime::{Builder, Runtime};

use crate::audit::{Audit, AuditKind};
use crate::change::Change;
use crate::copy::{Copy, State, Tally};
use crate::error::Error;
use crate::event::Event;
use crate::file::{File, Sums, stored};
use crate::replica::{Kind, Replica};
use crate::schema::SCHEMA;

const COPY_UNVERIFIED: Sql = Sql {
    sqlite: include_str!("../sql/sqlite/copy_unverified.sql"),
    postgres: include_str!("../sql/postgres/copy_unverified.sql"),
};
const FILE_JOBS: Sql = Sql {
    sqlite: include_str!("../sql/sqlite/file_jobs.sql"),
    postgres: include_str!("../sql/postgres/file_jobs.sql"),
};
/// Nobody makes a longer pause before something is tried again.
const PAUSE_MAX: SignedDuration = SignedDuration::from_hours(24);

/// A copy that is due later than this is due now: a clock that was ahead has set its time.
pub(crate) fn latest_due(now: Timestamp) -> Timestamp {
    now.checked_add(PAUSE_MAX).unwrap_or(Timestamp::MAX)
}

/// A catalogue in an SQLite file or on a PostgreSQL server. A clone is cheap and is the same catalogue; other processes may have it open, too.
///
/// Its calls wait for the disk or the server: none may be made on a thread of an asynchronous runtime.
#[derive(Debug, Clone)]
pub struct Catalogue {
    path: PathBuf,
    database: Database,
    runtime: Arc<Runtime>,
}

impl Catalogue {
    /// Opens the catalogue in a file; makes it where there is none, and brings an older one up to date.
    ///
    /// # Errors
    /// When the file cannot be opened, is something else, or was made by a later version of this program.
    pub fn open(path: &Path) -> Result<Catalogue, Error> {
        Catalogue::open_at(&Location::from(path), path)
    }

    /// As [`open`](Catalogue::open), in a file or on a server. Beside `path`, which is the file or its place, are the locks.
    ///
    /// # Errors
    /// As [`open`](Catalogue::open), and when the server cannot be reached.
    pub fn open_at(location: &Location, path: &Path) -> Result<Catalogue, Error> {
        let runtime = start_runtime()?;
        let opened = runtime.block_on(Database::open(location, SCHEMA, Settings::default()));
        let database = opened.map_err(Error::opening)?;
        Ok(Catalogue { path: path.to_owned(), database, runtime: Arc::new(runtime) })
    }

    /// Makes a catalogue of a backup, where there is none yet.
    ///
    /// # Errors
    /// When there is one with rows, or the backup is damaged or of another kind of database.
    pub fn restore(from: &Path, location: &Location, path: &Path) -> Result<Catalogue, Error> {
        let runtime = start_runtime()?;
        let restored = runtime.block_on(Database::restore(from, location, SCHEMA, Settings::default()));
        let database = restored.map_err(Error::opening)?;
        Ok(Catalogue { path: path.to_owned(), database, runtime: Arc::new(runtime) })
    }

    /// Its file; where it is on a server, the place of the file that it would be. Locks are beside it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is.
    #[must_use]
    pub fn location(&self) -> &Location {
        self.database.location()
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
        let begun = self.wait(self.database.begin());
        let transaction = begun.map_err(Error::database("begin a change")).map_err(E::from)?;
        let mut change = Change::new(transaction, &self.runtime);
        let made = make(&mut change)?;
        change.commit()?;
        Ok(made)
    }

    /// Copies the whole catalogue, as of now, to a file that is not there yet; others read and write meanwhile. The file has its name only
    /// when all of it is on the disk. From SQLite it is a catalogue, from PostgreSQL a dump of the rows.
    ///
    /// # Errors
    /// When there is such a file, or it cannot be written; then nothing of it is left.
    pub fn back_up(&self, to: &Path) -> Result<(), Error> {
        self.wait(self.database.back_up(to)).map_err(|error| match error {
            db::Error::Statement(_) => Error::database("be copied")(error),
            _ => Error::BackUp(error),
        })
    }

    /// Checks whether the database is whole.
    ///
    /// # Errors
    /// When the check could not run; the database may be whole or damaged.
    pub fn is_whole(&self) -> Result<bool, Error> {
        self.wait(self.database.is_whole()).map_err(Error::database("check its pages"))
    }

    /// The replicas, in the order in which they came.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn replicas(&self) -> Result<Vec<Replica>, Error> {
        let asked = db::query(include_str!("../sql/replica_list.sql"));
        let replica = |row: &Row| {
            let text = |column| row.get::<String>(column).map_err(Error::database("read a replica's row"));
            Ok(Replica { name: text("name")?, kind: Kind::parse(&text("kind")?)? })
        };
        self.list("list its replicas", asked, replica)
    }

    /// A file by its name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn file(&self, name: &str) -> Result<Option<File>, Error> {
        let asked = db::query(include_str!("../sql/file_find.sql")).bind(name.to_owned());
        let row =
            self.wait(asked.fetch_optional(&self.database)).map_err(Error::database("look for a file"))?;
        row.as_ref().map(File::of).transpose()
    }

    /// So many files in the order of their names, behind this name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn files(&self, behind: &str, most: u32) -> Result<Vec<File>, Error> {
        let asked = db::query(include_str!("../sql/file_list.sql")).bind(behind.to_owned()).bind(most);
        self.list("list its files", asked, File::of)
    }

    /// The jobs that files are of. However many files each has, this takes a step a job.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn jobs(&self) -> Result<Vec<String>, Error> {
        let asked = db::query(FILE_JOBS);
        let name = |row: &Row| row.get("name").map_err(Error::database("read a job's name"));
        self.list("list its jobs", asked, name)
    }

    /// How many files there are, and how long they are.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn sums(&self) -> Result<Sums, Error> {
        let asked = db::query(include_str!("../sql/file_sums.sql"));
        let row = self.wait(asked.fetch_one(&self.database)).map_err(Error::database("count its files"))?;
        let number = |column| row.get(column).map_err(Error::database("count its files"));
        Ok(Sums { files: number("files")?, bytes: number("bytes")?, accepted: number("accepted")? })
    }

    /// How it stands with a file in each replica.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn copies(&self, file: &File) -> Result<Vec<Copy>, Error> {
        let asked = db::query(include_str!("../sql/copy_of_file.sql")).bind(file.id);
        self.list("list copies", asked, Copy::of)
    }

    /// How many copies of each replica are in which state.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn tallies(&self) -> Result<Vec<Tally>, Error> {
        self.list("tell how things stand", db::query(include_str!("../sql/tally_list.sql")), Tally::of)
    }

    /// Files that are to be brought to a replica by now, the longest due first. Whatever is due only after the longest pause that
    /// anybody makes was written down by a clock that was ahead, and is due, too.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn due(&self, replica: &str, now: Timestamp, most: u32) -> Result<Vec<File>, Error> {
        let id = self.replica(replica)?;
        let asked = db::query(include_str!("../sql/copy_due.sql"));
        let latest = latest_due(now);
        let asked = asked.bind(id).bind(now).bind(most).bind(latest);
        self.list("list what is due", asked, File::of)
    }

    /// Files of a replica that were last found sound before this time, the longest ago first.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn to_audit(&self, replica: &str, before: Timestamp, most: u32) -> Result<Vec<File>, Error> {
        let id = self.replica(replica)?;
        let asked = db::query(include_str!("../sql/copy_to_audit.sql"));
        self.list("list what is to be audited", asked.bind(id).bind(before).bind(most), File::of)
    }

    /// Files of a replica whose copy nobody has verified, behind one that was listed before.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn unverified(&self, replica: &str, behind: Option<&File>, most: u32) -> Result<Vec<File>, Error> {
        let id = self.replica(replica)?;
        let behind = behind.map_or(0, |file| file.id);
        let asked = db::query(COPY_UNVERIFIED);
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
        let asked = db::query(include_str!("../sql/copy_bad.sql"));
        self.list("list what is wrong", asked.bind(id).bind(state.name()).bind(behind).bind(most), File::of)
    }

    /// The last audits of a replica, the newest first.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn audits(&self, replica: &str, most: u32) -> Result<Vec<Audit>, Error> {
        let id = self.replica(replica)?;
        let asked = db::query(include_str!("../sql/audit_last.sql")).bind(id).bind(most);
        self.list("list audits", asked, Audit::of)
    }

    /// The last audit of a replica that looked at this, however many of the other kind came after it.
    ///
    /// # Errors
    /// When there is no such replica, or the database cannot be read.
    pub fn last_audit(&self, replica: &str, kind: AuditKind) -> Result<Option<Audit>, Error> {
        let id = self.replica(replica)?;
        let asked = db::query(include_str!("../sql/audit_last_of_kind.sql"));
        let audits = self.list("list audits", asked.bind(id).bind(kind.name()), Audit::of)?;
        Ok(audits.into_iter().next())
    }

    /// So many events behind the one with this number, in their order.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events(&self, behind: u64, most: u32) -> Result<Vec<Event>, Error> {
        let asked = db::query(include_str!("../sql/event_list.sql")).bind(stored(behind)).bind(most);
        self.list("list events", asked, Event::of)
    }

    /// The newest events, the last first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn newest_events(&self, most: u32) -> Result<Vec<Event>, Error> {
        let asked = db::query(include_str!("../sql/event_newest.sql")).bind(most);
        self.list("list events", asked, Event::of)
    }

    /// The newest events about a file, the last first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events_of(&self, file: &str, most: u32) -> Result<Vec<Event>, Error> {
        let asked = db::query(include_str!("../sql/event_of_file.sql"));
        self.list("list events", asked.bind(file.to_owned()).bind(most), Event::of)
    }

    /// Whether there is any event of this kind about a file.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_event(&self, file: &str, kind: &str) -> Result<bool, Error> {
        let asked = db::query(include_str!("../sql/event_of_kind.sql"));
        let asked = asked.bind(file.to_owned()).bind(kind.to_owned());
        Ok(!self.list("list events", asked, |_| Ok(()))?.is_empty())
    }

    fn replica(&self, name: &str) -> Result<i64, Error> {
        let asked = db::query(include_str!("../sql/replica_find.sql")).bind(name.to_owned());
        let row =
            self.wait(asked.fetch_optional(&self.database)).map_err(Error::database("look for a replica"))?;
        let row = row.ok_or_else(|| Error::NoReplica(name.to_owned()))?;
        row.get("id").map_err(Error::database("read a replica's row"))
    }

    fn list<T>(
        &self,
        what: &'static str,
        asked: Statement,
        read: impl Fn(&Row) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let rows = self.wait(asked.fetch_all(&self.database)).map_err(Error::database(what))?;
        rows.iter().map(read).collect()
    }

    fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

fn start_runtime() -> Result<Runtime, Error> {
    let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("catalogue").enable_all().build();
    runtime.map_err(Error::Thread)
}
