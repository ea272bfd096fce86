//! The disk that a job writes to: the real one, or one that fills up when a test says so.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What writes bytes to files and brings them to the disk.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Writes some of these bytes, as [`Write::write`] does.
    ///
    /// # Errors
    /// Whatever ails the disk.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize>;

    /// Returns once the file is on the disk.
    ///
    /// # Errors
    /// Whatever ails the disk.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// Makes a copy of a file.
    ///
    /// # Errors
    /// Whatever ails the disk, or that there is such a file already.
    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (mut source, mut copy) = (File::open(from)?, File::create_new(to)?);
        let mut buffer = vec![0; 256 << 10];
        loop {
            let count = match source.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                count => count?,
            };
            let mut left = buffer.get(..count).unwrap_or_default();
            while !left.is_empty() {
                let written = self.write(&mut copy, left)?;
                left = left.get(written..).unwrap_or_default();
            }
        }
    }

    /// Gives a file or folder another name, in one step.
    ///
    /// # Errors
    /// Whatever ails the disk.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
}

/// The disk as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Disk for Plain {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    /// By the system, which may not have to copy at all.
    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut copy = File::create_new(to)?;
        io::copy(&mut File::open(from)?, &mut copy).map(drop)
    }
}

/// A disk that takes so many bytes more, the last of them as part of a write, and then is full until it is given room.
#[derive(Debug, Default)]
pub struct Small(AtomicU64);

impl Small {
    /// With room for so many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Arc<Small> {
        Arc::new(Small(AtomicU64::new(bytes)))
    }

    /// Sets the room that is left.
    pub fn set_left(&self, bytes: u64) {
        self.0.store(bytes, Ordering::SeqCst);
    }
}

impl Disk for Small {
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let left = self.0.load(Ordering::SeqCst);
        if left == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let room = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        let count = file.write(bytes.get(..room).unwrap_or_default())?;
        self.0.fetch_sub(count as u64, Ordering::SeqCst);
        Ok(count)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }
}

/// A file on such a disk, to be written by whatever writes.
#[derive(Debug)]
pub struct OnDisk {
    /// The file.
    pub file: File,
    /// The disk that writes it.
    pub disk: Arc<dyn Disk>,
}

impl Write for OnDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.write(&mut self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl warc::Durable for OnDisk {
    fn sync(&mut self) -> io::Result<()> {
        self.disk.sync(&self.file)
    }
}

/// Whether an error says that there is no room.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
