//! `varve vault backup`: a copy of the catalogue of files, and of the database of watched pages, while they are used.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::exit::Exit;
use crate::session::Session;

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
    let kept = session.kept()?;
    let (path, watches) = match args.path {
        Some(path) => {
            kept.vault.catalogue().back_up(&path)?;
            (path, None)
        }
        None => kept.back_up()?,
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
