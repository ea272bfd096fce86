//! `varve vault backup`: a copy of the catalogue of files, and of the database of watched pages, while they are used.

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
/// What the names of copies begin with.
const CATALOGUES: &str = "catalogue-";
const PREFIXES: [&str; 2] = [CATALOGUES, "watch-"];

/// Copy the catalogue of files, with its log, and the database of watched pages, while they are used
///
/// Both go to the archive's folder `backups`; with a PATH only the catalogue is copied.
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
    watches: Option<&'a Path>,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let kept = Kept::open(session)?;
    let (path, watches) = match args.path {
        Some(path) => {
            kept.vault.catalogue().back_up(&path)?;
            (path, None)
        }
        None => copy(&kept)?,
    };
    if session.globals.json {
        session.out.json(&Row { backup: &path, watches: watches.as_deref() })?;
    } else {
        for path in std::iter::once(&path).chain(&watches) {
            session.out.line(path.display())?;
        }
    }
    Ok(Exit::Done)
}

/// Copies the catalogue, and the database of watched pages if there is one, to names after the time.
pub(crate) fn copy(kept: &Kept) -> anyhow::Result<(PathBuf, Option<PathBuf>)> {
    let archive = kept.archive.folder();
    let folder = archive.join(FOLDER);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    let stamp = urlkey::time::to_14(now());
    let [path, watches] = PREFIXES.map(|prefix| folder.join(format!("{prefix}{stamp}.db")));
    kept.vault.catalogue().back_up(&path)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot start a thread")?;
    let is_copied = runtime.block_on(watch::back_up(archive, None, &watches));
    let is_copied = is_copied.context("the database of watched pages cannot be copied")?;
    Ok((path, is_copied.then_some(watches)))
}

/// Removes the oldest copies beyond so many of each.
pub(crate) fn thin_out(archive: &Path, most: usize) {
    for prefix in PREFIXES {
        let copies = all_of(archive, prefix);
        for path in copies.iter().take(copies.len().saturating_sub(most)) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Copies of the catalogue that were named after the time, the oldest first.
pub(crate) fn all(archive: &Path) -> Vec<PathBuf> {
    all_of(archive, CATALOGUES)
}

fn all_of(archive: &Path, prefix: &str) -> Vec<PathBuf> {
    let listed = fs::read_dir(archive.join(FOLDER));
    let mut paths: Vec<_> = listed
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(prefix) && name.ends_with(".db")
        })
        .map(|entry| entry.path())
        .collect();
    // By when they were made: a name from a wrong clock must not outlive the others.
    paths.sort_by_key(|path| fs::metadata(path).and_then(|facts| facts.modified()).ok());
    paths
}
