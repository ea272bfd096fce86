//! Opens the archive that the options name, or the one around here.

use archive::Archive;

use crate::session::Session;

/// Opens the archive that the options name, or the one around here.
pub(crate) fn archive(session: &Session) -> anyhow::Result<Archive> {
    let place = session.find_settings();
    let archive = match (place.archive, place.settings) {
        (Some(folder), _) => supervisor::open(&folder)?,
        (None, Some(_)) => supervisor::open(session.load_settings()?.archive()?)?,
        (None, None) => return Err(settings::no_archive().into()),
    };
    // Whoever needs the settings reports what is wrong with them.
    let others = session.read_settings().map(|file| supervisor::others(&file)).unwrap_or_default();
    Ok(archive.with_others(others))
}
