//! Where the archive is, and where its settings are.
//!
//! The archive is what `--archive` or `$VARVE_ARCHIVE` names; else what the file of `--config` or `$VARVE_CONFIG` names; else
//! the nearest folder from the current one upwards that has a `varve.toml`, or the folders of an archive. The settings are the
//! file of `--config`, or the `varve.toml` of the archive.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use archive::Archive;

use super::file::File;
use super::problem::{Problem, Problems};
use super::table::Refused;
use super::{Loaded, credentials};
use crate::hint::with_hint;
use crate::replicas;
use crate::session::Session;

/// The name of the settings in an archive.
pub(crate) const NAME: &str = "varve.toml";

/// Nobody writes longer settings; a list of seeds or of traps is a file of its own.
const BYTES_MAX: u64 = 16 << 20;

/// Where archive and settings should be. Nothing was opened yet.
pub(crate) struct Place {
    /// The archive's folder, if it is known before the settings are read.
    pub(crate) archive: Option<PathBuf>,
    /// The settings.
    pub(crate) settings: Option<PathBuf>,
}

/// Looks where the archive and its settings should be.
pub(crate) fn find(session: &Session) -> Place {
    let globals = &session.globals;
    match (&globals.config, &globals.archive) {
        (Some(config), archive) => Place { archive: archive.clone(), settings: Some(config.clone()) },
        (None, Some(archive)) => Place { archive: Some(archive.clone()), settings: Some(file_of(archive)) },
        (None, None) => {
            let archive = upwards();
            Place { settings: archive.as_deref().map(file_of), archive }
        }
    }
}

/// Finds and reads the settings that hold. Where there are none, or they cannot be read, that is said, and those that are built
/// in hold (A1); settings that are there and wrong are an error.
pub(crate) fn load(session: &Session) -> anyhow::Result<Loaded> {
    let place = find(session);
    let Some(path) = place.settings.clone() else {
        let message = format!("there is no {NAME} here or in a folder above");
        session.talk.warning(&format!("{message}; the settings that are built in hold"));
        return Ok(place.loaded(None));
    };
    match read(&path) {
        Ok(file) => Ok(place.loaded(Some(file.map_err(Problems::into_error)?))),
        Err(unreadable) => {
            session.talk.warning(&format!("{unreadable}; the settings that are built in hold"));
            Ok(place.loaded(None))
        }
    }
}

/// What the settings say, for verbs that need little of them: where there are none, not a word is lost on it.
pub(crate) fn said(session: &Session) -> anyhow::Result<File> {
    match find(session).settings.map(|path| read(&path)) {
        Some(Ok(file)) => file.map_err(Problems::into_error),
        _ => Ok(File::default()),
    }
}

impl Place {
    /// With what the settings say, or nothing.
    pub(crate) fn loaded(self, file: Option<File>) -> Loaded {
        let file = file.unwrap_or_default();
        let folder = self.archive.or_else(|| file.archive.clone()).or_else(upwards);
        Loaded { folder, file }
    }
}

/// Opens the archive that the options name, or the one around here.
pub(crate) fn archive(session: &Session) -> anyhow::Result<Archive> {
    let place = find(session);
    let archive = match (place.archive, place.settings) {
        (Some(folder), _) => open(&folder),
        (None, Some(_)) => open(load(session)?.archive()?),
        (None, None) => Err(no_archive()),
    }?;
    // What is wrong with the settings is for those to tell who need them.
    let others = said(session).map(|file| replicas::others(&file)).unwrap_or_default();
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

/// There is no archive to be found.
pub(crate) fn no_archive() -> anyhow::Error {
    let error =
        with_hint(anyhow!("there is no archive here or in a folder above"), "`varve init DIR` makes one");
    with_hint(error, "`--archive DIR` or $VARVE_ARCHIVE names one that is elsewhere")
}

/// Reads a settings file. That it cannot be read is the outer error, in words; that it is wrong the inner one.
pub(crate) fn read(path: &Path) -> Result<Result<File, Problems>, String> {
    Ok(text(path)?.and_then(|text| {
        credentials::protect(path, &text);
        File::parse(&text, path)
    }))
}

/// The text of a file, with the same two errors.
pub(super) fn text(path: &Path) -> Result<Result<String, Problems>, String> {
    let shown = path.display();
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no `{shown}`"),
        io::ErrorKind::PermissionDenied => format!("you may not read `{shown}`"),
        io::ErrorKind::IsADirectory => format!("`{shown}` is a folder, not a file"),
        _ => format!("`{shown}` cannot be read ({error})"),
    };
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    let wrong = |line: usize, message: String| {
        Problems(vec![Problem::new(path, line, Refused { message, hint: None })])
    };
    if bytes.len() as u64 > BYTES_MAX {
        let message = format!("it has more than {BYTES_MAX} bytes, and is taken for no settings");
        return Ok(Err(wrong(0, message)));
    }
    Ok(String::from_utf8(bytes).map_err(|error| {
        let sound = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = sound.filter(|byte| **byte == b'\n').count() + 1;
        wrong(line, "it is not UTF-8, as settings must be".to_owned())
    }))
}

/// The settings of an archive. The current folder is not worth a word.
pub(crate) fn file_of(archive: &Path) -> PathBuf {
    if archive == Path::new(".") { PathBuf::from(NAME) } else { archive.join(NAME) }
}

/// The nearest folder that is an archive, from the current one upwards.
fn upwards() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let is_archive = |folder: &&Path| {
        folder.join(NAME).exists() || ["store", "work"].iter().all(|part| folder.join(part).is_dir())
    };
    let found = here.ancestors().find(is_archive)?;
    // The current folder needs no long name.
    Some(if found == here { PathBuf::from(".") } else { found.to_owned() })
}
