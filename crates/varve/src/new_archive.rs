//! Makes a new archive: its folders, and a settings file in which every setting is commented out.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::hint::WithHint as _;
use crate::new_file::NewFile;

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
