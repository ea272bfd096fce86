//! Opens an archive, and says what to do where that fails.

use std::path::Path;

use archive::Archive;
use settings::{Error, failure};

use super::kept::has_catalogue;

/// Opens the archive in a folder.
///
/// # Errors
/// When there is none, or it cannot be opened.
pub fn open(folder: &Path) -> Result<Archive, Error> {
    Archive::open(folder).map_err(|error| {
        let (is_missing, is_lost) = (
            matches!(error, archive::Error::NoArchive { .. }),
            matches!(error, archive::Error::IndexLost { .. }),
        );
        let shown = folder.display();
        if !is_missing {
            let error = Error::above(format!("cannot open the archive in `{shown}`"), error);
            let hint = "`varve rebuild` makes the index again from the files in the store";
            return if is_lost { error.with_hint(hint) } else { error };
        }
        if has_catalogue(folder) {
            return store_is_gone(folder);
        }
        failure!("there is no archive in `{shown}`").with_hint(format!("`varve init {shown}` makes one"))
    })
}

/// There was an archive, and its files are not there.
#[must_use]
pub fn store_is_gone(folder: &Path) -> Error {
    failure!("the archive's files are gone: there is no `{}`", folder.join("store").display())
        .with_hint("is its disk mounted?")
        .with_hint(
            "if they are lost: `varve vault replicas --begin store`, then `varve vault audit store --presence` and `varve vault repair` bring them back from the replicas",
        )
}
