//! Where the bytes of a segment come from: a file, or memory in tests.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

/// Bytes that can be read at any place, by several threads at once.
pub trait Source: Send + Sync {
    /// Fills the buffer from this place on.
    ///
    /// # Errors
    /// When there are not so many bytes, or they cannot be read.
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()>;

    /// How many bytes there are.
    ///
    /// # Errors
    /// When the system does not say.
    fn bytes(&self) -> io::Result<u64>;
}

impl Source for File {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        self.read_exact_at(buffer, at)
    }

    fn bytes(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl Source for Vec<u8> {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
        let from = usize::try_from(at).ok().and_then(|at| self.get(at..));
        let found = from.and_then(|from| from.get(..buffer.len())).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(found);
        Ok(())
    }

    fn bytes(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}
