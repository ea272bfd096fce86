//! `varve vault put`: a file of any kind is kept, in every replica.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use catalogue::State;
use serde::Serialize;
use store::{DEPOSIT, is_deposit};

use super::bring;
use super::pace::Pace;
use crate::commands::harvest::Interrupts;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::replicas::{Kept, hinted};
use crate::session::Session;
use crate::terminal::{bytes, escape};

/// Keep files of any kind in every replica
///
/// A copy of each file is taken in, under its own name, as a file of the job `deposit`, and brought to every replica. They are kept, and
/// not indexed: to browse what is in WARC files, `varve import` them. A file that is kept already is left as it is; another
/// one of the same name is refused. The exit code is 1 unless every replica has every one of them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The files
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Keep them under this name: they are called deposit-NAME/… then, instead of deposit/…
    #[arg(long, value_name = "NAME")]
    job: Option<String>,

    /// Delete each file here when every replica has it
    #[arg(long = "move")]
    moves: bool,
}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    bytes: u64,
    sha256: &'a str,
    accepted: bool,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = Kept::open(session)?;
    let interrupts = Interrupts::listen()?;
    let job = match &args.job {
        None => DEPOSIT.to_owned(),
        Some(name) if is_deposit(name) => name.clone(),
        Some(name) => format!("{DEPOSIT}-{name}"),
    };
    let mut names = Vec::new();
    for path in &args.paths {
        let before = facts(path);
        let total = before.map(|(length, ..)| length);
        let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "keeping", total), None);
        let file = kept.by_hand().deposit(&job, path, &mut |bytes| pace.read(bytes));
        pace.finish();
        let file = file.map_err(hinted).with_context(|| format!("cannot keep `{}`", path.display()))?;
        names.push((path, file.name, before));
    }
    let brought = bring::bring(&kept, &interrupts, session)?;
    let mut is_good = !brought.is_stopped;
    for (path, name, before) in names {
        let file = kept.vault.catalogue().file(&name)?;
        let Some(file) = file else { continue };
        // Accepted once is not enough: every replica must have it now.
        let copies = kept.vault.catalogue().copies(&file)?;
        let is_accepted =
            file.accepted_at.is_some() && copies.iter().all(|copy| copy.state == State::Verified);
        is_good &= is_accepted;
        if session.globals.json {
            session.out.json(&Row {
                file: &file.name,
                bytes: file.bytes,
                sha256: &file.sha256,
                accepted: is_accepted,
            })?;
        } else {
            let word = if is_accepted { "accepted" } else { "waiting " };
            session.out.line(format!("{word}  {}  {}", escape(&file.name), bytes(file.bytes)))?;
        }
        if args.moves && is_accepted && facts(path) == before {
            fs::remove_file(path).with_context(|| format!("cannot delete `{}`", path.display()))?;
        }
    }
    session.out.finish()?;
    if !is_good {
        session
            .talk
            .hint("`varve vault status` tells which replicas lack them, `varve vault bring` tries again");
    }
    Ok(if is_good { Exit::Done } else { Exit::Failed })
}

/// How long a file is, which it is, and when it was changed: what was put must still be what lies there when it is deleted.
fn facts(path: &Path) -> Option<(u64, u64, i64, i64)> {
    let facts = fs::metadata(path).ok()?;
    Some((facts.len(), facts.ino(), facts.mtime(), facts.mtime_nsec()))
}
