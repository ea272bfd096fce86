//! `varve vault check`: is a bag or an object whole?

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use bagit_ocfl::{Limits, Report, Verdict, bagit, ocfl};
use serde::Serialize;

use super::folder::Folder;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape};

/// Check packages: BagIt bags and OCFL objects, whoever wrote them
///
/// Every file is read and compared with its digests. The exit code is 1 if one is not valid.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders, each a bag or an object
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    package: &'a Path,
    format: Option<&'a str>,
    identifier: Option<&'a str>,
    verdict: &'static str,
    files: u64,
    bytes: u64,
    problem_count: u64,
    problems: Vec<ProblemRow<'a>>,
}

#[derive(Serialize)]
struct ProblemRow<'a> {
    kind: &'static str,
    advice: bool,
    place: String,
    message: &'a str,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let mut is_good = true;
    for folder in &args.folders {
        let report = check(folder)?;
        is_good &= report.is_valid();
        tell(folder, &report, session)?;
    }
    Ok(if is_good { Exit::Done } else { Exit::Failed })
}

/// An object declares itself by a file; everything else is taken for a bag, and told what it lacks to be one.
fn check(folder: &Path) -> anyhow::Result<Report> {
    let shown = folder.display();
    if !folder.is_dir() {
        return Err(anyhow!("there is no folder `{shown}`")).hint("a package is a folder; unpack it first");
    }
    let (tree, limits) = (Folder::new(folder), Limits::default());
    let is_object = std::fs::read_dir(folder)
        .with_context(|| format!("cannot look into `{shown}`"))?
        .filter_map(Result::ok)
        .any(|entry| {
            let name = entry.file_name();
            name.to_string_lossy().starts_with("0=ocfl_object_") || name == "inventory.json"
        });
    let report = if is_object { ocfl::check(&tree, &limits) } else { bagit::check(&tree, &limits) };
    report.with_context(|| format!("cannot check `{shown}`"))
}

fn tell(folder: &Path, report: &Report, session: &mut Session) -> anyhow::Result<()> {
    let verdict = report.verdict();
    if session.globals.json {
        let problems = report.problems.iter().map(|problem| ProblemRow {
            kind: problem.kind.name(),
            advice: problem.kind.is_advice(),
            place: problem.place.to_string(),
            message: &problem.message,
        });
        return session.out.json(&Row {
            package: folder,
            format: report.format.as_deref(),
            identifier: report.identifier.as_deref(),
            verdict: verdict.name(),
            files: report.files,
            bytes: report.bytes,
            problem_count: report.problems.len() as u64 + report.unlisted,
            problems: problems.collect(),
        });
    }
    let word = match verdict {
        Verdict::Invalid => session.paint.bad(verdict.name()).to_string(),
        _ => session.paint.good(verdict.name()).to_string(),
    };
    let format = report.format.as_deref().unwrap_or("no package that is known");
    session.out.line(format!(
        "{word}  {}  {}, {}, {}",
        escape(&folder.display().to_string()),
        escape(format),
        counted(report.files, "file"),
        bytes(report.bytes)
    ))?;
    for problem in &report.problems {
        let kind = problem.kind.name();
        session.out.line(format!("         {kind}: {}", escape(&problem.to_string())))?;
    }
    if report.unlisted > 0 {
        session.out.line(format!("         … and {} more", report.unlisted))?;
    }
    Ok(())
}
