//! What is put into a job's folder until the commit: copies, notes of where files lie, what was salvaged. All of it is on the disk
//! before the commit names it.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::Error;
use archive::disk::Disk;
use archive::job_files::OnDisk;
use store::{REFERENCE_ENDING, Reference};
use warc::{Algorithm, Digest, Durable as _, Encoding, Writer};

use super::item::Item;
use super::names::salvaged;
use super::salvage::{Salvaging, salvage};

/// A job's folder, on its disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room<'a> {
    pub(super) folder: &'a Path,
    pub(super) disk: &'a Arc<dyn Disk>,
}

impl Room<'_> {
    /// Copies a file.
    pub(super) fn copy(&self, item: &Item, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.join(name);
        if item.is_whole_file() {
            self.disk.copy(&item.path, &path).map_err(Error::write(&path))?;
        } else {
            let mut source = item.open().map_err(Error::read(&item.path))?;
            let mut copy = self.create(&path)?;
            io::copy(&mut source, &mut copy).map_err(Error::write(&path))?;
        }
        let file = File::open(&path).map_err(Error::read(&path))?;
        // It may have been read-only where it came from.
        file.set_permissions(fs::Permissions::from_mode(0o644)).map_err(Error::write(&path))?;
        self.disk.sync(&file).map_err(Error::sync(&path))?;
        Ok(path)
    }

    /// Writes down where the file lies: the name of the note, and its checksum.
    pub(super) fn note(&self, item: &Item, name: &str, sha256: &str) -> Result<(String, String), Error> {
        let reference = Reference::to(&item.path, item.start, item.bytes)?;
        if reference.sha256() != sha256 {
            return Err(changed(item));
        }
        let file = format!("{name}{REFERENCE_ENDING}");
        let (path, text) = (self.folder.join(&file), reference.to_text());
        let mut note = self.create(&path)?;
        note.write_all(text.as_bytes()).map_err(Error::write(&path))?;
        note.sync().map_err(Error::sync(&path))?;
        Ok((file, Digest::of(Algorithm::Sha256, text.as_bytes()).hex()))
    }

    /// Writes what is readable to a new file, whose name is given; `None` if nothing is.
    pub(super) fn salvage(&self, item: &Item, name: &str) -> Result<Option<String>, Error> {
        let file = salvaged(name);
        let path = self.folder.join(&file);
        let sink = BufWriter::with_capacity(256 << 10, self.create(&path)?);
        let mut writer = Writer::new(sink, &Encoding::Gzip(6))?;
        let source = BufReader::with_capacity(256 << 10, item.open().map_err(Error::read(&item.path))?);
        let how = Salvaging { whole_only: false, drop_digests: true };
        let salvaged =
            salvage(source, (&item.name, &path), &mut writer, how).map_err(|error| match error {
                warc::Error::Write(source) => Error::write(&path)(source),
                error => error.into(),
            })?;
        let sink = writer.into_inner();
        let mut out = sink.into_inner().map_err(|error| Error::write(&path)(error.into_error()))?;
        if salvaged.records == 0 {
            fs::remove_file(&path).map_err(Error::write(&path))?;
            return Ok(None);
        }
        out.sync().map_err(Error::sync(&path))?;
        Ok(Some(file))
    }

    /// Takes a file out again.
    pub(super) fn remove(&self, name: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        fs::remove_file(&path).map_err(Error::write(&path))
    }

    fn create(&self, path: &Path) -> Result<OnDisk, Error> {
        let file = File::create_new(path).map_err(Error::write(path))?;
        Ok(OnDisk { file, disk: Arc::clone(self.disk) })
    }
}

/// A file is not the same twice.
pub(super) fn changed(item: &Item) -> Error {
    Error::read(&item.path)(io::Error::other("it has changed while it was read"))
}
