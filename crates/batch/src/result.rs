//! The result of one file until it is its turn: in memory while it is short, else in a file without a name.

use std::io::{self, Seek as _, SeekFrom, Write};

use tempfile::SpooledTempFile;

use crate::settings::Settings;

/// Takes a result, up to a limit.
pub(crate) struct Sink {
    kept: SpooledTempFile,
    left: u64,
    written: u64,
    /// More came than is allowed.
    is_over: bool,
    /// It could not be written.
    trouble: Option<String>,
}

impl Sink {
    pub(crate) fn new(settings: &Settings) -> Sink {
        let kept = SpooledTempFile::new_in(settings.held_bytes_max, &settings.room);
        Sink { kept, left: settings.result_bytes_max, written: 0, is_over: false, trouble: None }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// All of it, from its start, and how many bytes that is.
    pub(crate) fn into_result(mut self) -> io::Result<(SpooledTempFile, u64)> {
        self.kept.seek(SeekFrom::Start(0))?;
        Ok((self.kept, self.written))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            self.is_over = true;
            return Err(io::Error::other("the result is longer than it may be"));
        };
        match self.kept.write(bytes) {
            Ok(count) => {
                self.written += count as u64;
                self.left = left + (bytes.len() - count) as u64;
                Ok(count)
            }
            Err(error) => {
                self.trouble = Some(error.to_string());
                Err(error)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.kept.flush()
    }
}
