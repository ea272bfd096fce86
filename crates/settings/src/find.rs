//! Where the archive is, and where its settings are.
//!
//! The archive is what `--archive` or `$VARVE_ARCHIVE` names; else what the file of `--config` or `$VARVE_CONFIG` names; else
//! the nearest folder from the current one upwards that has a `varve.toml`, or the folders of an archive. The settings are the
//! file of `--config`, or the `varve.toml` of the archive.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::file::File;
use super::problem::{Problem, Problems};
use super::table::Refused;
use super::voice::Voice;
use super::{Error, Loaded, credentials, failure};

/// The name of the settings in an archive.
pub const NAME: &str = "varve.toml";

/// Nobody writes longer settings; a list of seeds or of traps is a file of its own.
const BYTES_MAX: u64 = 16 << 20;

/// What the general options say about where archive and settings are.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The settings file of `--config`.
    pub config: Option<PathBuf>,
    /// The archive of `--archive`.
    pub archive: Option<PathBuf>,
}

/// Where archive and settings should be. Nothing was opened yet.
pub struct Place {
    /// The archive's folder, if it is known before the settings are read.
    pub archive: Option<PathBuf>,
    /// The settings.
    pub settings: Option<PathBuf>,
}

/// Looks where the archive and its settings should be.
#[must_use]
pub fn find(search: &Search) -> Place {
    match (&search.config, &search.archive) {
        (Some(config), archive) => Place { archive: archive.clone(), settings: Some(config.clone()) },
        (None, Some(archive)) => Place { archive: Some(archive.clone()), settings: Some(file_of(archive)) },
        (None, None) => {
            let archive = upwards();
            Place { settings: archive.as_deref().map(file_of), archive }
        }
    }
}

/// Finds and reads the settings that apply. Where there are none, or they cannot be read, `voice` says so, and the built-in
/// settings apply (A1).
///
/// # Errors
/// When the settings are there and wrong.
pub fn load(search: &Search, voice: &Voice) -> Result<Loaded, Error> {
    let place = find(search);
    let Some(path) = place.settings.clone() else {
        let message = format!("there is no {NAME} here or in a folder above");
        voice.warning(&format!("{message}; the settings that are built in hold"));
        return Ok(place.loaded(None));
    };
    match read(&path) {
        Ok(file) => Ok(place.loaded(Some(file.map_err(Problems::into_error)?))),
        Err(unreadable) => {
            voice.warning(&format!("{unreadable}; the settings that are built in hold"));
            Ok(place.loaded(None))
        }
    }
}

/// Reads the settings for those who need little of them: no message where there are none.
///
/// # Errors
/// When the settings are there and wrong.
pub fn said(search: &Search) -> Result<File, Error> {
    match find(search).settings.map(|path| read(&path)) {
        Some(Ok(file)) => file.map_err(Problems::into_error),
        _ => Ok(File::default()),
    }
}

impl Place {
    /// With what the settings say, or nothing.
    #[must_use]
    pub fn loaded(self, file: Option<File>) -> Loaded {
        let file = file.unwrap_or_default();
        let folder = self.archive.or_else(|| file.archive.clone()).or_else(upwards);
        Loaded { folder, file }
    }
}

/// There is no archive to be found.
#[must_use]
pub fn no_archive() -> Error {
    failure!("there is no archive here or in a folder above")
        .with_hint("`varve init DIR` makes one")
        .with_hint("`--archive DIR` or $VARVE_ARCHIVE names one that is elsewhere")
}

/// Reads a settings file.
///
/// # Errors
/// The outer error says in words that the file cannot be read; the inner one that it is wrong.
pub fn read(path: &Path) -> Result<Result<File, Problems>, String> {
    Ok(text(path)?.and_then(|text| {
        credentials::protect(path, &text);
        File::parse(&text, path)
    }))
}

/// The text of a file, with the same two errors.
pub(crate) fn text(path: &Path) -> Result<Result<String, Problems>, String> {
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
#[must_use]
pub fn file_of(archive: &Path) -> PathBuf {
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
