//! The database, for reading and for what people change. Checks are written by [`settling`](crate::settling) alone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ::db::{Database, FromColumn, Location, Row, Sql, Statement, Transaction};
use jiff::Timestamp;
use jiff::civil::Date;
use tempfile::TempDir;

use crate::check::{Check, Outcome};
use crate::day::Day;
use crate::error::Error;
use crate::known::Known;
use crate::logins::KeepLogins;
use crate::person::Person;
use crate::read_only::{self, ReadOnlyDatabase};
use crate::schema::SCHEMA;
use crate::sha256::Sha256;
use crate::state::{State, Untold};
use crate::version::Version;
use crate::watching::{Watch, Wish};
use crate::{moment, schema};

/// What makes no sense is looked at again after this.
pub(crate) const BAD_PAUSE: Duration = Duration::from_secs(3600);
/// The most messages that are told of a watch.
const UNTOLD_MAX: u32 = 20;

pub(crate) const WATCH_LIST: Sql = Sql {
    sqlite: include_str!("../sql/sqlite/watch_list.sql"),
    postgres: include_str!("../sql/postgres/watch_list.sql"),
};

/// The database in an SQLite file or on a PostgreSQL server. A clone is cheap and is the same; other processes may have it open, too.
#[derive(Debug, Clone)]
pub(crate) struct Db {
    database: Database,
    /// Nothing can be written.
    is_read_only: bool,
    /// Removed with the last of its users.
    _copy: Option<Arc<TempDir>>,
}

/// A field of a row.
pub(crate) fn get<T: FromColumn>(row: &Row, column: &str) -> Result<T, Error> {
    row.get(column).map_err(Error::database("read a row"))
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
    /// Opens the database; makes it where there is none, and brings an older one up to date. User names and passwords in the URLs of
    /// an older one leave it only where somebody keeps them.
    pub(crate) async fn open(location: &Location, keep: Option<&KeepLogins>) -> Result<Db, Error> {
        let schema = match location.path() {
            Some(path) => schema::prepare(path, keep).await?,
            None => SCHEMA,
        };
        let database = Database::open(location, schema, ::db::Settings::default()).await;
        Ok(Db { database: database.map_err(Error::opening)?, is_read_only: false, _copy: None })
    }

    /// Opens the database for reading, where nothing can be written beside it.
    pub(crate) async fn open_read_only(location: &Location) -> Result<Db, Error> {
        let Some(path) = location.path() else {
            return Ok(Db { is_read_only: true, ..Db::open(location, None).await? });
        };
        let ReadOnlyDatabase { path, is_quiet, copy } = read_only::find(path).await?;
        let database = Database::open_read_only(&path, SCHEMA, ::db::Settings::default(), is_quiet);
        Ok(Db { database, is_read_only: true, _copy: copy })
    }

    /// The same database by connections of its own.
    pub(crate) fn separate(&self) -> Db {
        Db { database: self.database.separate(), ..self.clone() }
    }

    /// Whether nothing can be written.
    pub(crate) fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    fn writing(&self) -> Result<&Database, Error> {
        if self.is_read_only { Err(Error::ReadOnly) } else { Ok(&self.database) }
    }

    /// Begins to write, when nobody else does.
    pub(crate) async fn begin(&self) -> Result<Transaction, Error> {
        self.writing()?.begin().await.map_err(Error::database("begin to write"))
    }

    /// Copies the database to a file that is not there yet.
    pub(crate) async fn back_up(&self, to: &Path) -> Result<(), Error> {
        self.database.back_up(to).await.map_err(Error::database("be copied"))
    }

    /// Makes a database of a backup, where there is none yet. What an earlier version has backed up keeps that version until it is opened.
    pub(crate) async fn restore(location: &Location, from: &Path) -> Result<(), Error> {
        let restored = Database::restore(from, location, SCHEMA, ::db::Settings::default()).await;
        restored.map_err(Error::opening)?.close().await;
        Ok(())
    }

    /// Lets go of the file, or of the server.
    pub(crate) async fn close(&self) {
        self.database.close().await;
    }

    /// What is known of a URL.
    pub(crate) async fn resource(&self, url: &str) -> Result<Option<Known>, Error> {
        let asked = ::db::query(include_str!("../sql/resource_find.sql")).bind(url.to_owned());
        self.one("look for a URL", asked, Known::of).await
    }

    /// The digests of all newest versions.
    pub(crate) async fn newest_digests(&self) -> Result<HashSet<Sha256>, Error> {
        let asked = ::db::query(include_str!("../sql/resource_digests.sql"));
        let of = |row: &Row| Sha256::parse("digest", &get::<Vec<u8>>(row, "digest")?);
        Ok(self.list("list digests", asked, of).await?.into_iter().collect())
    }

    pub(crate) async fn version(&self, resource: i64, number: u32) -> Result<Option<Version>, Error> {
        let asked = ::db::query(include_str!("../sql/version_find.sql")).bind(resource).bind(number);
        self.one("look for a version", asked, Version::of).await
    }

    /// The youngest version that is not younger than this time.
    pub(crate) async fn version_at(&self, resource: i64, at: Timestamp) -> Result<Option<Version>, Error> {
        let asked = ::db::query(include_str!("../sql/version_at.sql"));
        let asked = asked.bind(resource).bind(moment::to_number(at));
        self.one("look for a version", asked, Version::of).await
    }

    pub(crate) async fn versions(
        &self,
        resource: i64,
        behind: u32,
        most: u32,
    ) -> Result<Vec<Version>, Error> {
        let asked = ::db::query(include_str!("../sql/version_list.sql")).bind(resource);
        self.list("list versions", asked.bind(behind).bind(most), Version::of).await
    }

    /// So many versions before this number, the newest first.
    pub(crate) async fn versions_before(
        &self,
        resource: i64,
        before: u32,
        most: u32,
    ) -> Result<Vec<Version>, Error> {
        let asked = ::db::query(include_str!("../sql/version_before.sql")).bind(resource);
        self.list("list versions", asked.bind(before).bind(most), Version::of).await
    }

    /// So many checks before this one, the newest first.
    pub(crate) async fn checks_before(
        &self,
        resource: i64,
        before: i64,
        most: u32,
    ) -> Result<Vec<Check>, Error> {
        let asked = ::db::query(include_str!("../sql/look_before.sql"));
        self.list("list checks", asked.bind(resource).bind(before).bind(most), Check::of).await
    }

    /// How each day went, from this one on.
    pub(crate) async fn days(&self, resource: i64, from: Date) -> Result<Vec<Day>, Error> {
        let from = from.to_zoned(jiff::tz::TimeZone::UTC).map_or(0, |day| moment::to_number(day.timestamp()));
        let asked = ::db::query(include_str!("../sql/look_days.sql")).bind(resource).bind(from);
        self.list("list days", asked, Day::of).await
    }

    /// How a watch stands.
    pub(crate) async fn state(&self, watch: i64, recent: u32) -> Result<Option<State>, Error> {
        let asked = ::db::query(include_str!("../sql/watch_state.sql")).bind(watch);
        let found = self.one("see how a watch stands", asked, State::of).await?;
        let Some(mut state) = found else { return Ok(None) };
        if let Some(id) = state.last_check {
            state.last = self.check(id).await?;
        }
        let asked = ::db::query(include_str!("../sql/watch_recent.sql")).bind(watch).bind(recent);
        let of = |row: &Row| Outcome::parse(&get::<String>(row, "outcome")?);
        state.recent = self.list("list checks", asked, of).await?;
        state.recent.reverse();
        let asked = ::db::query(include_str!("../sql/watch_untold.sql")).bind(watch).bind(UNTOLD_MAX);
        state.untold = self.list("list messages", asked, Untold::of).await?;
        Ok(Some(state))
    }

    pub(crate) async fn check(&self, id: i64) -> Result<Option<Check>, Error> {
        let asked = ::db::query(include_str!("../sql/look_find.sql")).bind(id);
        self.one("look for a check", asked, Check::of).await
    }

    pub(crate) async fn checks(&self, resource: i64, behind: i64, most: u32) -> Result<Vec<Check>, Error> {
        let asked = ::db::query(include_str!("../sql/look_list.sql"));
        self.list("list checks", asked.bind(resource).bind(behind).bind(most), Check::of).await
    }

    /// The last check that was not made after this time.
    pub(crate) async fn check_at(&self, resource: i64, at: Timestamp) -> Result<Option<Check>, Error> {
        let asked = ::db::query(include_str!("../sql/look_at.sql"));
        self.one("look for a check", asked.bind(resource).bind(moment::to_number(at)), Check::of).await
    }

    /// Whether a job is in the archive.
    pub(crate) async fn is_committed(&self, job: i64) -> Result<bool, Error> {
        let asked = ::db::query(include_str!("../sql/job_find.sql")).bind(job);
        let found = self.one("look for a job", asked, |row| get::<Option<i64>>(row, "committed_at")).await?;
        Ok(found.flatten().is_some())
    }

    pub(crate) async fn person(&self, name: &str) -> Result<Option<Person>, Error> {
        let asked = ::db::query(include_str!("../sql/person_find.sql")).bind(name.to_owned());
        self.one("look for a person", asked, |row| {
            Ok(Person { id: get(row, "id")?, name: get(row, "name")? })
        })
        .await
    }

    pub(crate) async fn add_person(&self, name: &str, at: Timestamp) -> Result<(), Error> {
        let asked = ::db::query(include_str!("../sql/person_add.sql")).bind(name.to_owned());
        self.write("add a person", asked.bind(moment::to_number(at))).await.map(drop)
    }

    /// The version that a person was last told of.
    pub(crate) async fn seen(&self, person: &Person, resource: i64) -> Result<Option<u32>, Error> {
        let asked = ::db::query(include_str!("../sql/seen_find.sql")).bind(person.id).bind(resource);
        self.one("look for what was seen", asked, |row| number("version", get(row, "version")?)).await
    }

    pub(crate) async fn save_seen(
        &self,
        person: &Person,
        resource: i64,
        version: u32,
        at: Timestamp,
    ) -> Result<(), Error> {
        let asked = ::db::query(include_str!("../sql/seen_save.sql")).bind(person.id).bind(resource);
        self.write("note what was seen", asked.bind(version).bind(moment::to_number(at))).await.map(drop)
    }

    /// Changes a watch; says whether there is one.
    pub(crate) async fn save_watch(&self, watch: &Watch) -> Result<bool, Error> {
        let (wish, (every, least, most)) = (&watch.wish, watch.wish.pace.numbers());
        let asked = ::db::query(include_str!("../sql/watch_save.sql")).bind(watch.id);
        let asked = asked.bind(every).bind(least).bind(most);
        let asked = asked.bind(i64::from(wish.how.head_first)).bind(i64::from(wish.how.force));
        let asked = asked.bind(json(&wish.rules)).bind(json(&wish.telling)).bind(i64::from(wish.is_paused));
        let asked = asked.bind(moment::to_number(watch.due_at));
        let asked = asked.bind(wish.title.clone()).bind(wish.tag_lines()).bind(wish.notes.clone());
        Ok(self.write("change a watch", asked.bind(wish.telling.gone_after)).await? > 0)
    }

    /// Says when a watch is due; whether there is one.
    pub(crate) async fn set_due(&self, id: i64, at: Timestamp) -> Result<bool, Error> {
        let asked = ::db::query(include_str!("../sql/watch_set_due.sql")).bind(id);
        Ok(self.write("say when a watch is due", asked.bind(moment::to_number(at))).await? > 0)
    }

    /// Removes a watch; says whether there was one.
    pub(crate) async fn remove_watch(&self, id: i64) -> Result<bool, Error> {
        let failed = || Error::database("remove a watch");
        let mut removing = self.begin().await?;
        let asked = ::db::query(include_str!("../sql/watch_remove.sql")).bind(id);
        let is_removed = asked.execute(&mut removing).await.map_err(failed())? > 0;
        if is_removed {
            let asked = ::db::query(include_str!("../sql/watch_given.sql")).bind(id);
            asked.execute(&mut removing).await.map_err(failed())?;
        }
        removing.commit().await.map_err(failed())?;
        Ok(is_removed)
    }

    pub(crate) async fn watch(&self, id: i64) -> Result<Option<Watch>, Error> {
        let asked = ::db::query(include_str!("../sql/watch_find.sql")).bind(id);
        self.one("look for a watch", asked, Watch::of).await
    }

    pub(crate) async fn watches(
        &self,
        owner: Option<&str>,
        find: Option<&str>,
        behind: i64,
        most: u32,
    ) -> Result<Vec<Watch>, Error> {
        let asked = ::db::query(WATCH_LIST).bind(behind);
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
        let asked = ::db::query(include_str!("../sql/watch_named.sql"));
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
        let asked = ::db::query(include_str!("../sql/watch_due.sql")).bind(moment::to_number(now));
        let asked = asked.bind(moment::to_number(behind)).bind(id).bind(most);
        let (due, bad) = self.list_good("list what is due", asked, Watch::of).await?;
        for id in bad {
            let asked = ::db::query(include_str!("../sql/watch_skip.sql")).bind(id);
            let pause = i64::try_from(BAD_PAUSE.as_millis()).unwrap_or(i64::MAX);
            self.write("skip a watch", asked.bind(moment::to_number(now)).bind(pause)).await?;
        }
        Ok(due)
    }

    /// Whether the database is whole, as far as it can tell by itself.
    pub(crate) async fn is_whole(&self) -> Result<bool, Error> {
        self.database.is_whole().await.map_err(Error::database("check its pages"))
    }

    pub(crate) async fn one<T>(
        &self,
        what: &'static str,
        asked: Statement,
        of: impl FnOnce(&Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let row = asked.fetch_optional(&self.database).await.map_err(Error::database(what))?;
        row.as_ref().map(of).transpose()
    }

    pub(crate) async fn rows(&self, what: &'static str, asked: Statement) -> Result<Vec<Row>, Error> {
        asked.fetch_all(&self.database).await.map_err(Error::database(what))
    }

    pub(crate) async fn list<T>(
        &self,
        what: &'static str,
        asked: Statement,
        of: impl Fn(&Row) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let rows = asked.fetch_all(&self.database).await.map_err(Error::database(what))?;
        rows.iter().map(of).collect()
    }

    /// The rows that make sense, and the first fields of those that do not, which are told: one bad row keeps nobody from the others.
    pub(crate) async fn list_good<T>(
        &self,
        what: &'static str,
        asked: Statement,
        of: impl Fn(&Row) -> Result<T, Error>,
    ) -> Result<(Vec<T>, Vec<i64>), Error> {
        let rows = asked.fetch_all(&self.database).await.map_err(Error::database(what))?;
        let (mut good, mut bad) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in &rows {
            match of(row) {
                Ok(one) => good.push(one),
                Err(error) => {
                    let id = get(row, "id")?;
                    tracing::error!("{what}: row {id} is passed over: {error}");
                    bad.push(id);
                }
            }
        }
        Ok((good, bad))
    }

    /// The first row of a statement that writes and has a `RETURNING`.
    pub(crate) async fn write_returning(
        &self,
        what: &'static str,
        asked: Statement,
    ) -> Result<Option<Row>, Error> {
        self.writing()?.write_returning(asked).await.map_err(Error::database(what))
    }

    pub(crate) async fn write(&self, what: &'static str, asked: Statement) -> Result<u64, Error> {
        self.writing()?.write(asked).await.map_err(Error::database(what))
    }
}

/// Adds a watch of a URL, which need not be known yet; `None` where the person has one of it.
pub(crate) async fn add_watch(
    change: &mut Transaction,
    owner: &Person,
    url: &str,
    wish: &Wish,
    at: Timestamp,
    due_at: Timestamp,
) -> Result<Option<i64>, Error> {
    let failed = || Error::database("add a watch");
    let asked = ::db::query(include_str!("../sql/resource_add.sql"));
    let asked = asked.bind(url.to_owned()).bind(urlkey::key(url)).bind(moment::to_number(at));
    asked.execute(&mut *change).await.map_err(failed())?;
    let (every, least, most) = wish.pace.numbers();
    let asked = ::db::query(include_str!("../sql/watch_add.sql")).bind(owner.id).bind(url.to_owned());
    let asked = asked.bind(every).bind(least).bind(most);
    let asked = asked.bind(i64::from(wish.how.head_first)).bind(i64::from(wish.how.force));
    let asked = asked.bind(json(&wish.rules)).bind(json(&wish.telling)).bind(i64::from(wish.is_paused));
    let asked = asked.bind(moment::to_number(due_at)).bind(moment::to_number(at));
    let asked = asked.bind(wish.title.clone()).bind(wish.tag_lines()).bind(wish.notes.clone());
    let asked = asked.bind(wish.telling.gone_after);
    let row = asked.fetch_optional(change).await.map_err(failed())?;
    row.as_ref().map(|row| get(row, "id")).transpose()
}

/// As it is kept where a field is a whole.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    // Texts and numbers can always be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// Where the database of an archive lies, unless the settings name a server.
pub(crate) fn path(archive: &Path) -> PathBuf {
    archive.join("watch.db")
}

/// The database of an archive: the one that the settings name, or the file in its folder.
pub(crate) fn location(archive: &Path, named: Option<&Location>) -> Location {
    named.cloned().unwrap_or_else(|| Location::Sqlite(path(archive)))
}
