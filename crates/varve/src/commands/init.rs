//! `varve init`: an empty archive with its settings.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde::Serialize;

use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::new_archive::{is_empty, make};
use crate::session::Session;

/// Make an empty archive
///
/// Makes the folder, if it is not there, and writes a varve.toml into it: every setting with what it is for and its usual
/// value, all of it commented out.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the archive
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Make it also in a folder that is not empty; what is there stays
    #[arg(long)]
    force: bool,
}

/// What was made.
#[derive(Serialize)]
struct Made<'a> {
    archive: &'a Path,
    settings: &'a Path,
}

pub(crate) fn run(args: Args, session: &mut Session) -> anyhow::Result<Exit> {
    let folder = &args.folder;
    let shown = folder.display();
    if !args.force && !settings::file_of(folder).exists() && !is_empty(folder)? {
        return Err(anyhow!("the folder `{shown}` is not empty"))
            .hint("`--force` makes an archive of it all the same");
    }
    let file = make(folder)?;
    if session.globals.json {
        session.out.json(&Made { archive: folder, settings: &file })?;
    } else {
        session
            .talk
            .note(&format!("`{shown}` is an empty archive; its settings are in `{}`", file.display()));
    }
    Ok(Exit::Done)
}
