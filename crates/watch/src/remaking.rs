//! Making the database again from the files that are kept: every check stands in the metadata of the job that took it, and so do the watches.
//!
//! What is not in the files is lost with the database: who is told (such addresses are secrets), what was news, what people have seen, and
//! what was learned to be noise. A copy of the database has all of it.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use ::db::{Location, Transaction};
use archive::Archive;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::address;
use crate::check::Outcome;
use crate::db::{self, Db, get, stored};
use crate::error::Error;
use crate::moment;
use crate::person::Person;
use crate::settings::How;
use crate::sha256::Sha256;
use crate::telling::Telling;
use crate::watching::{Pace, Watch, Wish};

/// The longest line that is read.
const LINE_BYTES: u64 = 4 << 20;
/// What the metadata of a job call its checks, and the watches of then.
pub(crate) const CHECKS: &str = "checks.jsonl";
pub(crate) const WATCHES: &str = "watches.jsonl";

/// What was brought back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Remade {
    /// Jobs that were read.
    pub jobs: u64,
    /// Checks of them.
    pub checks: u64,
    /// Versions that they found.
    pub versions: u64,
    /// Watches.
    pub watches: u64,
    /// Lines and jobs that could not be read.
    pub left_out: u64,
}

/// A watch as it is kept in the archive's files: without those who are told.
#[derive(Serialize, Deserialize)]
pub(crate) struct WatchLine {
    owner: String,
    url: String,
    title: String,
    tags: Vec<String>,
    notes: String,
    every_s: i64,
    least_s: Option<i64>,
    most_s: Option<i64>,
    head_first: bool,
    force: bool,
    is_paused: bool,
    rules: diff::RuleSet,
    gone_after: u32,
}

impl WatchLine {
    pub(crate) fn of(watch: Watch) -> WatchLine {
        let (every_s, least_s, most_s) = watch.wish.pace.numbers();
        let Watch { owner, url, wish, .. } = watch;
        let Wish { title, tags, notes, how, rules, telling, is_paused, .. } = wish;
        let (How { force, head_first }, gone_after) = (how, telling.gone_after);
        WatchLine {
            owner,
            url,
            title,
            tags,
            notes,
            every_s,
            least_s,
            most_s,
            head_first,
            force,
            is_paused,
            rules,
            gone_after,
        }
    }

    fn wish(self) -> Result<(String, String, Wish), Error> {
        let wish = Wish {
            pace: Pace::of(self.every_s, self.least_s, self.most_s)?,
            title: self.title,
            tags: self.tags,
            notes: self.notes,
            how: How { force: self.force, head_first: self.head_first },
            rules: self.rules,
            telling: Telling { gone_after: self.gone_after, ..Telling::default() },
            is_paused: self.is_paused,
        };
        Ok((self.owner, address::without_login(self.url), wish))
    }
}

/// A line of `checks.jsonl`.
#[derive(Deserialize)]
struct CheckLine {
    url: String,
    at: String,
    outcome: String,
    status: Option<u16>,
    final_url: Option<String>,
    #[serde(default)]
    redirects: u32,
    sha256: Option<String>,
    length: Option<u64>,
    version: Option<u32>,
    #[serde(default)]
    took_ms: u64,
    why: Option<String>,
    #[serde(default)]
    faults: Vec<String>,
    head: Option<String>,
}

/// Whether an archive has a database of checks that can be used. One that is not there cannot.
///
/// # Errors
/// When it could not be looked at; that says nothing of it.
pub async fn is_usable(archive: &Path, server: Option<&Location>) -> Result<bool, Error> {
    let location = db::location(archive, server);
    if location.path().is_some_and(|path| fs::metadata(path).map_or(0, |facts| facts.len()) == 0) {
        return Ok(false);
    }
    let is_whole = match Db::open(&location, None).await {
        Ok(db) => {
            let is_whole = db.is_whole().await;
            db.close().await;
            is_whole
        }
        Err(error) => Err(error),
    };
    match is_whole {
        Err(error) if error.is_damaged() => Ok(false),
        is_whole => is_whole,
    }
}

/// Copies the database of an archive while it is used, whole or not at all. `false` if it has none.
///
/// # Errors
/// When it cannot be read, there is such a copy, or it cannot be written.
pub async fn back_up(archive: &Path, server: Option<&Location>, to: &Path) -> Result<bool, Error> {
    let location = db::location(archive, server);
    if location.path().is_some_and(|path| !path.is_file()) {
        return Ok(false);
    }
    let db = Db::open(&location, None).await?;
    let copied = db.back_up(to).await;
    db.close().await;
    copied.map(|()| true)
}

/// Makes the database of an archive of a backup, where there is none yet.
///
/// # Errors
/// When there is one with rows, or the backup is damaged or of another kind of database.
pub async fn restore(archive: &Path, server: Option<&Location>, from: &Path) -> Result<(), Error> {
    Db::restore(&db::location(archive, server), from).await
}

/// Makes the file `watch.db` of an archive again from its files. One that is there, and cannot be used, is put aside.
///
/// # Errors
/// When the archive cannot be read, or the database cannot be written: then there is none.
pub async fn remake(archive: &Archive, now: Timestamp) -> Result<Remade, Error> {
    let path = db::path(archive.folder());
    for name in ["db", "db-wal", "db-shm"] {
        let found = path.with_extension(name);
        if found.exists() {
            let aside = beside(&found, &format!("aside-{}", urlkey::time::to_14(now)));
            fs::rename(&found, &aside).map_err(Error::file(&found))?;
        }
    }
    let part = beside(&path, "part");
    for name in [part.clone(), beside(&part, "-wal"), beside(&part, "-shm")] {
        let _ = fs::remove_file(name);
    }
    let db = Db::open(&Location::from(part.as_path()), None).await?;
    let mut remaking =
        Remaking { archive, db: db.clone(), urls: HashMap::new(), watches: None, remade: Remade::default() };
    let mut commits = archive.snapshot()?.commits().to_vec();
    commits.retain(archive::is_watch);
    commits.sort_by(|a, b| (a.at, &a.name).cmp(&(b.at, &b.name)));
    for commit in &commits {
        remaking.job(&commit.name, commit.at).await?;
    }
    remaking.watches(now).await?;
    let remade = remaking.remade;
    db.close().await;
    fs::File::open(&part).and_then(|file| file.sync_all()).map_err(Error::file(&part))?;
    fs::rename(&part, &path).map_err(Error::file(&path))?;
    Ok(remade)
}

/// A name beside another one.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(if ending.starts_with('-') { ending.to_owned() } else { format!(".{ending}") });
    PathBuf::from(name)
}

struct Remaking<'a> {
    archive: &'a Archive,
    db: Db,
    /// What is known of each URL so far.
    urls: HashMap<String, Seen>,
    /// The last list of watches.
    watches: Option<Vec<WatchLine>>,
    remade: Remade,
}

struct Seen {
    id: i64,
    newest: u32,
}

impl Remaking<'_> {
    /// Takes in one job.
    async fn job(&mut self, name: &str, began: Timestamp) -> Result<(), Error> {
        let failed = || Error::database("bring a job back");
        let Some(checks) = self.archive.note(name, CHECKS)? else {
            self.remade.left_out += 1;
            return Ok(());
        };
        if let Some(watches) = self.archive.note(name, WATCHES)? {
            self.watches = Some(lines(watches).filter_map(|line| serde_json::from_str(&line).ok()).collect());
        }
        let archive = self.archive;
        let mut transaction = self.db.begin().await?;
        let row = ::db::query(include_str!("../sql/job_begin.sql")).bind(name.to_owned());
        let row = row.bind(moment::to_number(began)).fetch_one(&mut transaction).await.map_err(failed())?;
        let job: i64 = get(&row, "id")?;
        let ended = ::db::query(include_str!("../sql/job_end.sql")).bind(job);
        ended.bind(moment::to_number(began)).execute(&mut transaction).await.map_err(failed())?;
        for line in lines(checks) {
            let line: Result<CheckLine, _> = serde_json::from_str(&line);
            match line.ok().and_then(Fact::of) {
                Some(fact) => {
                    self.remade.checks += 1;
                    self.remade.versions +=
                        u64::from(fact.write(&mut transaction, archive, &mut self.urls, job).await?);
                }
                None => self.remade.left_out += 1,
            }
        }
        transaction.commit().await.map_err(failed())?;
        self.remade.jobs += 1;
        Ok(())
    }

    /// Takes in the last list of watches.
    async fn watches(&mut self, now: Timestamp) -> Result<(), Error> {
        let failed = || Error::database("bring watches back");
        let mut transaction = self.db.begin().await?;
        let mut people: HashMap<String, Person> = HashMap::new();
        for line in self.watches.take().unwrap_or_default() {
            let Ok((owner, url, wish)) = line.wish() else {
                self.remade.left_out += 1;
                continue;
            };
            if !people.contains_key(&owner) {
                let added = ::db::query(include_str!("../sql/person_add.sql")).bind(owner.clone());
                added.bind(moment::to_number(now)).execute(&mut transaction).await.map_err(failed())?;
                let row = ::db::query(include_str!("../sql/person_find.sql")).bind(owner.clone());
                let row = row.fetch_one(&mut transaction).await.map_err(failed())?;
                people.insert(owner.clone(), Person { id: get(&row, "id")?, name: get(&row, "name")? });
            }
            if let Some(person) = people.get(&owner) {
                let added = db::add_watch(&mut transaction, person, &url, &wish, now, now).await?;
                self.remade.watches += u64::from(added.is_some());
            }
        }
        transaction.commit().await.map_err(failed())
    }
}

/// A check that makes sense.
struct Fact {
    line: CheckLine,
    at: Timestamp,
    outcome: Outcome,
    digest: Option<Sha256>,
}

impl Fact {
    fn of(mut line: CheckLine) -> Option<Fact> {
        line.url = address::without_login(line.url);
        line.final_url = line.final_url.map(address::without_login);
        let at = moment::rounded(line.at.parse().ok()?);
        let outcome = Outcome::parse(&line.outcome).ok()?;
        let digest = match &line.sha256 {
            Some(hex) => {
                Some(Sha256::parse("sha256", &data_encoding::HEXLOWER.decode(hex.as_bytes()).ok()?).ok()?)
            }
            None => None,
        };
        Some(Fact { line, at, outcome, digest })
    }

    /// Writes it down; whether it found a version.
    async fn write(
        self,
        change: &mut Transaction,
        archive: &Archive,
        urls: &mut HashMap<String, Seen>,
        job: i64,
    ) -> Result<bool, Error> {
        let failed = || Error::database("bring a check back");
        let Fact { line, at, outcome, digest } = self;
        if !urls.contains_key(&line.url) {
            let added = ::db::query(include_str!("../sql/resource_add.sql")).bind(line.url.clone());
            let added = added.bind(urlkey::key(&line.url)).bind(moment::to_number(at));
            added.execute(&mut *change).await.map_err(failed())?;
            let row = ::db::query(include_str!("../sql/resource_find.sql")).bind(line.url.clone());
            let row = row.fetch_one(&mut *change).await.map_err(failed())?;
            urls.insert(line.url.clone(), Seen { id: get(&row, "id")?, newest: 0 });
        }
        let Some(seen) = urls.get_mut(&line.url) else { return Ok(false) };
        let url = line.final_url.clone().unwrap_or_else(|| line.url.clone());
        let number = line.version.unwrap_or(0);
        let is_version = number > seen.newest && digest.is_some();
        let mut media_type = None;
        if let (true, Some(digest)) = (is_version, digest) {
            seen.newest = number;
            let found = archive.get(&url, Some(at)).ok().flatten();
            let mime = found.as_ref().map(|found| found.mime.to_owned()).unwrap_or_default();
            let added = ::db::query(include_str!("../sql/version_add.sql")).bind(seen.id).bind(number);
            let added = added.bind(moment::to_number(at)).bind(digest.bytes().to_vec());
            let added = added.bind(stored(line.length.unwrap_or(0))).bind(mime.clone()).bind(None::<String>);
            let added = added.bind(url).bind(None::<String>).bind(job).bind(String::new());
            added.execute(&mut *change).await.map_err(failed())?;
            media_type = Some(mime);
        }
        let added = ::db::query(include_str!("../sql/look_add.sql")).bind(seen.id).bind(job);
        let added = added.bind(moment::to_number(at)).bind(outcome.code()).bind(line.status.map(i64::from));
        let added = added
            .bind(line.final_url)
            .bind(line.redirects)
            .bind(digest.map(|digest| digest.bytes().to_vec()));
        let added =
            added.bind(line.length.map(stored)).bind(number).bind(stored(line.took_ms)).bind(line.why);
        let added = added.bind(line.faults.join(" ")).bind(line.head.map(String::into_bytes));
        let row = added.fetch_one(&mut *change).await.map_err(failed())?;
        let saved = ::db::query(include_str!("../sql/resource_remade.sql")).bind(seen.id).bind(seen.newest);
        let digest = digest.filter(|_| is_version).map(|digest| digest.bytes().to_vec());
        let saved =
            saved.bind(digest).bind(media_type).bind(get::<i64>(&row, "id")?).bind(moment::to_number(at));
        saved.execute(&mut *change).await.map_err(failed())?;
        Ok(is_version)
    }
}

/// Lines of a note; what is too long, or no text, is not among them.
fn lines(source: impl std::io::Read) -> impl Iterator<Item = String> {
    let mut source = BufReader::new(source);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match source.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(1..) => Some(String::from_utf8_lossy(&line).trim_end().to_owned()),
            _ => None,
        }
    })
}
