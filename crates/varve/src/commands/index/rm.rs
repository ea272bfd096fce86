//! `varve index rm`: captures that are to be found no more.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use cdx::{Capture, Reader};
use index::Index;
use serde::Serialize;

use super::Which;
use super::lines::{self, Opened};
use crate::exit::Exit;
use crate::hint::{WithHint as _, with_hint};
use crate::session::Session;
use crate::terminal::grouped;
use crate::usage::wrong;

/// Captures that are deleted at once.
const BATCH_ROWS: usize = 50_000;

/// Take captures out of the index: those of a job, those of a URL, or those that a file of lines names
///
/// The records stay where they are; they are only found no more. That there is no such capture is fine.
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
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let collection = args.which.open(session)?;
    let index = collection.index();
    let rows = match (&args.job, &args.url) {
        (Some(job), _) => remove_job(index, job)?,
        (_, Some(url)) => remove_url(index, url)?,
        _ => remove_lines(session, index, &args.files)?,
    };
    let removed = Removed { collection: args.which.collection, rows };
    if session.globals.json {
        session.out.json(&removed)?;
    } else {
        session.talk.note(&format!("{}: {} captures removed", removed.collection, grouped(removed.rows)));
    }
    Ok(Exit::Done)
}

fn remove_job(index: &Index, job: &str) -> anyhow::Result<u64> {
    let before = index.snapshot()?;
    if !before.commits().iter().any(|commit| commit.name == job) {
        return Err(with_hint(anyhow!("the index has no job `{job}`"), "`varve jobs ls` lists the jobs"));
    }
    index.withdraw(job)?;
    Ok(before.rows().saturating_sub(index.snapshot()?.rows()))
}

fn remove_url(index: &Index, url: &str) -> anyhow::Result<u64> {
    let key = urlkey::key(url);
    if key.is_empty() {
        return Err(wrong(anyhow!("`{url}` is no URL")));
    }
    let mut captures = index.snapshot()?.versions(&key).map(|capture| capture.map_err(anyhow::Error::from));
    remove_all(index, &mut captures)
}

fn remove_lines(session: &mut Session, index: &Index, files: &[PathBuf]) -> anyhow::Result<u64> {
    let (opened, progress) = lines::open_all(session, files)?;
    let mut rows = 0;
    for opened in opened {
        let (name, source) = match opened {
            Opened::Lines(name, source) => (name, source),
            Opened::Records(path) => {
                return Err(anyhow!("`{}` is an archive file, not one of lines", path.display()))
                    .hint("`varve cdx make FILE | varve index rm -` takes out what it holds");
            }
        };
        let mut captures =
            Reader::new(source).map(|capture| capture.with_context(|| format!("cannot read `{name}`")));
        rows += remove_all(index, &mut captures)?;
    }
    progress.finish();
    Ok(rows)
}

fn remove_all(
    index: &Index,
    captures: &mut dyn Iterator<Item = anyhow::Result<Capture<'static>>>,
) -> anyhow::Result<u64> {
    let mut rows = 0;
    loop {
        let batch = captures.take(BATCH_ROWS).collect::<anyhow::Result<Vec<_>>>()?;
        if batch.is_empty() {
            return Ok(rows);
        }
        rows += index.delete(batch.into_iter().map(Ok))?;
    }
}
