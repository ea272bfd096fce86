//! `varve rebuild`: everything that is derived, made again from the files that are kept.

mod catalogue;
mod watches;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use archive::{About, Stop};
use rebuild::{Kind, Problem, Report, Settings, Step, rebuild_indexes};
use serde::Serialize;
use settings::File;

use crate::clock::now;
use crate::exit::Exit;
use crate::hint::with_hint;
use crate::interrupts::Interrupts;
use crate::jobs::Jobs;
use crate::progress::Progress;
use crate::record_id;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape, grouped};

/// Make the indexes, and the catalogue of files, again from the files of the archive
///
/// The store is all it needs: with `index/` and `collections/` gone, or damaged, they are brought back as they were. Every file is read once and
/// compared with its checksum on the way. A catalogue that is gone or damaged is made again from what lies in the replicas, and files that are
/// only in others are brought back to the store; the log of what happened before is lost with it, unless the folder `backups` has a copy.
/// So is a database of watched pages: checks, versions and watches come back, but for who is told of them.
/// What is damaged or missing is told, and all the rest is brought back; the exit code is 1 then.
/// An index that is still there can be used meanwhile, and is replaced in one step at the end. Ctrl-C, a crash or a full disk lose
/// nothing: the same command goes on from there.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    jobs: Jobs,
}

/// Something that is not as it was, for programs.
#[derive(Serialize)]
struct ProblemRow<'a> {
    job: &'a str,
    file: Option<&'a str>,
    kind: &'static str,
    message: &'a str,
    captures_lost: u64,
}

/// All of it, for programs.
#[derive(Serialize)]
struct Summary<'a> {
    jobs: u64,
    jobs_before: u64,
    files: u64,
    bytes: u64,
    captures: u64,
    captures_kept: u64,
    collections: &'a [String],
    waiting: &'a [String],
    problems: usize,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let loaded = session.load_settings()?;
    let folder = loaded.archive()?;
    let catalogue = catalogue::bring_back(folder, &loaded.file, session)?;
    let mut report = indexes(folder, &loaded.file, args.jobs.count(), session)?;
    finish_imports(folder, &mut report)?;
    let watches = report.waiting.is_empty() && watches::bring_back(folder, session)?;
    for problem in &report.problems {
        print(problem, session)?;
    }
    print_summary(&report, session)?;
    session.out.finish()?;
    hint(&report, session);
    let is_whole = report.is_sound() && report.waiting.is_empty() && catalogue && watches;
    Ok(if is_whole { Exit::Done } else { Exit::Failed })
}

/// Makes the indexes of all collections.
fn indexes(folder: &Path, file: &File, threads: usize, session: &Session) -> anyhow::Result<Report> {
    let interrupts = Interrupts::listen()?;
    let stop = Stop::when(move || interrupts.is_wanted());
    let settings = Settings { threads, stop, replicas: supervisor::others(file) };
    let (talk, bar) = (session.talk.clone(), Mutex::new(None::<(Progress, u64)>));
    let progress = |step| {
        let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
        match (step, &mut *bar) {
            // More may come in while it goes on; the bar is for what was there at first.
            (Step::Found { bytes, .. }, None) => {
                *bar = Some((Progress::bytes(&talk, "reading", Some(bytes)), bytes));
            }
            (Step::Read(count), Some((bar, left))) => {
                let count = count.min(*left);
                *left -= count;
                bar.inc(count);
            }
            _ => {}
        }
    };
    let report = rebuild_indexes(folder, &settings, &progress);
    if let Some((bar, _)) = bar.into_inner().unwrap_or_else(PoisonError::into_inner) {
        bar.finish();
    }
    report.map_err(|error| explain(error, folder))
}

/// The way out of what can go wrong.
fn explain(error: archive::Error, folder: &Path) -> anyhow::Error {
    let shown = folder.display();
    match &error {
        archive::Error::NoArchive { .. } if supervisor::has_catalogue(folder) => {
            supervisor::store_is_gone(folder).into()
        }
        archive::Error::NoArchive { .. } => {
            let error = anyhow::anyhow!("there is no archive in `{shown}`");
            with_hint(error, "an archive has a folder `store` with a file FORMAT in it")
        }
        archive::Error::Rebuilding { .. } => with_hint(error.into(), "wait until that has come to its end"),
        error_is if error_is.is_full() => {
            with_hint(error.into(), "make room, and give the same command again: it goes on from there")
        }
        archive::Error::Stopped => {
            with_hint(error.into(), "the same command goes on from there; the old index is as it was")
        }
        _ => anyhow::Error::from(error).context("the rebuild did not come to its end"),
    }
}

/// Imports that were in the middle of their commit are brought to its end, as the next import would do.
fn finish_imports(folder: &Path, report: &mut Report) -> anyhow::Result<()> {
    if report.waiting.is_empty() {
        return Ok(());
    }
    let archive = supervisor::open(folder)?;
    let about = About::new(now(), Arc::new(record_id::new));
    transfer::import::tidy_up(&archive, &about)
        .context("what was interrupted cannot be brought to its end")?;
    let mut committed = Vec::new();
    for name in archive.collections()? {
        if let Some(collection) = archive.collection(&name)? {
            committed.extend(collection.snapshot()?.commits().iter().map(|commit| commit.name.clone()));
        }
    }
    report.waiting.retain(|job| !committed.contains(job));
    Ok(())
}

fn print(problem: &Problem, session: &mut Session) -> anyhow::Result<()> {
    let Problem { job, file, kind, message, lost } = problem;
    if session.globals.json {
        let (file, kind) = (file.as_deref(), kind.name());
        return session.out.json(&ProblemRow { job, file, kind, message, captures_lost: *lost });
    }
    let word = session.paint.bad(kind.name()).to_string();
    let what = file.as_ref().unwrap_or(job);
    let lost = if *lost > 0 { format!("; {} lost", counted(*lost, "capture")) } else { String::new() };
    session.out.line(format!("{word}  {}  {}{lost}", escape(what), escape(message)))
}

fn print_summary(report: &Report, session: &mut Session) -> anyhow::Result<()> {
    if session.globals.json {
        return session.out.json(&Summary {
            jobs: report.jobs,
            jobs_before: report.jobs_before,
            files: report.files,
            bytes: report.bytes,
            captures: report.captures,
            captures_kept: report.kept,
            collections: &report.collections,
            waiting: &report.waiting,
            problems: report.problems.len(),
        });
    }
    for job in &report.waiting {
        let word = session.paint.bad("waiting").to_string();
        session
            .out
            .line(format!("{word}  {}  it was interrupted in the middle of its commit", escape(job)))?;
    }
    let (jobs, files) = (counted(report.jobs, "job"), counted(report.files, "file"));
    let (size, captures) = (bytes(report.bytes), counted(report.captures, "capture"));
    let mut text = format!("brought back {jobs}: {files} of {size}, {captures}");
    if report.jobs_before > 0 {
        text.push_str(&format!("; {} of the jobs by an earlier run", grouped(report.jobs_before)));
    }
    if report.kept > 0 {
        text.push_str(&format!(
            "; kept {} of files that are not in the store",
            counted(report.kept, "capture")
        ));
    }
    if !report.problems.is_empty() {
        text.push_str(&format!("; {}", counted(report.problems.len() as u64, "problem")));
    }
    session.out.line(text)
}

fn hint(report: &Report, session: &Session) {
    let has = |kinds: &[Kind]| report.problems.iter().any(|problem| kinds.contains(&problem.kind));
    if let Some(job) = report.waiting.first() {
        session.talk.hint(&format!("`varve jobs commit {job}` brings it to its end"));
    }
    if has(&[Kind::Damaged, Kind::Missing]) {
        session
            .talk
            .hint("bring such files back from a copy, and rebuild again: then their captures are there, too");
    }
    if has(&[Kind::Away]) {
        session.talk.hint("files that are away play again when they are back where they were");
    }
}
