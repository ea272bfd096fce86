//! What is committed: harvests in the archive's own collection, imports in any.

use archive::{Archive, WEB};
use index::Commit;

use crate::error::Error;

/// A job that is committed, and where.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Which collection has its captures.
    pub(super) collection: String,
    /// What is said of it there.
    pub(super) commit: Commit,
}

impl Known {
    /// All of them, in no order.
    pub(super) fn all(archive: &Archive) -> Result<Vec<Known>, Error> {
        let mut known = Vec::new();
        for collection in archive.collections()? {
            let Some(found) = archive.collection(&collection)? else { continue };
            let snapshot = found.snapshot()?;
            // What others feed into a collection is no job of ours; checks of watched pages are shown with the pages.
            let is_other = |commit: &Commit| archive::is_removal(commit) || archive::is_watch(commit);
            let is_job = |commit: &&Commit| (collection == WEB && !is_other(commit)) || is_import(commit);
            let jobs = snapshot.commits().iter().filter(is_job);
            let of = |commit: &Commit| Known { collection: collection.clone(), commit: commit.clone() };
            known.extend(jobs.map(of));
        }
        Ok(known)
    }

    /// The one of this name.
    pub(super) fn find(archive: &Archive, job: &str) -> Result<Option<Known>, Error> {
        Ok(Known::all(archive)?.into_iter().find(|known| known.commit.name == job))
    }

    /// What it is.
    pub(super) fn kind(&self) -> Kind {
        if is_import(&self.commit) { Kind::Import } else { Kind::Harvest }
    }
}

/// What brought captures into the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// They were fetched.
    #[default]
    Harvest,
    /// They were in files from elsewhere.
    Import,
}

impl Kind {
    /// Whether it is an import.
    #[must_use]
    pub fn is_import(self) -> bool {
        self == Kind::Import
    }
}

/// Whether a commit is an import's.
pub(crate) fn is_import(commit: &Commit) -> bool {
    commit.facts.iter().any(|(name, value)| name == "kind" && value == "import")
}
