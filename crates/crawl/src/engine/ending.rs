//! The end of a crawl: its reports, and its way into the archive.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use archive::{Content, Note};
use jiff::Timestamp;
use job::log::Line;
use job::tally::{Tally, domain_of};

use super::scheduler::Ending;
use crate::budget::Spent;
use crate::error::Error;
use crate::reports::{self, Facts, SeedFate, StopReason};
use crate::spending::Spending;

/// How a crawl ends that has come to the end of everything.
pub(super) const FINISHED: &str = "Finished";

/// What the reports need to know.
pub(super) struct Account<'a> {
    pub(super) job: &'a str,
    pub(super) folder: &'a Path,
    pub(super) ending: &'a Ending,
    pub(super) started: Timestamp,
    pub(super) now: Timestamp,
    pub(super) duration: Duration,
    pub(super) tally: &'a Tally,
    pub(super) spending: &'a Spending,
    pub(super) queued: BTreeMap<String, u64>,
    pub(super) seeds: Vec<String>,
    pub(super) refused: BTreeMap<String, u64>,
    pub(super) remarks: Vec<String>,
}

impl Ending {
    /// Whether all that was found has been asked for.
    pub(super) fn is_complete(&self, tally: &Tally) -> bool {
        *self == Ending::Finished && tally.total.over_budget == 0
    }

    /// In words, for reports and people.
    pub(super) fn words(&self, tally: &Tally) -> &'static str {
        match self {
            Ending::Finished if !self.is_complete(tally) => "Finished - Limits of hosts or domains hit",
            Ending::Finished => FINISHED,
            Ending::Budget(Spent::Objects) => "Finished - Maximum number of documents limit hit",
            Ending::Budget(Spent::Bytes) => "Finished - Maximum number of bytes (file download) limit hit",
            Ending::Budget(Spent::Time) => "Finished - Maximum time elapsed",
            Ending::Quiet => "Finished - No data for too long",
            Ending::Stopped => "Stopped by the operator",
        }
    }
}

/// Writes the reports into the job's folder; says what became of the seeds.
pub(super) fn report(account: &Account<'_>, log: &Path) -> Result<Vec<(String, i32)>, Error> {
    let folder = account.folder.join("reports");
    private::make_folder(&folder).map_err(Error::file(&folder))?;
    let seeds = fates(&account.seeds, log)?;
    let facts = Facts {
        job: account.job,
        ended: account.ending.words(account.tally),
        started: account.started,
        now: account.now,
        duration: account.duration,
        tally: account.tally,
        queued: &account.queued,
        stops: &stops(account),
        seeds: &seeds,
        refused: &account.refused,
        remarks: &account.remarks,
    };
    let changes = job::limits::read(account.folder)?;
    let limits =
        (!changes.is_empty()).then(|| ("limits-report.txt", reports::limits(account.spending, &changes)));
    for (name, text) in reports::reports(&facts).into_iter().chain(limits) {
        let path = folder.join(name);
        let written = private::options().write(true).create(true).truncate(true).open(&path);
        written.and_then(|mut file| file.write_all(text.as_bytes())).map_err(Error::file(&path))?;
    }
    Ok(seeds.into_iter().map(|seed| (seed.url, seed.status)).collect())
}

/// Why each domain ended (D10).
fn stops(account: &Account<'_>) -> BTreeMap<String, StopReason> {
    let is_whole = *account.ending == Ending::Finished;
    let mut stops = BTreeMap::new();
    let left = account.queued.iter().filter(|(_, count)| **count > 0).map(|(host, _)| domain_of(host));
    for domain in left {
        stops.insert(domain.to_owned(), StopReason::Unfinished);
    }
    if let (false, Ending::Budget(spent)) = (is_whole, account.ending) {
        stops.values_mut().for_each(|stop| *stop = (*spent).into());
    }
    stops.extend(account.spending.met().into_iter().map(|(domain, spent)| (domain, spent.into())));
    stops
}

/// What became of the seeds, from the log.
pub(super) fn fates(seeds: &[String], log: &Path) -> Result<Vec<SeedFate>, Error> {
    let mut fates: Vec<SeedFate> =
        seeds.iter().map(|url| SeedFate { url: url.clone(), status: 0, redirect: None }).collect();
    let places: HashMap<&str, usize> = seeds.iter().map(String::as_str).zip(0..).collect();
    let place_of = |url: &str| places.get(url).copied();
    super::each_line(log, |line: &Line<'_>| {
        if line.hops.is_empty() {
            let fate = place_of(&line.url).and_then(|place| fates.get_mut(place));
            if let Some(fate) = fate.filter(|fate| fate.status == 0) {
                fate.status = line.status;
            }
        } else if line.hops == "R" {
            let via = line.via.as_deref().unwrap_or_default();
            let fate = place_of(via).and_then(|place| fates.get_mut(place));
            if let Some(fate) = fate.filter(|fate| fate.redirect.is_none()) {
                fate.redirect = Some(line.url.clone().into_owned());
            }
        }
    })?;
    Ok(fates)
}

/// Everything that goes into the metadata WARC beside the CDX (D9).
pub(super) fn notes(job: &str, folder: &Path) -> Result<Vec<Note>, Error> {
    let mut notes = Vec::new();
    let mut add = |kind: &str, path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        notes.push(Note::new(job, kind, &name, "text/plain", Content::File(path.to_owned())));
    };
    for name in ["job.toml", "seeds.txt"] {
        add("setup", &folder.join(name));
    }
    let limits = folder.join(job::limits::NAME);
    if limits.exists() {
        add("setup", &limits);
    }
    for kind in ["logs", "reports"] {
        let inside = folder.join(kind);
        let entries = fs::read_dir(&inside).map_err(Error::file(&inside))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.iter().for_each(|path| add(kind, path));
    }
    Ok(notes)
}
