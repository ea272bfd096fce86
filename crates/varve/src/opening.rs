//! Opens the archive that the options name, or the one around here.

use std::path::Path;

use anyhow::anyhow;
use archive::Archive;

use crate::hint::with_hint;
use crate::replicas;
use crate::session::Session;

/// Opens the archive that the options name, or the one around here.
pub(crate) fn archive(session: &Session) -> anyhow::Result<Archive> {
    let place = session.find_settings();
    let archive = match (place.archive, place.settings) {
        (Some(folder), _) => open(&folder),
        (None, Some(_)) => open(session.load_settings()?.archive()?),
        (None, None) => Err(settings::no_archive().into()),
    }?;
    // Whoever needs the settings reports what is wrong with them.
    let others = session.read_settings().map(|file| replicas::others(&file)).unwrap_or_default();
    Ok(archive.with_others(others))
}

/// Opens the archive in a folder.
pub(crate) fn open(folder: &Path) -> anyhow::Result<Archive> {
    Archive::open(folder).map_err(|error| {
        let (is_missing, is_lost) = (
            matches!(error, archive::Error::NoArchive { .. }),
            matches!(error, archive::Error::IndexLost { .. }),
        );
        let shown = folder.display();
        if !is_missing {
            let error = anyhow::Error::new(error).context(format!("cannot open the archive in `{shown}`"));
            let hint = "`varve rebuild` makes the index again from the files in the store";
            return if is_lost { with_hint(error, hint) } else { error };
        }
        if replicas::has_catalogue(folder) {
            return store_is_gone(folder);
        }
        with_hint(anyhow!("there is no archive in `{shown}`"), format!("`varve init {shown}` makes one"))
    })
}

/// There was an archive, and its files are not there.
pub(crate) fn store_is_gone(folder: &Path) -> anyhow::Error {
    let error = anyhow!("the archive's files are gone: there is no `{}`", folder.join("store").display());
    let error = with_hint(error, "is its disk mounted?");
    with_hint(
        error,
        "if they are lost: `varve vault replicas --begin store`, then `varve vault audit store --presence` and `varve vault repair` bring them back from the replicas",
    )
}
