//! `varve vault export`: files with lists of their digests, which outlive this program.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use bagit_ocfl::{bagit, ocfl};
use catalogue::File;
use clap::Subcommand;
use serde::Serialize;
use supervisor::{Kept, hinted};

use super::folder::Folder;
use crate::clock::now;
use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::new_archive;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{bytes, counted, escape};

/// Files of the catalogue that are listed in one go.
const PIECE: u32 = 1000;

/// Write files as a package that needs no program of ours: BagIt or OCFL
///
/// Each file is checked before it is written. `varve vault check DIR`, or anybody else's tools, tell whether such a package is whole.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand)]
enum Kind {
    /// A bag (RFC 8493), in which files travel
    Bagit(Chosen),
    /// An object of the Oxford Common File Layout 1.1, in which repositories keep them
    Ocfl(Chosen),
}

/// Which files, and where to.
#[derive(clap::Args)]
struct Chosen {
    /// The folder of the package, which must be empty or not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// These files alone: JOB/NAME
    #[arg(value_name = "FILE")]
    names: Vec<String>,

    /// The files of these jobs
    #[arg(long, value_name = "NAME")]
    job: Vec<String>,

    /// What the package is called; should be a URI
    #[arg(long, value_name = "TEXT")]
    id: Option<String>,
}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    package: &'a Path,
    format: &'static str,
    files: u64,
    bytes: u64,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let (chosen, format) = match &args.kind {
        Kind::Bagit(chosen) => (chosen, "BagIt 1.0"),
        Kind::Ocfl(chosen) => (chosen, "OCFL 1.1"),
    };
    let kept = session.kept()?;
    if !new_archive::is_empty(&chosen.folder)? {
        return Err(anyhow!("the folder `{}` is not empty", chosen.folder.display()))
            .hint("name one that is not there yet");
    }
    let files = files(&kept, chosen)?;
    if files.is_empty() {
        return Err(anyhow!("there is no such file")).hint("`varve vault batch list` lists what there is");
    }
    let total = files.iter().map(|file| file.bytes).sum();
    let interrupts = Interrupts::listen()?;
    let pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "writing", Some(total)), None);
    let id = chosen.id.clone().unwrap_or_else(|| format!("urn:varve:{}", names_of(chosen, &files)));
    let sink = Folder::new(&chosen.folder);
    match &args.kind {
        Kind::Bagit(_) => {
            let mut writer = bagit::Writer::new(sink);
            each(&kept, &files, pace, session, |name, source| writer.file(name, source).map(drop))?;
            let date = now().strftime("%Y-%m-%d").to_string();
            let fields = [
                ("Bagging-Date", date.as_str()),
                ("External-Identifier", &id),
                ("Bag-Software-Agent", AGENT),
            ];
            writer.finish(&fields)?;
        }
        Kind::Ocfl(_) => {
            let mut writer = ocfl::Writer::new(sink);
            each(&kept, &files, pace, session, |name, source| writer.file(name, source).map(drop))?;
            writer.finish(&ocfl::About {
                id,
                created: now(),
                message: "Exported from the vault".to_owned(),
                user: AGENT.to_owned(),
                address: "urn:varve".to_owned(),
            })?;
        }
    }
    let count = files.len() as u64;
    if session.globals.json {
        session.out.json(&Row { package: &chosen.folder, format, files: count, bytes: total })?;
    } else {
        let shown = chosen.folder.display();
        session.out.line(format!("{shown}: {format}, {}, {}", counted(count, "file"), bytes(total)))?;
    }
    Ok(Exit::Done)
}

const AGENT: &str = concat!("varve ", env!("CARGO_PKG_VERSION"));

/// The files that were chosen; all, if nothing was.
fn files(kept: &Kept, chosen: &Chosen) -> anyhow::Result<Vec<File>> {
    let catalogue = kept.vault.catalogue();
    let mut files = Vec::new();
    for name in &chosen.names {
        let file = catalogue.file(name)?;
        files.push(file.ok_or_else(|| hinted(vault::Error::Unknown(name.clone())))?);
    }
    let starts: Vec<String> = match (chosen.job.is_empty(), chosen.names.is_empty()) {
        (true, true) => vec![String::new()],
        _ => chosen.job.iter().map(|job| format!("{job}/")).collect(),
    };
    for start in starts {
        let mut behind = start.clone();
        loop {
            let piece = catalogue.files(&behind, PIECE)?;
            let Some(last) = piece.last() else { break };
            behind.clone_from(&last.name);
            let is_over = !last.name.starts_with(&start);
            files.extend(piece.into_iter().filter(|file| file.name.starts_with(&start)));
            if is_over {
                break;
            }
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files.dedup();
    Ok(files)
}

/// Hands each file over, checked.
fn each(
    kept: &Kept,
    files: &[File],
    mut pace: Pace,
    session: &Session,
    mut write: impl FnMut(&str, Box<dyn std::io::Read + Send>) -> Result<(), bagit_ocfl::Error>,
) -> anyhow::Result<()> {
    for file in files {
        let sound = kept.vault.read(&file.name, 0, &mut |bytes| pace.read(bytes)).map_err(hinted)?;
        for (replica, why) in &sound.passed_over {
            session.talk.warning(&format!("replica `{}` was passed over: {}", escape(replica), escape(why)));
        }
        write(&file.name, sound.source).with_context(|| format!("cannot write `{}`", escape(&file.name)))?;
    }
    pace.finish();
    Ok(())
}

/// Something to call a package by that was given no name.
fn names_of(chosen: &Chosen, files: &[File]) -> String {
    match (chosen.job.as_slice(), files) {
        ([job], _) => job.clone(),
        (_, [file]) => file.name.replace('/', ":"),
        _ => urlkey::time::to_14(now()),
    }
}
