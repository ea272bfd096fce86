//! Which archive is served: the one that is named or around here, or else a new one.

use std::path::{Path, PathBuf};

use ::demo::{EDITIONS, Edition, HOST};
use anyhow::anyhow;
use archive::Archive;

use crate::hint::WithHint as _;
use crate::new_archive;
use crate::session::Session;
use crate::usage::wrong;

/// Made where there is none.
const NEW: &str = "varve-archive";

/// Made for the sample site.
const DEMO: &str = "varve-demo";

/// An archive that is there, or is to be made.
pub(super) struct Place {
    pub(super) folder: PathBuf,
}

/// The archive that the options name, or the one around here, or a new one.
pub(super) fn find(session: &Session) -> anyhow::Result<Place> {
    let place = session.find_settings();
    let folder = match (place.archive, &session.globals.config) {
        (Some(folder), _) => Some(folder),
        // The settings may name it.
        (None, Some(_)) => session.load_settings()?.folder,
        (None, None) => None,
    };
    Ok(Place { folder: folder.unwrap_or_else(|| PathBuf::from(NEW)) })
}

/// The archive of the sample site. What was harvested before is never mixed with it unasked.
pub(super) fn of_demo(session: &Session) -> anyhow::Result<Place> {
    let named = session.globals.archive.clone();
    Ok(Place { folder: named.unwrap_or_else(|| PathBuf::from(DEMO)) })
}

/// The sample site is invented, so it goes into no archive that has something else and nothing of it.
pub(super) fn check_demo(archive: &Archive) -> anyhow::Result<()> {
    let snapshot = archive.snapshot()?;
    let is_sample = |job: &str| {
        let (domain, time) = job.rsplit_once('-').unwrap_or_default();
        let is_edition = |edition: &Edition| {
            edition.published.parse().is_ok_and(|published| urlkey::time::to_14(published) == time)
        };
        HOST.ends_with(domain) && EDITIONS.iter().any(is_edition)
    };
    if snapshot.rows() == 0 || snapshot.commits().iter().any(|commit| is_sample(&commit.name)) {
        return Ok(());
    }
    let shown = archive.folder().display();
    Err(wrong(anyhow!("`{shown}` is an archive of something else, and the sample site is invented")))
        .hint("without `--archive` the sample site gets an archive of its own, `varve-demo`")
}

impl Place {
    /// Opens it, and makes it first if there is nothing yet.
    pub(super) fn open(&self, session: &Session) -> anyhow::Result<Archive> {
        if !self.is_there() {
            if !new_archive::is_empty(&self.folder)? {
                let shown = self.folder.display();
                return Err(anyhow!("`{shown}` is no archive, and is not empty"))
                    .hint(format!("`varve init --force {shown}` makes an archive of it all the same"));
            }
            new_archive::make(&self.folder)?;
            session.talk.note(&format!("made a new archive in `{}`", self.folder.display()));
        }
        Ok(supervisor::open(&self.folder)?)
    }

    fn is_there(&self) -> bool {
        let folder: &Path = &self.folder;
        settings::file_of(folder).exists() || folder.join("store").is_dir()
    }
}
