//! Making a new database, so that a process killed in the middle leaves none rather than half of one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::guard::of_io;
use super::{Batch, Disk, Space};
use crate::error::Error;
use crate::key;
use crate::ledger::Ledger;
use crate::settings::Settings;

/// Makes the database beside its place and moves it there, unless there is one.
pub(super) fn if_absent(folder: &Path, settings: &Settings) -> Result<(), Error> {
    if !is_absent(folder).map_err(|error| of_io(&error))? {
        return Ok(());
    }
    let part = beside(folder);
    // What lies there was never a database: it would have its name.
    match fs::remove_dir_all(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Error::Disk(error)),
        _ => {}
    }
    fs::create_dir_all(&part).map_err(|error| write_error(&error))?;
    let disk = Disk::with_keyspaces(Disk::open_database(&part, settings)?)?;
    let mut batch = Batch::default();
    batch.put(Space::Hosts, key::LEDGER, Ledger::default().write());
    disk.commit(batch)?;
    disk.persist()?;
    drop(disk);
    fs::rename(&part, folder).map_err(|error| write_error(&error))?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(parent).and_then(|parent| parent.sync_all()).map_err(|error| write_error(&error))
}

/// Whether there is nothing, or a folder with nothing in it.
fn is_absent(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().transpose()?.is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

fn beside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    folder.with_file_name(name)
}

/// Here a missing folder is no damage.
fn write_error(error: &io::Error) -> Error {
    match of_io(error) {
        Error::Damaged { .. } => Error::Disk(io::Error::new(error.kind(), error.to_string())),
        other => other,
    }
}
