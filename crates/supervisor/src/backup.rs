//! Copies of the catalogue of files, and of the database of watched pages, while they are used.

use std::fs;
use std::path::{Path, PathBuf};

use settings::Explain as _;

use super::error::Result;
use super::kept::Kept;

/// Where copies go that were given no name.
const FOLDER: &str = "backups";
/// What the names of copies begin with.
const CATALOGUES: &str = "catalogue-";
const PREFIXES: [&str; 2] = [CATALOGUES, "watch-"];

impl Kept {
    /// Copies the catalogue, and the database of watched pages if there is one, to names after the time.
    ///
    /// # Errors
    /// When a copy cannot be written.
    pub fn back_up(&self) -> Result<(PathBuf, Option<PathBuf>)> {
        let archive = self.archive.folder();
        let folder = archive.join(FOLDER);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        let stamp = urlkey::time::to_14(self.clock.now());
        let [path, watches] = PREFIXES.map(|prefix| folder.join(format!("{prefix}{stamp}.db")));
        self.vault.catalogue().back_up(&path)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("cannot start a thread")?;
        let is_copied = runtime.block_on(watch::back_up(archive, None, &watches));
        let is_copied = is_copied.context("the database of watched pages cannot be copied")?;
        Ok((path, is_copied.then_some(watches)))
    }
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
#[must_use]
pub fn backups(archive: &Path) -> Vec<PathBuf> {
    all_of(archive, CATALOGUES)
}

fn all_of(archive: &Path, prefix: &str) -> Vec<PathBuf> {
    let listed = fs::read_dir(archive.join(FOLDER));
    let mut paths: Vec<_> = listed
        .into_iter()
        .flatten()
        .flatten()
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
