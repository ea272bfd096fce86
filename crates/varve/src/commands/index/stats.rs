//! `varve index stats`: how much there is.

use serde::Serialize;

use super::Which;
use crate::exit::Exit;
use crate::session::Session;
use crate::terminal::{bytes, grouped};

/// Tell how large the index is
///
/// Rows are one per capture; those that were deleted or replaced one by one are counted until their files are merged.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
}

/// What there is.
#[derive(Serialize)]
struct Stats {
    collection: String,
    rows: u64,
    jobs: usize,
    files: usize,
    bytes: u64,
    bytes_per_row: f64,
    aliases: usize,
    first: Option<String>,
    last: Option<String>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let snapshot = args.which.open(session)?.snapshot()?;
    let everything = urlkey::KeyRange { start: String::new(), end: String::new() };
    let key = |capture: Option<Result<cdx::Capture<'static>, index::Error>>| {
        capture.transpose().map(|capture| capture.and_then(|capture| capture.key).map(String::from))
    };
    let stats = Stats {
        collection: args.which.collection,
        rows: snapshot.rows(),
        jobs: snapshot.commits().iter().filter(|commit| !archive::is_removal(commit)).count(),
        files: snapshot.files(),
        bytes: snapshot.bytes(),
        bytes_per_row: snapshot.bytes() as f64 / snapshot.rows().max(1) as f64,
        aliases: snapshot.aliases().count(),
        first: key(snapshot.range(&everything).next())?,
        last: key(snapshot.range_backwards(&everything).next())?,
    };
    if session.globals.json {
        session.out.json(&stats)?;
        return Ok(Exit::Done);
    }
    let dash = || "-".to_owned();
    for (what, value) in [
        ("collection", stats.collection),
        ("captures", grouped(stats.rows)),
        ("jobs", stats.jobs.to_string()),
        ("aliases", stats.aliases.to_string()),
        ("files", stats.files.to_string()),
        ("on disk", format!("{}, {:.1} bytes for each capture", bytes(stats.bytes), stats.bytes_per_row)),
        ("first key", stats.first.unwrap_or_else(dash)),
        ("last key", stats.last.unwrap_or_else(dash)),
    ] {
        session.out.line(format!("{what:<12}{}", crate::terminal::escape(&value)))?;
    }
    Ok(Exit::Done)
}
