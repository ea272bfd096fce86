//! `varve index rm`: captures that are to be found no more.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use archive::{About, Archive, Collection, Removal};
use cdx::{Capture, Reader};
use serde::Serialize;

use super::Which;
use super::lines::{self, Opened};
use crate::clock::now;
use crate::exit::Exit;
use crate::hint::{WithHint as _, with_hint};
use crate::interrupts::Interrupts;
use crate::record_id;
use crate::replication;
use crate::session::Session;
use crate::terminal::counted;
use crate::usage::wrong;

/// Captures that are deleted at once.
const BATCH_ROWS: usize = 50_000;

/// Take captures out of the index: those of a job, those of a URL, or those that a file of lines names
///
/// The records stay where they are; they are only found no more, also after `varve rebuild`. That there is no such capture is fine. Lines of a file that make no sense
/// are left out and counted.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// CDX or CDXJ files whose captures (key, time, file, offset) are meant; - is standard input
    #[arg(value_name = "FILE", group = "what")]
    files: Vec<PathBuf>,

    /// All captures of this job
    #[arg(long, value_name = "JOB", group = "what")]
    job: Option<String>,

    /// All captures of this URL
    #[arg(long, value_name = "URL", group = "what")]
    url: Option<String>,

    #[command(flatten)]
    which: Which,
}

/// What was removed.
#[derive(Serialize)]
struct Removed {
    collection: String,
    rows: u64,
    bad_lines: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let interrupts = Interrupts::listen()?;
    let (archive, collection) = (session.archive()?, args.which.open(session)?);
    let mut removing = Removing { archive, collection, jobs: Vec::new() };
    let (rows, bad_lines) = match (&args.job, &args.url) {
        (Some(job), _) => (removing.job(job)?, 0),
        (_, Some(url)) => (removing.url(url)?, 0),
        _ => removing.lines(session, &args.files)?,
    };
    let removed = Removed { collection: args.which.collection, rows, bad_lines };
    if session.globals.json {
        session.out.json(&removed)?;
    } else {
        let rows = counted(removed.rows, "capture");
        let bad = lines::left_out(removed.bad_lines);
        session.talk.note(&format!("{}: {rows} removed{bad}", removed.collection));
    }
    session.out.finish()?;
    for job in &removing.jobs {
        replication::after_commit(&removing.archive, job, &interrupts, session);
    }
    Ok(Exit::Done)
}

/// Where captures are taken out.
struct Removing {
    archive: Archive,
    collection: Collection,
    /// Jobs that say so in the store.
    jobs: Vec<String>,
}

impl Removing {
    fn job(&mut self, job: &str) -> anyhow::Result<u64> {
        let commits = self.collection.snapshot()?;
        if !commits.commits().iter().any(|commit| commit.name == job) {
            let error = anyhow!("the index has no job `{job}`");
            return Err(with_hint(error, "`varve jobs ls` lists the jobs"));
        }
        self.remove(Removal::Job(job))
    }

    fn url(&mut self, url: &str) -> anyhow::Result<u64> {
        let key = urlkey::key(url);
        if key.is_empty() {
            return Err(wrong(anyhow!("`{url}` is no URL")));
        }
        let snapshot = self.collection.index().snapshot()?;
        let mut captures = snapshot.versions(&key).map(|capture| capture.map_err(anyhow::Error::from));
        let mut rows = 0;
        self.all(&mut captures, &mut rows)?;
        Ok(rows)
    }

    /// How many captures were removed, and how many lines made no sense.
    fn lines(&mut self, session: &mut Session, files: &[PathBuf]) -> anyhow::Result<(u64, u64)> {
        let (opened, progress) = lines::open_all(session, files)?;
        let (mut rows, mut bad) = (0, 0);
        for opened in opened {
            let (name, source) = match opened {
                Opened::Lines(name, source) => (name, source),
                Opened::Records(path) => {
                    return Err(anyhow!("`{}` is an archive file, not one of lines", path.display()))
                        .hint("`varve cdx make FILE | varve index rm -` takes out what it holds");
                }
            };
            let mut captures = Reader::new(source).filter_map(|capture| match capture {
                Err(error @ cdx::Error::AtLine { .. }) => {
                    bad += 1;
                    if bad <= lines::TOLD_MAX {
                        session.talk.warning(&format!("{name}: {error}"));
                    }
                    None
                }
                capture => Some(capture.with_context(|| format!("cannot read `{name}`"))),
            });
            self.all(&mut captures, &mut rows)
                .with_context(|| format!("broke off; {} removed before", counted(rows, "capture")))?;
        }
        progress.finish();
        Ok((rows, bad))
    }

    fn all(
        &mut self,
        captures: &mut dyn Iterator<Item = anyhow::Result<Capture<'static>>>,
        rows: &mut u64,
    ) -> anyhow::Result<()> {
        loop {
            let batch = captures.take(BATCH_ROWS).collect::<anyhow::Result<Vec<_>>>()?;
            if batch.is_empty() {
                return Ok(());
            }
            *rows += self.remove(Removal::Captures(&batch))?;
        }
    }

    fn remove(&mut self, removal: Removal<'_>) -> anyhow::Result<u64> {
        let about = About::new(now(), Arc::new(record_id::new));
        let removed = self.archive.remove(&self.collection, removal, &about)?;
        self.jobs.extend(removed.job);
        Ok(removed.captures)
    }
}
