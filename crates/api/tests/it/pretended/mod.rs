//! Somebody who watches pages that are only pretended: all in memory, by a clock that tests turn. The pages' tests use it, too.

#![allow(dead_code, unused_imports)]

mod page;
mod site;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use api::watches::{
    Answer, Asked, CheckRow, Compared, DayRow, Document, Listed, NewsOf, NewsRow, Preview, VersionRow,
    WatchRow, WatchWish, Watcher, Which,
};
use api::{Error, FieldFault};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::broadcast;

pub(crate) use site::{FISH, ODD, ODD_TITLE, TIDES, fish};

use page::{Page, compared, kept};

/// When it begins.
pub(crate) const BEGAN: &str = "2026-11-16T12:00:00Z";

/// Watches what is pretended.
pub(crate) struct Pretended {
    inside: Mutex<Inside>,
    hours: AtomicI64,
    news: Mutex<Option<broadcast::Sender<NewsRow>>>,
}

#[derive(Default)]
struct Inside {
    pages: BTreeMap<String, Page>,
    watches: BTreeMap<i64, WatchRow>,
    news: Vec<NewsRow>,
    people: BTreeSet<String>,
    /// Which version somebody has seen last.
    seen: HashMap<(String, String), u32>,
    checks: i64,
}

impl Default for Pretended {
    fn default() -> Pretended {
        let news = Mutex::new(Some(broadcast::Sender::new(4)));
        Pretended { inside: Mutex::default(), hours: AtomicI64::new(0), news }
    }
}

impl Pretended {
    /// What a URL answers from now on.
    pub(crate) fn serve(&self, url: &str, media_type: &str, bytes: &[u8]) {
        let mut inside = self.inside.lock().unwrap();
        let page = inside.pages.entry(url.to_owned()).or_default();
        page.live = Some((media_type.to_owned(), bytes.to_vec()));
    }

    /// A URL does not answer any more.
    pub(crate) fn down(&self, url: &str) {
        self.inside.lock().unwrap().pages.entry(url.to_owned()).or_default().live = None;
    }

    /// It becomes later.
    pub(crate) fn later(&self, hours: i64) {
        self.hours.fetch_add(hours, Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> Timestamp {
        let began: Timestamp = BEGAN.parse().unwrap();
        began + SignedDuration::from_hours(self.hours.load(Ordering::SeqCst))
    }

    /// The server ends.
    pub(crate) fn close(&self) {
        *self.news.lock().unwrap() = None;
    }

    /// Something is told of a watch.
    pub(crate) fn tell(&self, watch: i64, kind: &'static str, summary: &str) -> i64 {
        let mut inside = self.inside.lock().unwrap();
        let row = inside.watches.get(&watch).unwrap().clone();
        let page = inside.pages.get(&row.wish.url);
        let versions = page.map(|page| page.versions.as_slice()).unwrap_or_default();
        let newest: Vec<&VersionRow> = versions.iter().rev().take(2).map(|(row, _)| row).collect();
        let (after, before) = (newest.first(), newest.get(1));
        let id = inside.news.len() as i64 + 1;
        let news = NewsRow {
            id,
            watch,
            owner: row.wish.owner.clone(),
            url: row.wish.url.clone(),
            title: row.wish.title.clone(),
            kind,
            time: self.now().to_string(),
            before: before.map(|version| version.number),
            after: after.map(|version| version.number),
            summary: summary.to_owned(),
            text: format!("- old\n+ {summary}\n"),
            html: "<del>old</del>".to_owned(),
            timestamps: (
                before.map(|version| version.timestamp.clone()),
                after.map(|version| version.timestamp.clone()),
            ),
        };
        if let Some(row) = inside.watches.get_mut(&watch) {
            (row.last_news, row.news) = (Some(news.time.clone()), row.news + 1);
        }
        inside.news.push(news.clone());
        if let Some(sender) = &*self.news.lock().unwrap() {
            let _ = sender.send(news);
        }
        id
    }

    /// A watch has something to say that could not be sent.
    pub(crate) fn untold(&self, watch: i64, why: &str) {
        let mut inside = self.inside.lock().unwrap();
        inside.watches.get_mut(&watch).unwrap().untold.push(why.to_owned());
    }

    fn look(&self, inside: &mut Inside, url: &str, person: Option<&str>) -> CheckRow {
        let now = self.now();
        inside.checks += 1;
        let id = inside.checks;
        let page = inside.pages.entry(url.to_owned()).or_default();
        let row = page.check(id, url, now);
        let version = row.version;
        for watch in inside.watches.values_mut().filter(|watch| watch.wish.url == url) {
            watch.last = Some(row.clone());
            watch.version = version.unwrap_or_default();
            watch.recent.push(row.outcome.to_owned());
            let from = watch.recent.len().saturating_sub(60);
            watch.recent.drain(..from);
        }
        if let (Some(person), Some(version)) = (person, version) {
            inside.people.insert(person.to_owned());
            inside.seen.insert((person.to_owned(), url.to_owned()), version);
        }
        row
    }

    fn find(&self, inside: &mut Inside, url: &str, which: Which) -> Result<VersionRow, Error> {
        let url = whole(url)?;
        let last = |inside: &Inside| inside.pages.get(&url).and_then(|page| page.versions.last().cloned());
        match which {
            Which::Current | Which::Reachable => {
                let check = self.look(inside, &url, None);
                if which == Which::Current && !check.available {
                    return Err(Error::NotHad(format!("{url} is not to be had: nobody answers")));
                }
            }
            Which::At(at) => {
                let page = inside.pages.get(&url);
                let page = page.filter(|page| !page.checks.is_empty()).ok_or_else(|| unknown(&url))?;
                let held =
                    page.versions.iter().rev().find(|(row, _)| row.time.parse::<Timestamp>().unwrap() <= at);
                let newest = page.checks.last().map(|check| check.time.parse::<Timestamp>().unwrap());
                if newest.is_none_or(|newest| at > newest) {
                    self.look(inside, &url, None);
                } else if let Some((row, _)) = held.or(page.versions.first()) {
                    return Ok(row.clone());
                }
            }
            Which::Number(number) => {
                let page = inside.pages.get(&url).ok_or_else(|| unknown(&url))?;
                let found = page.versions.iter().find(|(row, _)| row.number == number);
                return found.map(|(row, _)| row.clone()).ok_or_else(|| no_version(&url));
            }
        }
        last(inside).map(|(row, _)| row).ok_or_else(|| no_version(&url))
    }

    fn compare(&self, inside: &mut Inside, asked: &Asked) -> Result<Compared, Error> {
        let before = self.find(inside, &asked.url, asked.from)?;
        let after = self.find(inside, &asked.url, asked.to)?;
        let kept = asked.watch.map(|id| inside.watches.get(&id).ok_or_else(|| no_watch(id))).transpose()?;
        let rules = asked.rules.clone().or_else(|| kept.map(|watch| watch.wish.rules.clone()));
        let page = inside.pages.get(&whole(&asked.url)?).ok_or_else(|| unknown(&asked.url))?;
        compared(&asked.url, page, (before, after), &rules.unwrap_or_default())
    }
}

/// An answer that is there at once.
fn ready<T: Send + 'static>(answer: Result<T, Error>) -> Answer<T> {
    Box::pin(std::future::ready(answer))
}

fn unknown(url: &str) -> Error {
    Error::NotFound(format!("{url} was never checked"))
}

fn no_version(url: &str) -> Error {
    Error::NotFound(format!("there is no such version of {url}"))
}

fn no_watch(id: i64) -> Error {
    Error::NotFound(format!("there is no watch {id}"))
}

fn whole(url: &str) -> Result<String, Error> {
    let url = url.trim();
    let url = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    if is_web && !url.contains(' ') {
        Ok(url)
    } else {
        Err(wrong("/url", "that is no URL that can be watched"))
    }
}

fn wrong(pointer: &str, detail: &str) -> Error {
    Error::Fields(vec![FieldFault::new(pointer, detail)])
}

/// As it is kept.
fn settled(wish: WatchWish) -> Result<WatchWish, Error> {
    if wish.every == "sometimes" {
        return Err(wrong("/every", "it is a pause such as `1h`, `daily` or `adaptive 10m..24h`"));
    }
    let or = |text: String, usual: &str| if text.is_empty() { usual.to_owned() } else { text };
    Ok(WatchWish { url: whole(&wish.url)?, owner: or(wish.owner, "me"), every: or(wish.every, "6h"), ..wish })
}

impl Watcher for Pretended {
    fn check(&self, url: String, person: Option<String>, _: bool) -> Answer<CheckRow> {
        let mut inside = self.inside.lock().unwrap();
        ready(whole(&url).map(|url| self.look(&mut inside, &url, person.as_deref())))
    }

    fn version(&self, url: String, which: Which) -> Answer<VersionRow> {
        ready(self.find(&mut self.inside.lock().unwrap(), &url, which))
    }

    fn versions(&self, url: String, before: Option<u32>, most: u32) -> Answer<Vec<VersionRow>> {
        let inside = self.inside.lock().unwrap();
        let page = whole(&url).and_then(|url| inside.pages.get(&url).ok_or_else(|| unknown(&url)));
        ready(page.map(|page| {
            let rows = page.versions.iter().rev().map(|(row, _)| row);
            let rows = rows.filter(|row| before.is_none_or(|before| row.number < before));
            rows.take(most as usize).cloned().collect()
        }))
    }

    fn document(&self, url: String, number: u32) -> Answer<Document> {
        let inside = self.inside.lock().unwrap();
        let found =
            inside.pages.get(&url).and_then(|page| page.bytes(number)).ok_or_else(|| no_version(&url));
        ready(found.map(|(media_type, bytes)| Document { media_type, bytes }))
    }

    fn changes(&self, url: String, person: String) -> Answer<Compared> {
        let mut inside = self.inside.lock().unwrap();
        let answer = whole(&url).and_then(|url| {
            let before = inside.seen.get(&(person.clone(), url.clone())).copied();
            let check = self.look(&mut inside, &url, Some(&person));
            let not_had = || Error::NotHad(format!("{url} is not to be had: nobody answers"));
            let to = check.version.filter(|_| check.available).ok_or_else(not_had)?;
            let (from, to) = (Which::Number(before.unwrap_or(to)), Which::Number(to));
            let asked = Asked { url: url.clone(), from, to, watch: None, rules: None };
            let mut compared = self.compare(&mut inside, &asked)?;
            compared.row.changed = before.map(|_| !compared.row.empty);
            Ok(compared)
        });
        ready(answer)
    }

    fn difference(&self, asked: Asked) -> Answer<Compared> {
        ready(self.compare(&mut self.inside.lock().unwrap(), &asked))
    }

    fn patch(&self, url: String, from: Which, to: Which) -> Answer<Vec<u8>> {
        let mut inside = self.inside.lock().unwrap();
        let answer = (|| {
            let (from, to) = (self.find(&mut inside, &url, from)?, self.find(&mut inside, &url, to)?);
            let page = inside.pages.get(&url).ok_or_else(|| unknown(&url))?;
            Ok(page.patch(from.number, to.number).unwrap_or_default())
        })();
        ready(answer)
    }

    fn checks(&self, url: String, before: Option<i64>, most: u32) -> Answer<Vec<CheckRow>> {
        let inside = self.inside.lock().unwrap();
        let page = inside.pages.get(&url).ok_or_else(|| unknown(&url));
        ready(page.map(|page| {
            let rows = page.checks.iter().rev().filter(|row| before.is_none_or(|before| row.id < before));
            rows.take(most as usize).cloned().collect()
        }))
    }

    fn days(&self, url: String, from: jiff::civil::Date) -> Answer<Vec<DayRow>> {
        let inside = self.inside.lock().unwrap();
        let page = inside.pages.get(&url).ok_or_else(|| unknown(&url));
        ready(page.map(|page| page.days(from)))
    }

    fn is_name_taken(&self, name: String) -> Answer<bool> {
        ready(Ok(self.inside.lock().unwrap().people.contains(&name)))
    }

    fn list(&self, wanted: Listed) -> Answer<Vec<WatchRow>> {
        let inside = self.inside.lock().unwrap();
        let find = wanted.find.unwrap_or_default().to_lowercase();
        let is_wanted = |row: &&WatchRow| {
            let wish = &row.wish;
            let text = format!("{} {} {}", wish.url, wish.title, wish.tags.join(" ")).to_lowercase();
            let is_owner = wanted.owner.as_ref().is_none_or(|owner| wish.owner == *owner);
            row.id > wanted.behind && is_owner && text.contains(&find)
        };
        ready(Ok(inside.watches.values().filter(is_wanted).take(wanted.most as usize).cloned().collect()))
    }

    fn show(&self, id: i64) -> Answer<WatchRow> {
        ready(self.inside.lock().unwrap().watches.get(&id).cloned().ok_or_else(|| no_watch(id)))
    }

    fn add(&self, wish: WatchWish) -> Answer<WatchRow> {
        let mut inside = self.inside.lock().unwrap();
        let answer = settled(wish).and_then(|wish| {
            let is_same = |row: &WatchRow| row.wish.url == wish.url && row.wish.owner == wish.owner;
            if inside.watches.values().any(is_same) {
                return Err(Error::Conflict(format!("`{}` watches {} already", wish.owner, wish.url)));
            }
            let id = inside.watches.keys().next_back().copied().unwrap_or_default() + 1;
            inside.people.insert(wish.owner.clone());
            let row = WatchRow {
                id,
                added: self.now().to_string(),
                due: self.now().to_string(),
                pause: wish.every.clone(),
                wish,
                version: 0,
                last: None,
                last_news: None,
                news: 0,
                recent: Vec::new(),
                untold: Vec::new(),
            };
            inside.watches.insert(id, row.clone());
            Ok(row)
        });
        ready(answer)
    }

    fn change(&self, id: i64, wish: WatchWish) -> Answer<WatchRow> {
        let mut inside = self.inside.lock().unwrap();
        let answer = settled(wish).and_then(|wish| {
            let row = inside.watches.get_mut(&id).ok_or_else(|| no_watch(id))?;
            row.wish = WatchWish { url: row.wish.url.clone(), owner: row.wish.owner.clone(), ..wish };
            Ok(row.clone())
        });
        ready(answer)
    }

    fn check_watch(&self, id: i64) -> Answer<CheckRow> {
        let mut inside = self.inside.lock().unwrap();
        let url = inside.watches.get(&id).map(|row| row.wish.url.clone()).ok_or_else(|| no_watch(id));
        ready(url.map(|url| {
            let check = self.look(&mut inside, &url, None);
            if let Some(row) = inside.watches.get_mut(&id) {
                row.due = (self.now() + SignedDuration::from_hours(6)).to_string();
            }
            check
        }))
    }

    fn remove(&self, id: i64) -> Answer<()> {
        ready(self.inside.lock().unwrap().watches.remove(&id).map(drop).ok_or_else(|| no_watch(id)))
    }

    fn preview(&self, wish: WatchWish) -> Answer<Preview> {
        let mut inside = self.inside.lock().unwrap();
        let answer = settled(wish).and_then(|wish| {
            let known = inside.pages.get(&wish.url).and_then(|page| page.versions.last().cloned());
            let version = match known {
                Some((row, _)) => row,
                None => self.find(&mut inside, &wish.url, Which::Current)?,
            };
            let page = inside.pages.get(&wish.url).ok_or_else(|| unknown(&wish.url))?;
            let (media_type, bytes) = page.bytes(version.number).ok_or_else(|| no_version(&wish.url))?;
            let (all, text) =
                (kept(&media_type, &bytes, &Default::default()), kept(&media_type, &bytes, &wish.rules));
            let left_out = all.lines().count().saturating_sub(text.lines().count());
            Ok(Preview { version, kept: text, left_out, is_cut: false })
        });
        ready(answer)
    }

    fn news(&self, of: NewsOf, before: Option<i64>, most: u32) -> Answer<Vec<NewsRow>> {
        let inside = self.inside.lock().unwrap();
        let rows = inside.news.iter().rev().filter(|row| match &of {
            NewsOf::All => true,
            NewsOf::Watch(id) => row.watch == *id,
            NewsOf::Person(name) => row.owner == *name,
        });
        let rows = rows.filter(|row| before.is_none_or(|before| row.id < before));
        ready(Ok(rows.take(most as usize).cloned().collect()))
    }

    fn follow(&self) -> broadcast::Receiver<NewsRow> {
        let sender = self.news.lock().unwrap();
        sender.as_ref().map_or_else(|| broadcast::Sender::new(1).subscribe(), broadcast::Sender::subscribe)
    }
}
