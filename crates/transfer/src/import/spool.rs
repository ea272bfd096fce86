//! Lines of many files in one file without a name: each thread has one, so neither memory nor open files grow with what is imported.

use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use archive::Error;
use archive::disk::Disk;
use archive::job_files::OnDisk;

/// The lines that one thread has made.
#[derive(Debug)]
pub(super) struct Spool {
    number: usize,
    out: BufWriter<OnDisk>,
    bytes: u64,
}

/// The lines of one file in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) spool: usize,
    start: u64,
    bytes: u64,
}

impl Spool {
    /// Of the thread of this number, in this folder.
    pub(super) fn new(number: usize, folder: &Path, disk: &Arc<dyn Disk>) -> Result<Spool, Error> {
        let file = tempfile::tempfile_in(folder).map_err(Error::write(folder))?;
        let out = BufWriter::with_capacity(256 << 10, OnDisk { file, disk: Arc::clone(disk) });
        Ok(Spool { number, out, bytes: 0 })
    }

    /// Where the next line begins.
    pub(super) fn position(&self) -> u64 {
        self.bytes
    }

    /// What was written from this position on.
    pub(super) fn since(&self, start: u64) -> Part {
        Part { spool: self.number, start, bytes: self.bytes - start }
    }

    /// Appends a part of it to `to`.
    pub(super) fn copy(&mut self, part: Part, to: &mut impl Write) -> io::Result<()> {
        self.out.flush()?;
        let mut file = &self.out.get_ref().file;
        file.seek(SeekFrom::Start(part.start))?;
        let count = io::copy(&mut file.take(part.bytes), to)?;
        if count == part.bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
