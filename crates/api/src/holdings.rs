//! What the archive holds as a whole: how much, since when, of which hosts.

use std::sync::{Arc, Mutex, PoisonError};

use archive::Archive;
use axum::extract::{Query, State};
use axum::http::request::Parts;
use axum::response::Response;
use index::{Captures, Commit};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use urlkey::KeyRange;

use crate::answer::{answer, blocking};
use crate::error::Error;
use crate::{Api, Visitor};

/// How much there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Holdings {
    /// The archive's folder.
    pub folder: String,
    /// Captures in the index.
    pub captures: u64,
    /// Bytes of the sealed files.
    pub bytes: u64,
    /// Sealed files.
    pub files: u64,
    /// Harvests that are committed.
    pub harvests: u64,
    /// Imports into the archive's own collection.
    pub imports: u64,
    /// When the first of the harvests began. When something was captured that was imported, only its calendar tells.
    pub first_harvest: Option<String>,
    /// When the last of the harvests began.
    pub last_harvest: Option<String>,
}

/// What was summed up before, for as many commits.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Option<(u64, Arc<Holdings>)>>);

/// How much an archive holds. What is the same until the next commit is summed up once.
pub(crate) fn holdings(archive: &Archive, cache: &Cache) -> Result<Holdings, Error> {
    let snapshot = archive.snapshot()?;
    let commits = snapshot.commits();
    let lock = || cache.0.lock().unwrap_or_else(PoisonError::into_inner);
    let mark = snapshot.generation();
    if let Some((of, known)) = &*lock()
        && *of == mark
    {
        return Ok(Holdings::clone(known));
    }
    let is_other = |commit: &Commit| archive::is_removal(commit) || archive::is_watch(commit);
    let is_harvest = |commit: &&Commit| !crate::jobs::is_import(commit) && !is_other(commit);
    let times = || commits.iter().filter(is_harvest).map(|commit| commit.at);
    let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
    let (mut files, mut bytes) = (0, 0);
    for file in archive.store().files().map_err(archive::Error::from)? {
        // One that cannot be looked at is for `varve verify` to tell.
        let Ok(file) = file else { continue };
        (files, bytes) = (files + 1, bytes + file.bytes);
    }
    let sum = Holdings {
        folder: archive.folder().display().to_string(),
        captures: snapshot.rows(),
        bytes,
        files,
        harvests: times().count() as u64,
        imports: commits.iter().filter(|commit| crate::jobs::is_import(commit)).count() as u64,
        first_harvest: time(times().min()),
        last_harvest: time(times().max()),
    };
    *lock() = Some((mark, Arc::new(sum.clone())));
    Ok(sum)
}

/// Hosts whose names have something in them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hosts {
    /// Their names, in the order of the index, which goes from the end of a name to its start.
    pub hosts: Vec<String>,
    /// Whether there may be more.
    pub is_cut: bool,
}

/// Rows of a host that are looked at to find one that may be seen.
const ROWS_PER_HOST: usize = 100;

/// Looks for hosts by a part of their names, from host to host in the order of the index. One of which nothing may be seen is not named.
fn hosts(api: &Api, visitor: &Visitor, contains: &str, most: usize) -> Result<Hosts, Error> {
    let snapshot = api.archive().snapshot()?;
    let contains = contains.to_lowercase();
    let mut found = Hosts::default();
    let mut start = String::new();
    for _ in 0..api.limits().hosts_looked_at {
        let range = KeyRange { start: start.clone(), end: String::new() };
        let Some(row) = snapshot.range(&range).next() else { return Ok(found) };
        let row = row?;
        let key = row.key.unwrap_or_default().into_owned();
        let Some((host, _)) = key.split_once(')') else {
            start = behind_scheme(&key);
            continue;
        };
        // What sorts behind everything of this host.
        let end = format!("{host}*");
        let range = KeyRange { start: key.clone(), end: end.clone() };
        start = end;
        let name = as_asked(name(host), row.url.as_deref().unwrap_or_default());
        if name.contains(&contains) && is_seen(api, visitor, snapshot.range(&range))? {
            if found.hosts.len() == most {
                return Ok(Hosts { is_cut: true, ..found });
            }
            found.hosts.push(name);
        }
    }
    Ok(Hosts { is_cut: true, ..found })
}

/// Whether one of the first rows may be seen.
fn is_seen(api: &Api, visitor: &Visitor, rows: Captures) -> Result<bool, Error> {
    for row in rows.take(ROWS_PER_HOST) {
        let row = row?;
        let captured = row.timestamp.map(|time| urlkey::time::parse_14_clamped(&time.to_string()));
        if api.decide(visitor, row.key.as_deref().unwrap_or_default(), captured).is_allowed() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What sorts behind all keys of a scheme that has no hosts, such as `dns:`: there may be as many as hosts.
fn behind_scheme(key: &str) -> String {
    match key.split_once(':') {
        Some((scheme, _)) => format!("{scheme};"),
        None => format!("{key}!"),
    }
}

/// The part of a key before the path, in reading order and with its port.
fn name(host: &str) -> String {
    let (labels, port) = match host.split_once(':') {
        Some((labels, port)) if !host.starts_with('[') => (labels, format!(":{port}")),
        _ => (host, String::new()),
    };
    let labels: Vec<&str> = labels.rsplit(',').filter(|label| !label.is_empty()).collect();
    format!("{}{port}", labels.join("."))
}

/// The name of a host as it was asked for: its key leaves `www` out.
fn as_asked(name: String, url: &str) -> String {
    let Some((_, rest)) = url.split_once("://") else { return name };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let asked = authority.rsplit('@').next().unwrap_or_default();
    let first = asked.strip_suffix(&name).and_then(|first| first.strip_suffix('.'));
    if first.is_some_and(|first| first.starts_with("www")) { asked.to_owned() } else { name }
}

impl Api {
    /// How much the archive holds.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn holdings(&self) -> Result<Holdings, Error> {
        holdings(self.archive(), self.holdings_cache())
    }

    /// Hosts by a part of their names, of those that a visitor may see something of.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn hosts(&self, visitor: &Visitor, contains: &str, most: usize) -> Result<Hosts, Error> {
        hosts(self, visitor, contains, most)
    }
}

/// `GET /api/v1/archive`
pub(crate) async fn show(State(api): State<Api>) -> Result<Response, Error> {
    blocking(move || api.holdings()).await.and_then(|holdings| answer(&holdings))
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    contains: String,
    limit: Option<usize>,
}

/// `GET /api/v1/hosts?contains=…&limit=…`
pub(crate) async fn find(
    State(api): State<Api>,
    Query(asked): Query<Asked>,
    parts: Parts,
) -> Result<Response, Error> {
    let (most, visitor) = (asked.limit.unwrap_or(20).min(1000), api.who(&parts));
    blocking(move || api.hosts(&visitor, &asked.contains, most)).await.and_then(|hosts| answer(&hosts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_named_in_reading_order() {
        for (key, host) in [
            ("org,example,www", "www.example.org"),
            ("test,a:8080", "a.test:8080"),
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]", "[::1]"),
        ] {
            assert_eq!(name(key), host);
        }
    }

    #[test]
    fn hosts_are_called_as_they_were_asked_for() {
        for (url, host) in [
            ("http://www.a.test/b", "www.a.test"),
            ("https://WWW2.a.test?b", "www2.a.test"),
            ("http://a.test/www.a.test", "a.test"),
            ("http://wwwa.test/", "a.test"),
            ("nothing", "a.test"),
        ] {
            assert_eq!(as_asked("a.test".to_owned(), url), host, "{url}");
        }
    }
}
