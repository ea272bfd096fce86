//! `varve index add`: lines and archive files from elsewhere, into the index.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use index::{BadLines, Input};
use serde::Serialize;

use super::Which;
use super::lines::{self, Opened};
use super::records;
use super::sorting::Pile;
use crate::exit::Exit;
use crate::hint::{WithHint as _, with_hint};
use crate::reading::{self, Reading};
use crate::session::Session;
use crate::terminal::grouped;

/// Add captures to the index: from sorted CDX, CDXJ or ZipNum files, plain or gzip, or straight from WARC and ARC files
///
/// All of them become visible at once. A capture that the index has already (same key, time, file and offset) is replaced. Lines that make no
/// sense are left out and counted; a file without any good line makes the exit code 1. The archive files themselves stay where they are, known by their names alone: programs that find them by those (pywb, for one) can show such
/// captures, this archive's replay cannot. `varve import`, also with `--reference`, is what makes them play here.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// CDX, CDXJ, ZipNum (.idx), WARC or ARC files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    which: Which,

    /// What becomes of lines that make no sense
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    bad_lines: How,

    /// The files are not sorted: sort their lines first
    #[arg(long)]
    sort: bool,

    /// Make the keys anew from the URLs, and sort the lines by them: for files whose keys are made another way
    #[arg(long)]
    rekey: bool,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum How {
    /// Leave them out and count them
    #[default]
    Skip,
    /// With one of them, add nothing
    Refuse,
}

/// What was added.
#[derive(Serialize)]
struct Added {
    collection: String,
    rows: u64,
    bad_lines: u64,
    /// Files with lines, none of which describes a capture.
    senseless_files: Vec<String>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let collection = args.which.open_or_make(session)?;
    let mut bad = Bad { how: args.bad_lines, count: 0, senseless: Vec::new() };
    let (inputs, failed) = inputs(&args, session, &mut bad)?;
    let how = match args.bad_lines {
        How::Skip => BadLines::Skip,
        How::Refuse => BadLines::Refuse,
    };
    let loaded = collection.index().load(None, inputs, how).map_err(explain)?;
    for line in &loaded.told {
        session.talk.warning(&line.to_string());
    }
    let added = Added {
        collection: args.which.collection,
        rows: loaded.rows,
        bad_lines: loaded.bad + bad.count,
        senseless_files: bad.senseless.into_iter().chain(loaded.senseless).collect(),
    };
    if session.globals.json {
        session.out.json(&added)?;
    } else {
        let bad = lines::left_out(added.bad_lines);
        session.talk.note(&format!("{}: {} captures added{bad}", added.collection, grouped(added.rows)));
    }
    for file in &added.senseless_files {
        session.talk.error(&format!("{file}: no line describes a capture"));
    }
    if !added.senseless_files.is_empty() {
        session.talk.way_out(WHAT_LINES);
    }
    let is_done = !failed && added.senseless_files.is_empty();
    Ok(if is_done { Exit::Done } else { Exit::Failed })
}

/// Sorted lines of all files; and whether one of them could not be read to its end.
fn inputs(args: &Args, session: &mut Session, bad: &mut Bad) -> anyhow::Result<(Vec<Input>, bool)> {
    let (opened, _progress) = lines::open_all(session, &args.files)?;
    let mut inputs = Vec::new();
    let mut archive_files = Vec::new();
    let mut pile = Pile::new();
    for opened in opened {
        match opened {
            Opened::Records(path) => archive_files.push(path),
            Opened::Lines(name, source) if args.sort || args.rekey => {
                let before = bad.count;
                let taken = pile
                    .captures(source, args.rekey, |why| bad.tell(session, &name, &why))
                    .with_context(|| format!("cannot read `{name}`"))?;
                if taken == 0 && bad.count > before {
                    bad.senseless.push(name);
                }
            }
            Opened::Lines(name, lines) => inputs.push(Input { name, lines }),
        }
    }
    let mut failed = false;
    if !archive_files.is_empty() {
        let emit = |session: &mut Session, file: &reading::ArchiveFile, batch: records::Batch| {
            reading::warn(session, file, &batch.faults);
            pile.lines(&batch.lines)
        };
        let (options, jobs) = (args.reading.options(), args.reading.jobs);
        let outcome = reading::read(session, &archive_files, options, jobs, records::index, emit)?;
        failed = !outcome.is_sound();
    }
    if !pile.is_empty {
        inputs.push(Input { name: "the sorted lines".to_owned(), lines: pile.sorted()? });
    }
    Ok((inputs, failed))
}

/// Lines that made no sense before anything could be sorted.
struct Bad {
    how: How,
    count: u64,
    /// Files that have no other lines.
    senseless: Vec<String>,
}

impl Bad {
    fn tell(&mut self, session: &Session, name: &str, why: &str) -> anyhow::Result<()> {
        self.count += 1;
        if self.how == How::Refuse {
            return Err(anyhow!("{name}: {why}; nothing was added")).hint(SKIP);
        }
        if self.count <= lines::TOLD_MAX {
            session.talk.warning(&format!("{name}: {why}"));
        }
        Ok(())
    }
}

const WHAT_LINES: &str = "`varve index add` reads CDX, CDXJ and ZipNum files, WARC files and ARC files";

const SKIP: &str = "`--bad-lines skip` leaves such lines out";

/// The way out of what can go wrong.
fn explain(error: index::Error) -> anyhow::Error {
    let hint = match &error {
        index::Error::UnsortedFile { .. } => {
            "`--sort` sorts the lines first; `varve cdx sort` sorts a file once and for all"
        }
        index::Error::BadLines { .. } => SKIP,
        _ => return error.into(),
    };
    with_hint(error.into(), hint)
}
