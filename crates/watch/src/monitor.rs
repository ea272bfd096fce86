//! The monitor of an archive: checks URLs, and knows what became of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::{Archive, Committed};
use fetch::gate::{Door, Gate};
use fetch::{Fetcher, Wanted};
use jiff::Timestamp;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;
use url::Url;
use warc::Algorithm;

use crate::address;
use crate::asking::Asker;
use crate::blocking::blocking;
use crate::bodies::Bodies;
use crate::check::{Check, Outcome};
use crate::db::{self, Db};
use crate::error::Error;
use crate::judging::judge;
use crate::known::Known;
use crate::ledger::Ledger;
use crate::payload::{self, Payload};
use crate::person::{self, Person};
use crate::read_only::is_read_only;
use crate::resource::MonitoredResource;
use crate::settings::{How, Settings};
use crate::settling::Settled;
use crate::state::State;
use crate::turns::Turns;
use crate::version::Version;
use crate::watching::{Watch, Wish};

/// Watches URLs for an archive. A clone is cheap and is the same monitor; other processes may have one of the same archive.
///
/// It belongs to the tokio runtime that it was opened on, because its fetcher does.
#[derive(Debug, Clone)]
pub struct Monitor(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    archive: Archive,
    settings: Settings,
    db: Db,
    asker: Asker,
    bodies: Bodies,
    /// `None` where nothing can be written.
    ledger: Option<Ledger>,
    turns: Turns,
    /// `ARCHIVE/watch`.
    folder: PathBuf,
}

impl Monitor {
    /// Opens the monitor of an archive: its database is made where there is none, and captures that a crash has left uncommitted are
    /// brought into the archive. An archive that cannot be written can be read, also without a database: checks and changes then fail with
    /// [`Error::ReadOnly`].
    ///
    /// # Errors
    /// When the database cannot be opened, is none, or was made by a later version of this program.
    pub async fn open(archive: &Archive, settings: Settings) -> Result<Monitor, Error> {
        let folder = archive.folder().join("watch");
        let arriving = folder.join("arriving");
        let path = db::path(archive.folder());
        let location = db::location(archive.folder(), settings.database.as_ref());
        let db = if is_read_only(&path, &folder.join("lock")) {
            Db::open_read_only(&location).await?
        } else {
            for folder in [&folder, &arriving] {
                private::make_folder(folder).map_err(Error::file(folder))?;
            }
            Db::open(&location, settings.keep_logins.as_ref()).await?
        };
        let mut fetch = settings.fetch.clone();
        let sha256 = || vec![Algorithm::Sha256];
        fetch.digests = Wanted { payload: sha256(), entity: sha256(), block: sha256() };
        fetch.spill_folder = Some(arriving);
        fetch.limits.redirects = settings.limits.redirects;
        fetch.pool.total = fetch.pool.total.max(settings.at_once);
        let fetcher = Fetcher::new(fetch)?;
        let door =
            settings.door.clone().unwrap_or_else(|| Door::new(Gate::new(settings.gate), Instant::now()));
        let slots = Semaphore::new(settings.at_once.clamp(1, Semaphore::MAX_PERMITS));
        let asker = Asker { fetcher, door, slots };
        let bodies = Bodies::of(&folder);
        let ledger = match db.is_read_only() {
            true => None,
            false => {
                Some(Ledger::start(db.clone(), archive.clone(), settings.clone(), bodies.clone()).await?)
            }
        };
        let turns = Turns::default();
        let archive = archive.clone();
        Ok(Monitor(Arc::new(Inner { archive, settings, db, asker, bodies, ledger, turns, folder })))
    }

    /// A URL, to ask about. Nothing is fetched yet.
    ///
    /// # Errors
    /// When it is none of the web's.
    pub fn resource(&self, url: &str) -> Result<MonitoredResource, Error> {
        let url = address::parse(url, self.0.settings.limits.url_bytes)?;
        Ok(MonitoredResource::new(self.clone(), url))
    }

    /// Checks many URLs, as many at once as the settings say and the gate lets through; in the order in which they were given.
    pub async fn check_many(&self, urls: &[&str], how: How) -> Vec<Result<Check, Error>> {
        let mut checks: Vec<Option<Result<Check, Error>>> = urls.iter().map(|_| None).collect();
        // Some wait at the gate while others are under way.
        let most = self.0.settings.at_once.saturating_mul(8).max(1);
        let mut under_way = JoinSet::new();
        let mut left = urls.iter().enumerate();
        loop {
            while under_way.len() < most
                && let Some((place, url)) = left.next()
            {
                let resource = self.resource(url);
                under_way.spawn(async move {
                    match resource {
                        Ok(resource) => (place, resource.check_as(how).await),
                        Err(error) => (place, Err(error)),
                    }
                });
            }
            match under_way.join_next().await {
                Some(Ok((place, check))) => {
                    if let Some(slot) = checks.get_mut(place) {
                        *slot = Some(check);
                    }
                }
                Some(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Some(Err(_)) => {}
                None => break,
            }
        }
        checks.into_iter().map(|check| check.unwrap_or(Err(Error::Closed))).collect()
    }

    /// Brings all captures so far into the archive, where they are found like any other; `None` if there are none. Whoever runs the monitor
    /// does that every few minutes and at the end.
    ///
    /// # Errors
    /// When the archive cannot write. What was checked is not lost by that: it is committed later.
    pub async fn commit(&self) -> Result<Option<Committed>, Error> {
        match &self.0.ledger {
            Some(ledger) => ledger.commit().await,
            None => Ok(None),
        }
    }

    /// Ends the monitor. What is not committed is, when the archive is next watched.
    pub async fn close(self) {
        self.0.db.close().await;
        if let Some(ledger) = &self.0.ledger {
            ledger.end().await;
        }
    }

    /// Whether somebody is called so already (E3).
    ///
    /// # Errors
    /// When it is no name, or the database cannot be read.
    pub async fn is_name_taken(&self, name: &str) -> Result<bool, Error> {
        let name = person::name(name, self.0.settings.limits.name_chars)?;
        Ok(self.0.db.person(&name).await?.is_some())
    }

    /// Somebody who asks, new or known: whoever uses a name has its memory.
    ///
    /// # Errors
    /// When it is no name, or the database cannot write.
    pub async fn person(&self, name: &str) -> Result<Person, Error> {
        let name = person::name(name, self.0.settings.limits.name_chars)?;
        if let Some(person) = self.0.db.person(&name).await? {
            return Ok(person);
        }
        self.0.db.add_person(&name, self.now()).await?;
        self.0.db.person(&name).await?.ok_or(Error::NoPerson(name))
    }

    /// Begins to watch a URL for somebody; it is due at once.
    ///
    /// # Errors
    /// When that person watches it already, or the database cannot write.
    pub async fn add_watch(&self, owner: &Person, url: &str, wish: &Wish) -> Result<Watch, Error> {
        self.add_watch_due(owner, url, wish, self.now()).await
    }

    /// The same, and says when it is due first.
    ///
    /// # Errors
    /// As [`add_watch`](Monitor::add_watch).
    pub async fn add_watch_due(
        &self,
        owner: &Person,
        url: &str,
        wish: &Wish,
        due_at: Timestamp,
    ) -> Result<Watch, Error> {
        let added = self.add_watches(owner, &[(url, wish, due_at)]).await?;
        match added.into_iter().next() {
            Some(Ok(id)) => self.watch(id).await,
            Some(Err(error)) => Err(error),
            None => Err(Error::Closed),
        }
    }

    /// Begins to watch many URLs for somebody, each with what is wanted of it and when it is due first: better not all at once. The number
    /// of each watch, or why there is none; all that can be added are, in one step.
    ///
    /// # Errors
    /// When the database cannot write: then none is added.
    pub async fn add_watches(
        &self,
        owner: &Person,
        watches: &[(&str, &Wish, Timestamp)],
    ) -> Result<Vec<Result<i64, Error>>, Error> {
        let (now, bytes_max) = (self.now(), self.0.settings.limits.url_bytes);
        let mut adding = self.0.db.begin().await?;
        let mut added = Vec::with_capacity(watches.len());
        for (url, wish, due_at) in watches {
            let url = match address::parse(url, bytes_max) {
                Ok(url) => url,
                Err(error) => {
                    added.push(Err(error));
                    continue;
                }
            };
            let id = db::add_watch(&mut adding, owner, url.as_str(), wish, now, *due_at).await?;
            let watched = || Error::Watched { owner: owner.name.clone(), url: url.to_string() };
            added.push(id.ok_or_else(watched));
        }
        adding.commit().await.map_err(Error::database("add watches"))?;
        Ok(added)
    }

    /// A watch by its number.
    ///
    /// # Errors
    /// When there is none, or the database cannot be read.
    pub async fn watch(&self, id: i64) -> Result<Watch, Error> {
        self.0.db.watch(id).await?.ok_or(Error::NoWatch(id))
    }

    /// How a watch stands, with so many of its last checks.
    ///
    /// # Errors
    /// When there is none, or the database cannot be read.
    pub async fn state(&self, id: i64, recent: u32) -> Result<State, Error> {
        self.0.db.state(id, recent).await?.ok_or(Error::NoWatch(id))
    }

    /// So many watches behind this number, of one person or of all.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn watches(&self, owner: Option<&Person>, behind: i64, most: u32) -> Result<Vec<Watch>, Error> {
        self.find_watches(owner.map(Person::name), None, behind, most).await
    }

    /// The same, of somebody by name, and only those with a text in URL, title or tags.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find_watches(
        &self,
        owner: Option<&str>,
        find: Option<&str>,
        behind: i64,
        most: u32,
    ) -> Result<Vec<Watch>, Error> {
        self.0.db.watches(owner, find, behind, most).await
    }

    /// The watches of a URL: that of somebody by name, or so many of all. Found at once, however many there are of other URLs.
    ///
    /// # Errors
    /// When it is no URL of the web's, or the database cannot be read.
    pub async fn watches_named(
        &self,
        url: &str,
        owner: Option<&str>,
        most: u32,
    ) -> Result<Vec<Watch>, Error> {
        let url = address::parse(url, self.0.settings.limits.url_bytes)?;
        self.0.db.watches_named(url.as_str(), owner, most).await
    }

    /// Watches that are to be checked by now, the longest due first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn due(&self, most: u32) -> Result<Vec<Watch>, Error> {
        self.bring_watches_forward().await?;
        self.0.db.due(self.now(), (Timestamp::UNIX_EPOCH, 0), most).await
    }

    /// Sets when a watch is due next. A time later than now plus its interval counts as now.
    ///
    /// # Errors
    /// When there is no such watch, or the database cannot write.
    pub async fn set_due(&self, id: i64, at: Timestamp) -> Result<(), Error> {
        if self.0.db.set_due(id, at).await? { Ok(()) } else { Err(Error::NoWatch(id)) }
    }

    /// Changes what is wanted of a watch. When it is due is changed only with its pace, or when it is paused or goes on.
    ///
    /// # Errors
    /// When there is no such watch, or the database cannot write.
    pub async fn change_watch(&self, watch: &Watch) -> Result<(), Error> {
        if self.0.db.save_watch(watch).await? { Ok(()) } else { Err(Error::NoWatch(watch.id)) }
    }

    /// Ends a watch. What was seen so far stays.
    ///
    /// # Errors
    /// When there is no such watch, or the database cannot write.
    pub async fn remove_watch(&self, id: i64) -> Result<(), Error> {
        if self.0.db.remove_watch(id).await? { Ok(()) } else { Err(Error::NoWatch(id)) }
    }

    /// Whether the database is whole, page by page, as far as it can tell by itself.
    ///
    /// # Errors
    /// When it could not be looked at; that says nothing of it.
    pub async fn is_whole(&self) -> Result<bool, Error> {
        self.0.db.is_whole().await
    }

    pub(crate) fn db(&self) -> &Db {
        &self.0.db
    }

    /// `ARCHIVE/watch`.
    pub(crate) fn folder(&self) -> &Path {
        &self.0.folder
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    /// An id that nobody else has.
    pub(crate) fn new_id(&self) -> String {
        (self.0.settings.ids)()
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.settings.now()
    }

    /// What is known of a URL that was checked, or is watched.
    pub(crate) async fn known(&self, url: &Url) -> Result<Known, Error> {
        self.0.db.resource(url.as_str()).await?.ok_or_else(|| Error::Unknown(url.to_string()))
    }

    /// UC6: asks the server, unless it was asked just now.
    pub(crate) async fn check(&self, url: &Url, how: How) -> Result<Check, Error> {
        self.check_and_see(url, how).await.map(|(check, _)| check)
    }

    /// The same; the URL's number if there is something to judge for those who watch it.
    pub(crate) async fn check_and_see(&self, url: &Url, how: How) -> Result<(Check, Option<i64>), Error> {
        let inner = &self.0;
        let ledger = inner.ledger.as_ref().ok_or(Error::ReadOnly)?;
        let _turn = inner.turns.take(url.as_str()).await;
        let known = inner.db.resource(url.as_str()).await?;
        if let Some(last) = self.too_soon(known.as_ref(), how).await? {
            return Ok((last, None));
        }
        let limits = inner.settings.limits.clone();
        let answer = inner.asker.ask(url, known.as_ref(), how, &limits).await;
        let (bodies, text) = (inner.bodies.clone(), url.to_string());
        let judging = blocking(move || judge(&text, answer, known.as_ref(), how, &limits, &bodies));
        let judged = judging.await??;
        let Settled { check, resource, is_news } = ledger.write(judged).await?;
        Ok((check, is_news.then_some(resource)))
    }

    /// The last check, if it is too new to ask again. Whoever forces what was too large asks something else.
    async fn too_soon(&self, known: Option<&Known>, how: How) -> Result<Option<Check>, Error> {
        let Some((id, at)) = known.and_then(|known| known.last_check.zip(known.checked_at)) else {
            return Ok(None);
        };
        let since = self.now().duration_since(at);
        // A check from the future was made while the clock was ahead; nobody knows how long ago that was.
        if since.is_negative() || since.unsigned_abs() >= self.0.settings.again_after {
            return Ok(None);
        }
        let last = self.0.db.check(id).await?;
        let is_answer = |check: &Check| !(how.force && matches!(check.outcome, Outcome::TooLarge { .. }));
        Ok(last.filter(is_answer).map(|check| Check { is_repeated: true, ..check }))
    }

    /// The document of a version. One that only an open job has is committed for that.
    pub(crate) async fn payload(&self, url: &Url, version: &Version) -> Result<Payload, Error> {
        if let Some(payload) = self.open_payload(version).await? {
            return Ok(payload);
        }
        if !self.0.db.is_committed(version.job).await? {
            self.commit().await?;
            if let Some(payload) = self.open_payload(version).await? {
                return Ok(payload);
            }
        }
        Err(Error::Lost { url: url.to_string(), number: version.number })
    }

    async fn open_payload(&self, version: &Version) -> Result<Option<Payload>, Error> {
        let (archive, bodies, version) = (self.0.archive.clone(), self.0.bodies.clone(), version.clone());
        blocking(move || payload::open(&archive, &bodies, &version)).await?
    }
}
