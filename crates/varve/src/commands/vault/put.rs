//! `varve vault put`: a file of any kind is kept, in every replica.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use catalogue::{File, State};
use serde::Serialize;
use store::{DEPOSIT, is_deposit, is_file_name, is_name};
use supervisor::{Kept, hinted, is_busy};

use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::interrupts::Interrupts;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::replication;
use crate::report;
use crate::session::Session;
use crate::terminal::{bytes, escape};
use crate::usage::wrong;

/// What names may have in them.
const ALLOWED: &str =
    "names have letters from a to z, digits, `.`, `-` and `_`, no `.` in front, and at most 200 of them";

/// Keep files of any kind in every replica
///
/// A copy of each file is taken in, under its own name, as a file of the job `deposit`, and brought to every replica. They are kept, and
/// not indexed: to browse what is in WARC files, `varve import` them. A file that is kept already is left as it is; another
/// one of the same name is refused, and the rest goes on. The exit code is 1 unless every replica has every one of them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The files
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Keep it under this name instead of its own; for one file
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Keep them as files of this job: they are called deposit-NAME/… then, instead of deposit/…
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

/// For programs: a file that could not be kept.
#[derive(Serialize)]
struct Refused<'a> {
    file: Option<&'a str>,
    path: &'a Path,
    accepted: bool,
    why: &'a str,
}

/// What a file was before it was put.
type Facts = Option<(u64, u64, i64, i64)>;

/// What became of a file: its name in the vault, and what it was before; or why it could not be kept.
type Taken = Result<(String, Facts), String>;

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    if args.name.is_some() && args.paths.len() > 1 {
        return Err(wrong(anyhow!("`--name` is for one file, and there are {}", args.paths.len())));
    }
    let kept = session.kept()?;
    let interrupts = Interrupts::listen()?;
    let job = match &args.job {
        None => DEPOSIT.to_owned(),
        Some(name) if is_deposit(name) => name.clone(),
        Some(name) => format!("{DEPOSIT}-{name}"),
    };
    if !is_name(&job) {
        return Err(wrong(anyhow!("`{}` cannot be the name of a job: {ALLOWED}", escape(&job))));
    }
    let mut taken: Vec<(&Path, Taken)> = Vec::new();
    for path in &args.paths {
        let before = facts(path);
        let one = take(&kept, (&job, args.name.as_deref()), path, &interrupts, session);
        let is_over = interrupts.is_wanted() || one.as_ref().is_err_and(|error| is_busy(error.as_ref()));
        let one = one.with_context(|| format!("cannot keep `{}`", path.display()));
        // What is wrong with one is no fault of the others.
        let one = one.map(|file| (file.name, before)).map_err(|error| {
            report::failure(&session.talk, &error);
            error.chain().skip(1).map(ToString::to_string).collect::<Vec<_>>().join(": ")
        });
        taken.push((path, one));
        if is_over {
            break;
        }
    }
    let left = args.paths.iter().skip(taken.len());
    taken.extend(left.map(|path| (path.as_path(), Err("it was not tried".to_owned()))));
    let is_taken = taken.iter().all(|(_, one)| one.is_ok());
    let mut is_waiting = false;
    if taken.iter().any(|(_, one)| one.is_ok()) {
        match replication::bring(&kept, &interrupts, session) {
            Ok(brought) => is_waiting |= brought.is_stopped,
            Err(error) => {
                is_waiting = true;
                report::failure(&session.talk, &error);
            }
        }
    }
    for (path, one) in &taken {
        match one {
            Ok((name, before)) => is_waiting |= !tell(&kept, name, (path, before), args.moves, session)?,
            Err(why) if session.globals.json => {
                session.out.json(&Refused { file: None, path, accepted: false, why })?
            }
            Err(_) => session.out.line(format!("refused   {}", escape(&path.display().to_string())))?,
        }
    }
    session.out.finish()?;
    if is_waiting {
        session
            .talk
            .hint("`varve vault status` tells which replicas lack them, `varve vault bring` tries again");
    }
    Ok(if is_taken && !is_waiting { Exit::Done } else { Exit::Failed })
}

/// Takes a copy of a file in.
fn take(
    kept: &Kept,
    (job, name): (&str, Option<&str>),
    path: &Path,
    interrupts: &Interrupts,
    session: &Session,
) -> anyhow::Result<File> {
    let own = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.unwrap_or(&own);
    check(name)?;
    let total = facts(path).map(|(length, ..)| length);
    let mut pace = Pace::new(interrupts, Progress::bytes(&session.talk, "keeping", total), None);
    let file = kept.by_hand().deposit_as(job, name, path, &mut |bytes| pace.read(bytes));
    pace.finish();
    Ok(file.map_err(hinted)?)
}

/// Whether a file can be called that; else why not, and what it could be called.
fn check(name: &str) -> anyhow::Result<()> {
    if is_file_name(name) {
        return Ok(());
    }
    let shown = escape(name);
    let why = match is_name(name) {
        true => anyhow!("`{shown}` is a name that the store uses itself"),
        false => anyhow!("`{shown}` cannot be the name of a file here: {ALLOWED}"),
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' };
    let plain: String = name.chars().map(plain).collect();
    let such_as = Some(plain.trim_start_matches('.')).filter(|plain| is_file_name(plain));
    let such_as = such_as.map(|plain| format!(", such as `--name {plain}`")).unwrap_or_default();
    Err(why).hint(format!("`--name NAME` keeps it under another name{such_as}"))
}

/// Says how a file stands; whether every replica has it. It is deleted here if that is wanted and so.
fn tell(
    kept: &Kept,
    name: &str,
    (path, before): (&Path, &Facts),
    moves: bool,
    session: &mut Session,
) -> anyhow::Result<bool> {
    let Some(file) = kept.vault.catalogue().file(name)? else { return Ok(false) };
    // Accepted once is not enough: every replica must have it now.
    let copies = kept.vault.catalogue().copies(&file)?;
    let accepted = file.accepted_at.is_some() && copies.iter().all(|copy| copy.state == State::Verified);
    if session.globals.json {
        session.out.json(&Row { file: &file.name, bytes: file.bytes, sha256: &file.sha256, accepted })?;
    } else {
        let word = if accepted { "accepted" } else { "waiting " };
        session.out.line(format!("{word}  {}  {}", escape(&file.name), bytes(file.bytes)))?;
    }
    if moves && accepted && facts(path) == *before {
        fs::remove_file(path).with_context(|| format!("cannot delete `{}`", path.display()))?;
    }
    Ok(accepted)
}

/// How long a file is, which it is, and when it was changed: what was put must still be what lies there when it is deleted.
fn facts(path: &Path) -> Facts {
    let facts = fs::metadata(path).ok()?;
    Some((facts.len(), facts.ino(), facts.mtime(), facts.mtime_nsec()))
}
