//! Sealing: a finished file becomes part of the store, with its checksum, for good.
//!
//! ```text
//! 1 read it: SHA-256, brought to the disk, made read-only
//! 2 its line in SHA256SUMS, brought to the disk
//! 3 renamed into store/<job>/ (or copied there and renamed, from another disk), both folders brought to the disk
//! ```
//!
//! A crash between any two of these is mended by sealing the same file again: a line without a file is used or followed by a
//! newer one, and a file that is in its place already, and no longer where it came from, is done.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use warc::{Algorithm, Hasher};

use crate::error::Error;
use crate::store::{Sealed, Store};
use crate::{folder, name, sums};

impl Store {
    /// Takes a finished file into the store, under its own name, as a file of this job. Sealing it again does nothing.
    ///
    /// # Errors
    /// When its name is none, another file of that name is there, or the disk fails or is full; then asking again goes on where
    /// it stopped.
    pub fn seal(&self, job: &str, file: &Path) -> Result<Sealed, Error> {
        let file_name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (job, file_name) = (name::checked(job)?, name::checked(&file_name)?);
        let own = folder::of_job(self.folder(), job);
        folder::make(&own)?;
        let (name, place) = (format!("{job}/{file_name}"), own.join(file_name));
        let listed = sums::find(&own, file_name)?;

        let source = match File::open(file) {
            Ok(source) => source,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.sealed(name, listed),
            Err(error) => return Err(Error::read(file)(error)),
        };
        let (sha256, bytes) = digest(&source).map_err(Error::read(file))?;
        if place.exists() {
            return self.sealed_twice(name, file, &sha256);
        }
        source.sync_all().map_err(Error::write(file))?;
        set_read_only(&source).map_err(Error::write(file))?;
        if listed.as_deref() != Some(&sha256) {
            sums::append(&own, file_name, &sha256)?;
        }
        move_file(file, &place, &sha256)?;
        folder::sync(&own)?;
        if let Some(above) = file.parent() {
            folder::sync(above)?;
        }
        Ok(Sealed { name, bytes, sha256 })
    }

    /// The file is not where it came from: it has been sealed, or was never there.
    fn sealed(&self, name: String, listed: Option<String>) -> Result<Sealed, Error> {
        let path = self.path(&name)?;
        match (fs::metadata(&path), listed) {
            (Ok(metadata), Some(sha256)) => Ok(Sealed { name, bytes: metadata.len(), sha256 }),
            _ => Err(Error::Missing(name)),
        }
    }

    /// A file of this name is in its place: the same by a copy that was not tidied up, or another.
    fn sealed_twice(&self, name: String, file: &Path, sha256: &str) -> Result<Sealed, Error> {
        let path = self.path(&name)?;
        let (kept, bytes) = File::open(&path).and_then(|kept| digest(&kept)).map_err(Error::read(&path))?;
        if kept != sha256 {
            return Err(Error::Taken(name));
        }
        fs::remove_file(file).map_err(Error::write(file))?;
        Ok(Sealed { name, bytes, sha256: kept })
    }
}

/// Renames; from another disk copies, compares and removes.
fn move_file(file: &Path, place: &Path, sha256: &str) -> Result<(), Error> {
    match fs::rename(file, place) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        result => return result.map_err(Error::write(place)),
    }
    let mut part = place.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    let copied = copy(file, part).map_err(Error::write(part));
    if copied.as_ref().is_ok_and(|copied| copied == sha256) {
        fs::rename(part, place).map_err(Error::write(place))?;
        return fs::remove_file(file).map_err(Error::write(file));
    }
    // Half a copy is of no use, and may be what fills the disk.
    let _ = fs::remove_file(part);
    copied?;
    let source = io::Error::other("the copy differs from what was copied");
    Err(Error::Write { path: part.to_owned(), source })
}

/// Copies a file and reads the copy back: its digest.
fn copy(file: &Path, part: &Path) -> io::Result<String> {
    let mut copied = File::create(part)?;
    io::copy(&mut File::open(file)?, &mut copied)?;
    copied.flush()?;
    copied.sync_all()?;
    set_read_only(&copied)?;
    Ok(digest(&File::open(part)?)?.0)
}

fn set_read_only(file: &File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)
}

/// SHA-256 and length of a file, from its start.
pub(crate) fn digest(mut file: &File) -> io::Result<(String, u64)> {
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let mut buffer = vec![0; 256 << 10];
    let mut bytes = 0;
    loop {
        let count = match file.read(&mut buffer) {
            Ok(0) => return Ok((hasher.finish().hex(), bytes)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            count => count?,
        };
        hasher.update(buffer.get(..count).unwrap_or_default());
        bytes += count as u64;
    }
}
