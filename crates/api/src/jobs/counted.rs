//! What a job's log comes to: counts, and documents over time. The log of a committed job never changes, so it is read once.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::sync::{Arc, Mutex, PoisonError};

use archive::Archive;
use job::log::Line;
use job::tally::Tally;

use super::files;
use super::timeline::Timeline;
use crate::error::Error;
use crate::limits::Limits;

/// So many jobs are remembered; then all are forgotten.
const JOBS_MAX: usize = 64;

/// What was counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted {
    pub(super) tally: Tally,
    pub(super) timeline: Timeline,
}

/// What was counted before.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<HashMap<String, Arc<Counted>>>);

impl Cache {
    /// What the log of a committed job comes to.
    pub(super) fn of_committed(
        &self,
        archive: &Archive,
        job: &str,
        limits: &Limits,
    ) -> Result<Arc<Counted>, Error> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(job) {
            return Ok(known.clone());
        }
        let counted = Arc::new(count(archive, job, limits)?);
        let mut known = lock();
        if known.len() >= JOBS_MAX {
            known.clear();
        }
        known.insert(job.to_owned(), counted.clone());
        Ok(counted)
    }
}

/// Counts a job's log, as far as is looked through at once.
pub(super) fn count(archive: &Archive, job: &str, limits: &Limits) -> Result<Counted, Error> {
    let log = files::open(archive, job, "crawl.log")?;
    let mut reader = BufReader::with_capacity(256 << 10, log.take(limits.log_bytes));
    let mut counted = Counted::default();
    let mut bytes = Vec::new();
    let unreadable = |source| Error::Unreadable { what: "crawl.log".to_owned(), source };
    while reader.read_until(b'\n', &mut bytes).map_err(unreadable)? > 0 {
        if let Some(line) = std::str::from_utf8(&bytes).ok().and_then(Line::parse) {
            counted.tally.add(host(&line.url), &line);
            if line.status > 0 {
                counted.timeline.add(line.at, line.bytes);
            }
        }
        bytes.clear();
    }
    Ok(counted)
}

/// Host and port, as they stand in a URL.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let place = rest.split(['/', '?', '#']).next().unwrap_or_default();
    place.rsplit_once('@').map_or(place, |(_, host)| host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_in_a_url() {
        for (url, expected) in [
            ("http://example.org/a", "example.org"),
            ("https://example.org:8443?a", "example.org:8443"),
            ("ftp://me@example.org/", "example.org"),
            ("dns:example.org", "dns:example.org"),
        ] {
            assert_eq!(host(url), expected);
        }
    }
}
