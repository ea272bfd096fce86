//! The catalogue of files: where it is gone or damaged, it is made again from what lies in the replicas.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use archive::Archive;
use catalogue::Catalogue;
use serde::Serialize;
use store::Store;

use crate::commands::harvest::Interrupts;
use crate::commands::vault::{Pace, adopt};
use crate::progress::Progress;
use crate::replicas::{CATALOGUE, Kept, hinted, now};
use crate::session::Session;
use crate::settings::File;
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

/// Makes the catalogue again, if there is none that can be used; says whether all is as it should be.
pub(super) fn bring_back(folder: &Path, file: &File, session: &mut Session) -> anyhow::Result<bool> {
    let path = folder.join(CATALOGUE);
    if path.exists() {
        match Catalogue::open(&path) {
            Ok(catalogue) if catalogue.is_whole() => return Ok(true),
            // Not damaged: a newer version of this program knows it.
            Err(error @ catalogue::Error::Later { .. }) => return Err(error.into()),
            Ok(_) | Err(_) => {}
        }
    }
    set_aside(folder, session)?;
    // With the store itself gone, there is nothing to open before it is begun anew.
    Store::create(&folder.join("store")).with_context(|| format!("cannot use `{}`", folder.display()))?;
    let archive = Archive::create(folder).with_context(|| format!("cannot open `{}`", folder.display()));
    let Ok(archive) = archive else {
        // An index that cannot be opened is made again first; then there is something to ask.
        return Ok(true);
    };
    let kept = Kept::of(archive, file)?;
    adopt_all(&kept, session)
}

fn adopt_all(kept: &Kept, session: &mut Session) -> anyhow::Result<bool> {
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
                told = adopt::tell(one, session);
            }
        },
        &mut |bytes| pace.read(bytes),
    );
    pace.finish();
    told?;
    if let Err(error) = outcome {
        // A replica that cannot be reached keeps nobody from what the others have.
        session.talk.warning(&format!("not every replica could be looked through: {error:#}"));
        left += 1;
    }
    let mut pace = Pace::new(&interrupts, Progress::bytes(&session.talk, "verifying", None), None);
    let brought = kept.vault.bring(&mut |bytes| pace.read(bytes));
    pace.finish();
    let brought = brought.map_err(hinted)?;
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
            "the catalogue was made again: {}, {} of copies read and found right, {} not",
            counted(files, "file"),
            crate::terminal::grouped(brought.verified),
            crate::terminal::grouped(brought.failed + brought.refused)
        ))?;
    }
    session.out.finish()?;
    if brought.refused > 0 {
        session.talk.hint("`varve vault repair --dry-run` tells what can be repaired of it");
    }
    Ok(left + brought.failed + brought.refused == 0)
}

/// What cannot be read is kept for whoever can.
fn set_aside(folder: &Path, session: &Session) -> anyhow::Result<()> {
    let time = urlkey::time::to_14(now());
    for ending in ["", "-wal", "-shm"] {
        let path = folder.join(format!("{CATALOGUE}{ending}"));
        let length = fs::metadata(&path).map_or(0, |facts| facts.len());
        if length == 0 {
            let _ = fs::remove_file(&path);
            continue;
        }
        let kept = folder.join(format!("{CATALOGUE}{ending}.damaged-{time}"));
        fs::rename(&path, &kept).with_context(|| format!("cannot rename `{}`", path.display()))?;
        let shown = kept.display().to_string();
        session.talk.note(&format!("what was there of the catalogue is kept as `{}`", escape(&shown)));
    }
    Ok(())
}
