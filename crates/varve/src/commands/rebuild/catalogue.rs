//! The catalogue of files: where it is gone or damaged, it is made again from what lies in the replicas.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use archive::Archive;
use catalogue::Catalogue;
use serde::Serialize;
use settings::File;
use store::Store;
use supervisor::{CATALOGUE, Kept, Rebuilding, hinted};
use vault::Hold;

use crate::adopted;
use crate::clock::now;
use crate::hint::with_hint;
use crate::interrupts::Interrupts;
use crate::pace::Pace;
use crate::progress::Progress;
use crate::session::Session;
use crate::terminal::{counted, escape};

/// For programs.
#[derive(Serialize)]
struct Row {
    catalogue_files: u64,
    adopted: u64,
    left: u64,
    verified: u64,
    failed: u64,
    refused: u64,
}

/// Makes the catalogue again, if there is none that can be used, or goes on with that; says whether all is as it should be. The
/// indexes may be lost: files that only replicas have must be in the store before those are made.
pub(super) fn bring_back(folder: &Path, file: &File, session: &mut Session) -> anyhow::Result<bool> {
    let is_usable = is_usable(&folder.join(CATALOGUE))?;
    if is_usable && Rebuilding::of(folder)? == Rebuilding::No {
        return Ok(true);
    }
    if !folder.join("store/FORMAT").is_file() && file.replicas.is_empty() {
        // There is nothing to make it from, and perhaps no archive at all: whoever makes the indexes tells.
        return Ok(true);
    }
    // With the store itself gone, there is nothing to open before it is begun anew.
    Store::create(&folder.join("store")).with_context(|| format!("cannot use `{}`", folder.display()))?;
    // Under those who change what lies in the replicas, nothing is moved.
    let held = if is_usable { None } else { Some(Hold::of(&folder.join(CATALOGUE)).map_err(hinted)?) };
    // From here to the end: what is ended in the middle is gone on with, and nobody takes half a catalogue for a whole one.
    Rebuilding::Begun.write(folder)?;
    if held.is_some() {
        set_aside(folder, session)?;
    }
    // Whoever takes up and brings files holds the vault for that.
    drop(held);
    let archive = Archive::open_without_indexes(folder)
        .with_context(|| format!("cannot open the archive in `{}`", folder.display()))?;
    archive.make_work()?;
    let kept = Kept::again(archive, file, fetch::Clock::new(now))?;
    let (is_good, state) = adopt_all(&kept, session)?;
    state.write(folder)?;
    tell_of_log(folder, session);
    Ok(is_good)
}

/// Whether there is a catalogue that is whole. One that could not be had just now may be.
fn is_usable(path: &Path) -> anyhow::Result<bool> {
    if fs::metadata(path).map_or(0, |facts| facts.len()) == 0 {
        return Ok(false);
    }
    match Catalogue::open(path).and_then(|catalogue| catalogue.is_whole()) {
        Err(error) if error.is_damaged() => Ok(false),
        is_whole => Ok(is_whole?),
    }
}

/// Takes up all that the replicas have, and brings it to those that lack it. Says whether all is as it should be, and what is left to do.
fn adopt_all(kept: &Kept, session: &mut Session) -> anyhow::Result<(bool, Rebuilding)> {
    let interrupts = Interrupts::listen()?;
    let noted = kept.take_stock()?;
    let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "replicas", None), None);
    let (mut adopted, mut left, mut told) = (0_u64, 0_u64, Ok(()));
    let outcome = kept.vault.adopt(
        &|_| true,
        "the catalogue was made again from the replicas",
        &mut |one| {
            adopted += u64::from(one.outcome.is_ok());
            left += u64::from(one.outcome.is_err());
            if told.is_ok() && one.outcome.is_err() {
                told = adopted::tell(one, session);
            }
        },
        &mut |bytes| pace.read(bytes),
    );
    pace.finish();
    told?;
    let stopped = || with_hint(anyhow!("stopped"), "the same command goes on from there");
    let mut state = Rebuilding::No;
    if let Err(error) = outcome {
        if interrupts.is_wanted() {
            return Err(stopped());
        }
        // A replica that cannot be reached keeps nobody from what the others have.
        session
            .talk
            .warning(&format!("not every replica could be looked through: {:#}", anyhow::Error::from(error)));
        session.talk.hint("when it is there again, `varve rebuild` looks through it, too");
        left += 1;
        state = Rebuilding::Waiting;
    }
    let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "verifying", None), None);
    let brought = kept.vault.bring(&mut |bytes| pace.read(bytes));
    pace.finish();
    let brought = brought.map_err(hinted)?;
    if brought.is_stopped {
        return Err(stopped());
    }
    let files = kept.vault.catalogue().sums()?.files;
    if session.globals.json {
        session.out.json(&Row {
            catalogue_files: files,
            adopted: noted + adopted,
            left,
            verified: brought.verified,
            failed: brought.failed,
            refused: brought.refused,
        })?;
    } else if files > 0 {
        session.out.line(format!(
            "the catalogue was made again: {}; of their copies {} were read and found right, {} were not",
            counted(files, "file"),
            crate::terminal::grouped(brought.verified),
            crate::terminal::grouped(brought.failed + brought.refused)
        ))?;
    }
    session.out.finish()?;
    if brought.refused > 0 {
        session.talk.hint("`varve vault repair --dry-run` tells what can be repaired of it");
    }
    Ok((left + brought.failed + brought.refused == 0, state))
}

/// The log cannot be made again; but there may be a copy of it.
fn tell_of_log(folder: &Path, session: &Session) {
    let Some(newest) = supervisor::backups(folder).pop() else { return };
    let shown = newest.display().to_string();
    let shown = escape(&shown);
    session.talk.note(&format!("the log begins anew; as far as it was copied, it is in `{shown}`"));
    session.talk.hint(&format!("to have it back, remove `{CATALOGUE}` with `-wal` and `-shm`, copy that file to its place, and let `varve vault audit` look through the replicas"));
}

/// What cannot be read is kept for whoever can.
fn set_aside(folder: &Path, session: &Session) -> anyhow::Result<()> {
    let time = urlkey::time::to_14(now());
    // The database last: as long as it is there, this is done again.
    for ending in ["-wal", "-shm", ""] {
        let path = folder.join(format!("{CATALOGUE}{ending}"));
        let length = fs::metadata(&path).map_or(0, |facts| facts.len());
        if length == 0 {
            let _ = fs::remove_file(&path);
            continue;
        }
        let kept = folder.join(format!("{CATALOGUE}.damaged-{time}{ending}"));
        fs::rename(&path, &kept).with_context(|| format!("cannot rename `{}`", path.display()))?;
        let shown = kept.display().to_string();
        session.talk.note(&format!("what was there of the catalogue is kept as `{}`", escape(&shown)));
    }
    Ok(())
}
