//! The database, for reading and for what people change. Checks are written by [`settling`](crate::settling) alone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use sqlx::query::Query;
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
};
use sqlx::{Connection as _, Row as _, Sqlite, SqliteConnection};
use tempfile::TempDir;

use crate::check::{Check, Outcome};
use crate::day::Day;
use crate::error::Error;
use crate::known::Known;
use crate::logins::KeepLogins;
use crate::person::Person;
use crate::read_only::{self, ReadOnlyDatabase};
use crate::sha256::Sha256;
use crate::state::{State, Untold};
use crate::version::Version;
use crate::watching::{Watch, Wish};
use crate::{moment, schema};

/// How long a change waits for another process to end its own.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many may read at once.
const READERS: u32 = 4;
/// What makes no sense is looked at again after this.
pub(crate) const BAD_PAUSE: Duration = Duration::from_secs(3600);
/// The most messages that are told of a watch.
const UNTOLD_MAX: u32 = 20;

pub(crate) type Asked = Query<'static, Sqlite, SqliteArguments>;

/// The database in an SQLite file. A clone is cheap and is the same; other processes may have it open, too.
#[derive(Debug, Clone)]
pub(crate) struct Db {
    options: SqliteConnectOptions,
    readers: SqlitePool,
    /// `None` where nothing can be written.
    writer: Option<SqlitePool>,
    /// Removed with the last of its users.
    _copy: Option<Arc<TempDir>>,
}

fn pool(most: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new().max_connections(most)
}

/// A field of a row.
pub(crate) fn get<'r, T>(row: &'r SqliteRow, column: usize) -> Result<T, Error>
where
    T: sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite>,
{
    row.try_get(column).map_err(Error::database("read a row"))
}

/// A number that is not as large, or as small, as a database can have it.
pub(crate) fn number<T: TryFrom<i64>>(what: &'static str, found: i64) -> Result<T, Error> {
    T::try_from(found).map_err(|_| Error::Damaged { what, found: found.to_string() })
}

/// A count as it is stored.
pub(crate) fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Db {
    /// Opens the database in a file; makes it where there is none, and brings an older one up to date. User names and passwords in the URLs of
    /// an older one leave it only where somebody keeps them.
    pub(crate) async fn open(path: &Path, keep: Option<&KeepLogins>) -> Result<Db, Error> {
        let failed = |source| Error::Open { path: path.to_owned(), source: Arc::new(source) };
        private::protect_database(path);
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // What was acknowledged survives a power loss.
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(PATIENCE);
        let found = async {
            let mut connection = SqliteConnection::connect_with(&options).await?;
            let found = schema::version(&mut connection).await?;
            if found < schema::VERSION {
                schema::migrate(&mut connection, keep).await?;
            }
            connection.close().await?;
            Ok(found)
        };
        let found = found.await.map_err(failed)?;
        if found > schema::VERSION {
            return Err(Error::Later { path: path.to_owned(), found, known: schema::VERSION });
        }
        let reading = options.clone().read_only(true).create_if_missing(false);
        let writer = Some(pool(1).connect_lazy_with(options.clone()));
        Ok(Db { readers: pool(READERS).connect_lazy_with(reading), options, writer, _copy: None })
    }

    /// Opens the database in a file for reading, where nothing can be written beside it.
    pub(crate) async fn open_read_only(path: &Path) -> Result<Db, Error> {
        let ReadOnlyDatabase { options, copy } = read_only::find(path).await?;
        let readers = pool(READERS).connect_lazy_with(options.clone());
        Ok(Db { options, readers, writer: None, _copy: copy })
    }

    /// Whether nothing can be written.
    pub(crate) fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    fn writer(&self) -> Result<&SqlitePool, Error> {
        self.writer.as_ref().ok_or(Error::ReadOnly)
    }

    /// A connection of its own, for the one who writes checks.
    pub(crate) async fn connect(&self) -> Result<SqliteConnection, Error> {
        SqliteConnection::connect_with(&self.options).await.map_err(Error::database("be opened once more"))
    }

    /// Begins to write, when nobody else does.
    pub(crate) async fn begin(&self) -> Result<sqlx::Transaction<'static, Sqlite>, Error> {
        self.writer()?.begin_with("BEGIN IMMEDIATE").await.map_err(Error::database("begin to write"))
    }

    /// Lets go of the file.
    pub(crate) async fn close(&self) {
        self.readers.close().await;
        if let Some(writer) = &self.writer {
            writer.close().await;
        }
    }

    /// What is known of a URL.
    pub(crate) async fn resource(&self, url: &str) -> Result<Option<Known>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/resource_find.sql")).bind(url.to_owned());
        self.one("look for a URL", asked, Known::of).await
    }

    /// The digests of all newest versions.
    pub(crate) async fn newest_digests(&self) -> Result<HashSet<Sha256>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/resource_digests.sql"));
        let of = |row: &SqliteRow| Sha256::parse("digest", &get::<Vec<u8>>(row, 0)?);
        Ok(self.list("list digests", asked, of).await?.into_iter().collect())
    }

    pub(crate) async fn version(&self, resource: i64, number: u32) -> Result<Option<Version>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/version_find.sql")).bind(resource).bind(number);
        self.one("look for a version", asked, Version::of).await
    }

    /// The youngest version that is not younger than this time.
    pub(crate) async fn version_at(&self, resource: i64, at: Timestamp) -> Result<Option<Version>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/version_at.sql"));
        let asked = asked.bind(resource).bind(moment::to_number(at));
        self.one("look for a version", asked, Version::of).await
    }

    pub(crate) async fn versions(
        &self,
        resource: i64,
        behind: u32,
        most: u32,
    ) -> Result<Vec<Version>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/version_list.sql")).bind(resource);
        self.list("list versions", asked.bind(behind).bind(most), Version::of).await
    }

    /// So many versions before this number, the newest first.
    pub(crate) async fn versions_before(
        &self,
        resource: i64,
        before: u32,
        most: u32,
    ) -> Result<Vec<Version>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/version_before.sql")).bind(resource);
        self.list("list versions", asked.bind(before).bind(most), Version::of).await
    }

    /// So many checks before this one, the newest first.
    pub(crate) async fn checks_before(
        &self,
        resource: i64,
        before: i64,
        most: u32,
    ) -> Result<Vec<Check>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/look_before.sql"));
        self.list("list checks", asked.bind(resource).bind(before).bind(most), Check::of).await
    }

    /// How each day went, from this one on.
    pub(crate) async fn days(&self, resource: i64, from: Date) -> Result<Vec<Day>, Error> {
        let from = from.to_zoned(jiff::tz::TimeZone::UTC).map_or(0, |day| moment::to_number(day.timestamp()));
        let asked = sqlx::query(include_str!("../sql/sqlite/look_days.sql")).bind(resource).bind(from);
        self.list("list days", asked, Day::of).await
    }

    /// How a watch stands.
    pub(crate) async fn state(&self, watch: i64, recent: u32) -> Result<Option<State>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_state.sql")).bind(watch);
        let found = self.one("see how a watch stands", asked, State::of).await?;
        let Some(mut state) = found else { return Ok(None) };
        if let Some(id) = state.last_check {
            state.last = self.check(id).await?;
        }
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_recent.sql")).bind(watch).bind(recent);
        let of = |row: &SqliteRow| Outcome::parse(&get::<String>(row, 0)?);
        state.recent = self.list("list checks", asked, of).await?;
        state.recent.reverse();
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_untold.sql")).bind(watch).bind(UNTOLD_MAX);
        state.untold = self.list("list messages", asked, Untold::of).await?;
        Ok(Some(state))
    }

    pub(crate) async fn check(&self, id: i64) -> Result<Option<Check>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/look_find.sql")).bind(id);
        self.one("look for a check", asked, Check::of).await
    }

    pub(crate) async fn checks(&self, resource: i64, behind: i64, most: u32) -> Result<Vec<Check>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/look_list.sql"));
        self.list("list checks", asked.bind(resource).bind(behind).bind(most), Check::of).await
    }

    /// The last check that was not made after this time.
    pub(crate) async fn check_at(&self, resource: i64, at: Timestamp) -> Result<Option<Check>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/look_at.sql"));
        self.one("look for a check", asked.bind(resource).bind(moment::to_number(at)), Check::of).await
    }

    /// Whether a job is in the archive.
    pub(crate) async fn is_committed(&self, job: i64) -> Result<bool, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/job_find.sql")).bind(job);
        let found = self.one("look for a job", asked, |row| get::<Option<i64>>(row, 0)).await?;
        Ok(found.flatten().is_some())
    }

    pub(crate) async fn person(&self, name: &str) -> Result<Option<Person>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/person_find.sql")).bind(name.to_owned());
        self.one("look for a person", asked, |row| Ok(Person { id: get(row, 0)?, name: get(row, 1)? })).await
    }

    pub(crate) async fn add_person(&self, name: &str, at: Timestamp) -> Result<(), Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/person_add.sql")).bind(name.to_owned());
        self.write("add a person", asked.bind(moment::to_number(at))).await.map(drop)
    }

    /// The version that a person was last told of.
    pub(crate) async fn seen(&self, person: &Person, resource: i64) -> Result<Option<u32>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/seen_find.sql")).bind(person.id).bind(resource);
        self.one("look for what was seen", asked, |row| number("version", get(row, 0)?)).await
    }

    pub(crate) async fn save_seen(
        &self,
        person: &Person,
        resource: i64,
        version: u32,
        at: Timestamp,
    ) -> Result<(), Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/seen_save.sql")).bind(person.id).bind(resource);
        self.write("note what was seen", asked.bind(version).bind(moment::to_number(at))).await.map(drop)
    }

    /// Changes a watch; says whether there is one.
    pub(crate) async fn save_watch(&self, watch: &Watch) -> Result<bool, Error> {
        let (wish, (every, least, most)) = (&watch.wish, watch.wish.pace.numbers());
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_save.sql")).bind(watch.id);
        let asked = asked.bind(every).bind(least).bind(most);
        let asked = asked.bind(i64::from(wish.how.head_first)).bind(i64::from(wish.how.force));
        let asked = asked.bind(json(&wish.rules)).bind(json(&wish.telling)).bind(i64::from(wish.is_paused));
        let asked = asked.bind(moment::to_number(watch.due_at));
        let asked = asked.bind(wish.title.clone()).bind(wish.tag_lines()).bind(wish.notes.clone());
        Ok(self.write("change a watch", asked.bind(wish.telling.gone_after)).await? > 0)
    }

    /// Says when a watch is due; whether there is one.
    pub(crate) async fn set_due(&self, id: i64, at: Timestamp) -> Result<bool, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_set_due.sql")).bind(id);
        Ok(self.write("say when a watch is due", asked.bind(moment::to_number(at))).await? > 0)
    }

    /// Removes a watch; says whether there was one.
    pub(crate) async fn remove_watch(&self, id: i64) -> Result<bool, Error> {
        let failed = || Error::database("remove a watch");
        let mut removing = self.begin().await?;
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_remove.sql")).bind(id);
        let is_removed = asked.execute(&mut *removing).await.map_err(failed())?.rows_affected() > 0;
        if is_removed {
            let asked = sqlx::query(include_str!("../sql/sqlite/watch_given.sql")).bind(id);
            asked.execute(&mut *removing).await.map_err(failed())?;
        }
        removing.commit().await.map_err(failed())?;
        Ok(is_removed)
    }

    pub(crate) async fn watch(&self, id: i64) -> Result<Option<Watch>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_find.sql")).bind(id);
        self.one("look for a watch", asked, Watch::of).await
    }

    pub(crate) async fn watches(
        &self,
        owner: Option<&str>,
        find: Option<&str>,
        behind: i64,
        most: u32,
    ) -> Result<Vec<Watch>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_list.sql")).bind(behind);
        let asked = asked.bind(owner.map(str::to_owned)).bind(find.map(str::to_owned));
        self.list("list watches", asked.bind(most), Watch::of).await
    }

    /// The watches of a URL, of one person or of all.
    pub(crate) async fn watches_named(
        &self,
        url: &str,
        owner: Option<&str>,
        most: u32,
    ) -> Result<Vec<Watch>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_named.sql"));
        let asked = asked.bind(url.to_owned()).bind(owner.map(str::to_owned)).bind(most);
        self.list("look for a watch", asked, Watch::of).await
    }

    /// So many watches that are due by now, behind one of this time and number.
    pub(crate) async fn due(
        &self,
        now: Timestamp,
        (behind, id): (Timestamp, i64),
        most: u32,
    ) -> Result<Vec<Watch>, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/watch_due.sql")).bind(moment::to_number(now));
        let asked = asked.bind(moment::to_number(behind)).bind(id).bind(most);
        let (due, bad) = self.list_good("list what is due", asked, Watch::of).await?;
        for id in bad {
            let asked = sqlx::query(include_str!("../sql/sqlite/watch_skip.sql")).bind(id);
            let pause = i64::try_from(BAD_PAUSE.as_millis()).unwrap_or(i64::MAX);
            self.write("skip a watch", asked.bind(moment::to_number(now)).bind(pause)).await?;
        }
        Ok(due)
    }

    /// Whether the database is whole, page by page, as far as it can tell by itself.
    pub(crate) async fn is_whole(&self) -> Result<bool, Error> {
        let asked = sqlx::query(include_str!("../sql/sqlite/quick_check.sql"));
        match self.one("check its pages", asked, |row| get::<String>(row, 0)).await {
            Err(error) if error.is_damaged() => Ok(false),
            told => Ok(told?.as_deref() == Some("ok")),
        }
    }

    pub(crate) async fn one<T>(
        &self,
        what: &'static str,
        asked: Asked,
        of: impl FnOnce(&SqliteRow) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let row = asked.fetch_optional(&self.readers).await.map_err(Error::database(what))?;
        row.as_ref().map(of).transpose()
    }

    pub(crate) async fn list<T>(
        &self,
        what: &'static str,
        asked: Asked,
        of: impl Fn(&SqliteRow) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let rows = asked.fetch_all(&self.readers).await.map_err(Error::database(what))?;
        rows.iter().map(of).collect()
    }

    /// The rows that make sense, and the first fields of those that do not, which are told: one bad row keeps nobody from the others.
    pub(crate) async fn list_good<T>(
        &self,
        what: &'static str,
        asked: Asked,
        of: impl Fn(&SqliteRow) -> Result<T, Error>,
    ) -> Result<(Vec<T>, Vec<i64>), Error> {
        let rows = asked.fetch_all(&self.readers).await.map_err(Error::database(what))?;
        let (mut good, mut bad) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in &rows {
            match of(row) {
                Ok(one) => good.push(one),
                Err(error) => {
                    let id = get(row, 0)?;
                    tracing::error!("{what}: row {id} is passed over: {error}");
                    bad.push(id);
                }
            }
        }
        Ok((good, bad))
    }

    pub(crate) async fn write(&self, what: &'static str, asked: Asked) -> Result<u64, Error> {
        Ok(asked.execute(self.writer()?).await.map_err(Error::database(what))?.rows_affected())
    }
}

/// Adds a watch of a URL, which need not be known yet; `None` where the person has one of it.
pub(crate) async fn add_watch(
    connection: &mut SqliteConnection,
    owner: &Person,
    url: &str,
    wish: &Wish,
    at: Timestamp,
    due_at: Timestamp,
) -> Result<Option<i64>, Error> {
    let failed = || Error::database("add a watch");
    let asked = sqlx::query(include_str!("../sql/sqlite/resource_add.sql"));
    let asked = asked.bind(url.to_owned()).bind(urlkey::key(url)).bind(moment::to_number(at));
    asked.execute(&mut *connection).await.map_err(failed())?;
    let (every, least, most) = wish.pace.numbers();
    let asked = sqlx::query(include_str!("../sql/sqlite/watch_add.sql")).bind(owner.id).bind(url.to_owned());
    let asked = asked.bind(every).bind(least).bind(most);
    let asked = asked.bind(i64::from(wish.how.head_first)).bind(i64::from(wish.how.force));
    let asked = asked.bind(json(&wish.rules)).bind(json(&wish.telling)).bind(i64::from(wish.is_paused));
    let asked = asked.bind(moment::to_number(due_at)).bind(moment::to_number(at));
    let asked = asked.bind(wish.title.clone()).bind(wish.tag_lines()).bind(wish.notes.clone());
    let asked = asked.bind(wish.telling.gone_after);
    let row = asked.fetch_optional(connection).await.map_err(failed())?;
    row.as_ref().map(|row| get(row, 0)).transpose()
}

/// As it is kept where a field is a whole.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    // Texts and numbers can always be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// Where the database of an archive lies.
pub(crate) fn path(archive: &Path) -> PathBuf {
    archive.join("watch.db")
}
