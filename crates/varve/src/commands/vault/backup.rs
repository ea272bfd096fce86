//! `varve vault backup`: a copy of the catalogue of files, while it is used.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;

use crate::clock::now;
use crate::exit::Exit;
use crate::replicas::Kept;
use crate::session::Session;

/// Where copies go that were given no name.
pub(crate) const FOLDER: &str = "backups";

/// Copy the catalogue of files, with its log, while it is used
///
/// `varve up` makes such a copy by itself, as often as the setting `backup_every` says, and keeps the newest. This verb removes none.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The copy, which must not be there yet [default: one named after the time, in the archive's folder `backups`]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
}

/// For programs.
#[derive(Serialize)]
struct Row<'a> {
    backup: &'a Path,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = Kept::open(session)?;
    let path = match args.path {
        Some(path) => path,
        None => named_after_the_time(&kept)?,
    };
    kept.vault.catalogue().back_up(&path)?;
    if session.globals.json {
        session.out.json(&Row { backup: &path })?;
    } else {
        session.out.line(path.display())?;
    }
    Ok(Exit::Done)
}

/// A new name in the archive's folder of copies.
pub(crate) fn named_after_the_time(kept: &Kept) -> anyhow::Result<PathBuf> {
    let folder = kept.archive.folder().join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    Ok(folder.join(format!("catalogue-{}.db", urlkey::time::to_14(now()))))
}

/// Copies of the catalogue that were named after the time, the oldest first.
pub(crate) fn all(archive: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(archive.join(FOLDER));
    let mut paths: Vec<_> = listed
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("catalogue-") && name.ends_with(".db")
        })
        .map(|entry| entry.path())
        .collect();
    // By when they were made: a name from a wrong clock must not outlive the others.
    paths.sort_by_key(|path| fs::metadata(path).and_then(|facts| facts.modified()).ok());
    paths
}
