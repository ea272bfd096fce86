//! `varve init`: an empty archive with its settings.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde::Serialize;

use crate::exit::Exit;
use crate::hint::WithHint as _;
use crate::new_file::NewFile;
use crate::session::Session;
use crate::settings;

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

/// Makes an archive in a folder, which may have other things in it; says where its settings are.
pub(crate) fn make(folder: &Path) -> anyhow::Result<PathBuf> {
    let shown = folder.display();
    let file = settings::file_of(folder);
    if file.exists() {
        return Err(anyhow!("`{shown}` is an archive already: it has a {}", settings::NAME))
            .hint(format!("`varve config check --archive {shown}` looks through its settings"));
    }
    archive::Archive::create(folder).with_context(|| format!("cannot make an archive of `{shown}`"))?;
    let filters = folder.join("filters");
    fs::create_dir_all(&filters).with_context(|| format!("cannot make `{}`", filters.display()))?;
    // Last, because it is what makes an archive of a folder.
    let mut settings = NewFile::create(&file, false)?;
    settings
        .write_all(settings::new_file().as_bytes())
        .with_context(|| format!("cannot write `{}`", file.display()))?;
    settings.finish()?;
    Ok(file)
}

/// Whether there is nothing in a folder; one that is not there has nothing in it, either.
pub(crate) fn is_empty(folder: &Path) -> anyhow::Result<bool> {
    let shown = folder.display();
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            Err(anyhow!("`{shown}` is a file, not a folder")).hint("name a folder that is to be made")
        }
        Err(error) => Err(error).with_context(|| format!("cannot look into `{shown}`")),
    }
}
