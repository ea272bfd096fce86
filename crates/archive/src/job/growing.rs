//! A file that grows at its end, and can be cut back to where it was known to be sound.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::Disk;
use crate::error::Error;

/// So much is gathered before the system gets it.
const BUFFER_BYTES: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Growing {
    path: PathBuf,
    file: File,
    disk: Arc<dyn Disk>,
    buffer: Vec<u8>,
    /// Bytes that the system has.
    with_system: u64,
}

impl Growing {
    /// Begins a file; one that is there is emptied.
    pub(super) fn create(path: PathBuf, disk: &Arc<dyn Disk>) -> Result<Growing, Error> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.map_err(Error::write(&path))?;
        Ok(Growing { path, file, disk: Arc::clone(disk), buffer: Vec::new(), with_system: 0 })
    }

    /// Goes on with a file behind its first bytes; what follows them is cut off.
    pub(super) fn resume(path: PathBuf, length: u64, disk: &Arc<dyn Disk>) -> Result<Growing, Error> {
        let file = OpenOptions::new().read(true).write(true).open(&path).map_err(Error::read(&path))?;
        let found = file.metadata().map_err(Error::read(&path))?.len();
        if found < length {
            return Err(Error::Lost { path, expected: length, found });
        }
        let mut growing =
            Growing { path, file, disk: Arc::clone(disk), buffer: Vec::new(), with_system: found };
        growing.cut(length)?;
        Ok(growing)
    }

    /// A file that is as long as it is.
    pub(super) fn as_it_is(path: PathBuf, disk: &Arc<dyn Disk>) -> Result<Growing, Error> {
        let length = std::fs::metadata(&path).map_err(Error::read(&path))?.len();
        Growing::resume(path, length, disk)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Length of the file once all has been handed over.
    pub(super) fn len(&self) -> u64 {
        self.with_system + self.buffer.len() as u64
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.buffer.len() + bytes.len() > BUFFER_BYTES {
            self.hand_over()?;
            if bytes.len() >= BUFFER_BYTES {
                return self.write(bytes);
            }
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Adds all that a source has.
    pub(super) fn push_from(&mut self, mut source: impl Read, path: &Path) -> Result<(), Error> {
        self.hand_over()?;
        let mut piece = vec![0; 256 << 10];
        loop {
            match source.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(count) => self.write(piece.get(..count).unwrap_or_default())?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::read(path)(error)),
            }
        }
    }

    /// Gives the system all there is.
    pub(super) fn hand_over(&mut self) -> Result<(), Error> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let result = self.write(&buffer);
        buffer.clear();
        self.buffer = buffer;
        result
    }

    /// Brings what the system has to the disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.hand_over()?;
        self.disk.sync(&self.file).map_err(Error::sync(&self.path))
    }

    /// Forgets everything behind so many bytes.
    pub(super) fn cut(&mut self, length: u64) -> Result<(), Error> {
        self.buffer.clear();
        self.file.set_len(length).map_err(Error::write(&self.path))?;
        self.file.seek(SeekFrom::Start(length)).map_err(Error::write(&self.path))?;
        self.with_system = length;
        Ok(())
    }

    /// The file, all of it with the system.
    pub(super) fn into_file(mut self) -> Result<(PathBuf, File), Error> {
        self.hand_over()?;
        Ok((self.path, self.file))
    }

    fn write(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            match self.disk.write(&mut self.file, bytes) {
                Ok(0) => return Err(Error::write(&self.path)(io::ErrorKind::WriteZero.into())),
                Ok(count) => {
                    self.with_system += count as u64;
                    bytes = bytes.get(count..).unwrap_or_default();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::write(&self.path)(error)),
            }
        }
        Ok(())
    }
}
