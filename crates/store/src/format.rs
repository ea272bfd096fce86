//! The file that says what a folder is and in which version. A version that is not known is not opened.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use crate::error::Error;
use crate::folder;

pub(crate) const FILE: &str = "FORMAT";

/// Makes a folder what it is to be, unless it is that already.
pub(crate) fn claim(folder: &Path, format: &str) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::write(folder))?;
    let path = folder.join(FILE);
    if !path.exists() {
        // Whole or not at all: a half written one would make everything unreadable.
        let fresh = folder.join("FORMAT.new");
        let written = File::create(&fresh)
            .and_then(|mut file| file.write_all(format.as_bytes()).and_then(|()| file.sync_all()));
        written.and_then(|()| fs::rename(&fresh, &path)).map_err(Error::write(&path))?;
        folder::sync(folder)?;
        if let Some(above) = folder.parent().filter(|above| *above != Path::new("")) {
            folder::sync(above)?;
        }
    }
    check(folder, format)
}

/// Whether the folder is still there: without its disk it looks like an empty one, and nothing must be believed of it.
pub(crate) fn reach(folder: &Path) -> Result<(), Error> {
    fs::metadata(folder.join(FILE)).map(drop).map_err(|error| Error::Unreachable {
        place: folder.display().to_string(),
        source: match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                "there is nothing of ours in this folder; is its disk mounted?".into()
            }
            _ => error.into(),
        },
    })
}

/// Looks whether a folder is what it should be.
pub(crate) fn check(folder: &Path, format: &str) -> Result<(), Error> {
    let path = folder.join(FILE);
    let mut found = String::new();
    File::open(&path)
        .and_then(|file| file.take(200).read_to_string(&mut found))
        .map_err(Error::read(&path))?;
    if found == format { Ok(()) } else { Err(Error::Format { path, found: found.trim_end().to_owned() }) }
}
