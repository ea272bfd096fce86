//! `varve import`: archive files from elsewhere become part of the archive.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, anyhow};
use archive::{About, Archive, Stop};
use serde::Serialize;
use transfer::import::{FileReport, Outcome, PackageReport, Report, Settings, Step, import_files};

use crate::clock::now;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::jobs::Jobs;
use crate::progress::Progress;
use crate::record_id;
use crate::replication;
use crate::session::Session;
use crate::terminal::{counted, escape, grouped};

/// Faults and problems of one file that people are shown without -v.
const SHOWN: usize = 5;

/// What is looked for in folders.
const ENDINGS: &str = "in folders, files are taken that end in .warc, .arc or .wacz, with or without .gz or .zst; others are taken \
                       where they are named themselves";

/// Bring WARC, ARC and WACZ files into the archive
///
/// Folders are looked through for them. Every file is checked to its last byte: compression, structure, digests. Sound ones are copied
/// into the archive and indexed, and all of them become visible in one step at the end. Files that are in the archive already are told
/// and left alone, so the same command may be given again. Damaged ones are told, with the place and kind of what is wrong; the rest is
/// imported. The exit code is 1 if anything that was named could not be taken whole.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// WARC, ARC and WACZ files, lists of WACZ files (multi-wacz-package), and folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The collection that the captures go to; it is made if it is not there
    #[arg(short, long, value_name = "NAME", default_value = archive::WEB, value_parser = collection_name)]
    collection: String,

    /// Do not copy the files: write down where they lie. They must stay there, unchanged
    #[arg(long)]
    reference: bool,

    /// Of damaged files take what is readable: it is written to new WARC files
    #[arg(long)]
    salvage: bool,

    #[command(flatten)]
    jobs: Jobs,
}

/// What became of a file, for programs.
#[derive(Serialize)]
struct FileRow<'a> {
    file: &'a str,
    outcome: &'static str,
    kept: Option<&'a str>,
    reason: Option<&'a str>,
    bytes: u64,
    sha256: &'a str,
    records: u64,
    captures: u64,
    fault_count: u64,
    faults: Vec<FaultRow<'a>>,
}

#[derive(Serialize)]
struct FaultRow<'a> {
    offset: u64,
    kind: &'static str,
    message: &'a str,
}

/// What was found in a package, for programs.
#[derive(Serialize)]
struct PackageRow<'a> {
    package: &'a str,
    valid: bool,
    refused: Option<&'a str>,
    problem_count: u64,
    problems: Vec<ProblemRow<'a>>,
}

#[derive(Serialize)]
struct ProblemRow<'a> {
    kind: &'static str,
    advice: bool,
    message: &'a str,
    place: String,
}

/// All of it, for programs.
#[derive(Serialize, Default)]
struct Summary {
    /// What it is known under; nothing where nothing was new.
    job: Option<String>,
    collection: String,
    files: u64,
    imported: u64,
    referenced: u64,
    known: u64,
    salvaged: u64,
    damaged: u64,
    failed: u64,
    /// Packages that are not as they should be, or were refused.
    invalid: u64,
    captures: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let archive = session.archive()?;
    let interrupts = Interrupts::listen()?;
    let theirs = interrupts.clone();
    let settings = Settings {
        room: session.read_settings()?.disk.values().room(),
        stop: Stop::when(move || theirs.is_wanted()),
        collection: args.collection.clone(),
        reference: args.reference,
        salvage: args.salvage,
        threads: args.jobs.count(),
        ..Settings::default()
    };
    let (job, report) = import(&archive, &args.paths, &settings, session)?;
    let mut summary = Summary {
        job: report.committed.is_some().then_some(job),
        collection: args.collection,
        ..Summary::default()
    };
    if report.files.is_empty() && report.packages.is_empty() {
        return Err(anyhow!("there is no archive file in what was named")).hint(ENDINGS);
    }
    for package in &report.packages {
        summary.invalid += u64::from(!package.is_valid());
        print_package(package, session)?;
    }
    for file in &report.files {
        summary.add(file);
        print_file(file, session)?;
    }
    if session.globals.json {
        session.out.json(&summary)?;
    } else {
        session.out.line(summary.text())?;
    }
    session.out.finish()?;
    if let Some(job) = &summary.job {
        replication::after_commit(&archive, job, &interrupts, session);
    }
    let is_salvageable = summary.damaged > 0 || report.packages.iter().any(|package| package.breaks_off);
    if is_salvageable && !args.salvage {
        session.talk.hint("`--salvage` takes what is readable of damaged files");
    }
    Ok(if report.is_sound() { Exit::Done } else { Exit::Failed })
}

/// Imports under a name that nobody has.
fn import(
    archive: &Archive,
    paths: &[PathBuf],
    settings: &Settings,
    session: &Session,
) -> anyhow::Result<(String, Report)> {
    let started = now();
    let about = About::new(started, Arc::new(record_id::new));
    let (talk, bar) = (session.talk.clone(), Mutex::new(None::<Progress>));
    let progress = |step| {
        let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
        match step {
            Step::Found { bytes, .. } => *bar = Some(Progress::bytes(&talk, "importing", Some(bytes))),
            Step::Read(count) => {
                if let Some(bar) = &*bar {
                    bar.inc(count);
                }
            }
        }
    };
    let base = format!("import-{}", urlkey::time::to_14(started));
    for number in 1..1000 {
        let job = if number == 1 { base.clone() } else { format!("{base}-{number}") };
        let report = match import_files(archive, &job, paths, settings, &about, &progress) {
            Err(transfer::Error::Archive(archive::Error::JobExists(_))) => continue,
            Err(error @ transfer::Error::Archive(archive::Error::NoRoom { .. })) => {
                Err(anyhow::Error::new(error))
                    .context("the import stopped, and nothing of it is in the archive")
                    .hint("make room, or lower `stop` below `[disk]` in varve.toml")
            }
            report => report.context("the import failed, and nothing of it is in the archive"),
        };
        if let Some(bar) = bar.into_inner().unwrap_or_else(PoisonError::into_inner) {
            bar.finish();
        }
        return Ok((job, report?));
    }
    Err(anyhow!("there are too many imports of this second")).hint("try again in a moment")
}

fn print_package(package: &PackageReport, session: &mut Session) -> anyhow::Result<()> {
    let problems = &package.report.problems;
    if session.globals.json {
        let rows = problems.iter().map(|problem| ProblemRow {
            kind: problem.kind.name(),
            advice: problem.kind.is_advice(),
            message: &problem.message,
            place: problem.place.to_string(),
        });
        return session.out.json(&PackageRow {
            package: &package.name,
            valid: package.is_valid(),
            refused: package.refused.as_deref(),
            problem_count: problems.len() as u64 + package.report.unlisted,
            problems: rows.collect(),
        });
    }
    if let Some(why) = &package.refused {
        let word = session.paint.bad("refused").to_string();
        return session.out.line(format!("{word}  {}  {}", escape(&package.name), escape(why)));
    }
    let bad: Vec<_> = problems.iter().filter(|problem| !problem.kind.is_advice()).collect();
    if bad.is_empty() {
        return Ok(());
    }
    let word = session.paint.bad("invalid").to_string();
    session.out.line(format!(
        "{word}  {}  {}",
        escape(&package.name),
        counted(package.report.bad, "problem")
    ))?;
    let shown = if session.globals.verbose > 0 { usize::MAX } else { SHOWN };
    for problem in bad.iter().take(shown) {
        session.out.line(format!("         {}", escape(&problem.to_string())))?;
    }
    rest(package.report.bad, shown.min(bad.len()), session)
}

fn print_file(file: &FileReport, session: &mut Session) -> anyhow::Result<()> {
    let (outcome, kept, reason) = words(&file.outcome);
    if session.globals.json {
        let faults = file.faults.iter();
        let faults = faults.map(|fault| FaultRow {
            offset: fault.offset,
            kind: fault.kind.name(),
            message: &fault.message,
        });
        return session.out.json(&FileRow {
            file: &file.name,
            outcome,
            kept,
            reason,
            bytes: file.bytes,
            sha256: &file.sha256,
            records: file.records,
            captures: file.captures,
            fault_count: file.fault_count,
            faults: faults.collect(),
        });
    }
    let is_good = kept.is_some();
    let word = if is_good {
        session.paint.good(outcome).to_string()
    } else {
        session.paint.bad(outcome).to_string()
    };
    let mut line = format!("{word}  {}", escape(&file.name));
    match (&file.outcome, reason) {
        (Outcome::Known(kept), _) => line.push_str(&format!("  is in the archive as {}", escape(kept))),
        (_, Some(reason)) => line.push_str(&format!("  {}", escape(reason))),
        _ => line.push_str(&format!(
            "  {}, {}",
            counted(file.records, "record"),
            counted(file.captures, "capture")
        )),
    }
    session.out.line(line)?;
    let is_sound =
        matches!(file.outcome, Outcome::Imported(_) | Outcome::Referenced(_) | Outcome::Indexed(_));
    if is_sound && session.globals.verbose == 0 {
        return Ok(());
    }
    let shown = if session.globals.verbose > 0 { usize::MAX } else { SHOWN };
    for fault in file.faults.iter().take(shown) {
        let (kind, message) = (fault.kind.name(), escape(&fault.message));
        session.out.line(format!("         at byte {}: {kind}: {message}", fault.offset))?;
    }
    rest(file.fault_count, shown.min(file.faults.len()), session)
}

/// How many more there are than were shown.
fn rest(count: u64, shown: usize, session: &mut Session) -> anyhow::Result<()> {
    let hidden = count.saturating_sub(shown as u64);
    if hidden == 0 {
        return Ok(());
    }
    session.out.line(format!("         … and {} more; -v shows them, --json gives them all", grouped(hidden)))
}

/// What was done, in a word; where it is now; and why it is nowhere.
fn words(outcome: &Outcome) -> (&'static str, Option<&str>, Option<&str>) {
    match outcome {
        Outcome::Imported(kept) => ("imported", Some(kept), None),
        Outcome::Referenced(kept) => ("referenced", Some(kept), None),
        Outcome::Known(kept) => ("known", Some(kept), None),
        Outcome::Indexed(kept) => ("indexed", Some(kept), None),
        Outcome::Salvaged(kept) => ("salvaged", Some(kept), None),
        Outcome::Failed(reason) => ("failed", None, Some(reason)),
        _ => ("damaged", None, None),
    }
}

impl Summary {
    fn add(&mut self, file: &FileReport) {
        self.files += 1;
        let count = match &file.outcome {
            Outcome::Imported(_) | Outcome::Indexed(_) => &mut self.imported,
            Outcome::Referenced(_) => &mut self.referenced,
            Outcome::Known(_) => &mut self.known,
            Outcome::Salvaged(_) => &mut self.salvaged,
            Outcome::Failed(_) => &mut self.failed,
            _ => &mut self.damaged,
        };
        *count += 1;
        let is_new = !matches!(file.outcome, Outcome::Known(_) | Outcome::Damaged | Outcome::Failed(_));
        self.captures += if is_new { file.captures } else { 0 };
    }

    fn text(&self) -> String {
        let outcomes = [
            (self.imported, "imported"),
            (self.referenced, "referenced"),
            (self.known, "known already"),
            (self.salvaged, "salvaged"),
            (self.damaged, "damaged"),
            (self.failed, "failed"),
        ];
        let outcomes = outcomes.iter().filter(|(count, _)| *count > 0);
        let outcomes: Vec<String> =
            outcomes.map(|(count, word)| format!("{} {word}", grouped(*count))).collect();
        let mut text = counted(self.files, "file");
        if !outcomes.is_empty() {
            text.push_str(&format!(": {}", outcomes.join(", ")));
        }
        if self.invalid > 0 {
            text.push_str(&format!("; {} not valid", counted(self.invalid, "package")));
        }
        match &self.job {
            Some(job) => {
                let captures = counted(self.captures, "new capture");
                format!("{text}; {captures} in `{}`, job {job}", self.collection)
            }
            None => format!("{text}; nothing is new"),
        }
    }
}

/// A name that a collection can have.
fn collection_name(text: &str) -> Result<String, String> {
    let is_sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let is_name =
        !text.is_empty() && text.len() <= 200 && !text.starts_with('.') && text.bytes().all(is_sound);
    if is_name { Ok(text.to_owned()) } else { Err("use letters, digits, `.`, `-` and `_`".to_owned()) }
}
