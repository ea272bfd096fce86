//! Files that only grow, and the mark that says how long each of them is when all of them agree.
//!
//! After a kill they are cut to the lengths of the mark that the frontier holds: what stands behind was not acknowledged.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A log.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
    length: u64,
}

impl Log {
    /// Opens a log and cuts off what is behind `length`.
    pub(super) fn open(path: &Path, length: u64) -> Result<Log, Error> {
        let fail = |source| Error::File { path: path.to_owned(), source };
        let mut options = private::options();
        let mut file = options.create(true).truncate(false).write(true).open(path).map_err(fail)?;
        let found = file.metadata().map_err(fail)?.len();
        // Only a power loss makes it shorter than was told; what is there still counts.
        let length = if found < length { whole_lines(path, found).map_err(fail)? } else { length };
        file.set_len(length).map_err(fail)?;
        file.seek(SeekFrom::Start(length)).map_err(fail)?;
        Ok(Log { path: path.to_owned(), file, length })
    }

    /// Hands text to the operating system. If that fails the log is as it was before.
    pub(super) fn append(&mut self, text: &str) -> Result<(), Error> {
        if let Err(source) = self.file.write_all(text.as_bytes()) {
            // Should this fail as well, the mark still says how much counts.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(Error::File { path: self.path.clone(), source });
        }
        self.length += text.len() as u64;
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(Error::file(&self.path))
    }
}

/// How many bytes of a log are whole lines.
fn whole_lines(path: &Path, found: u64) -> io::Result<u64> {
    let mut end = 0;
    let mut line = Vec::new();
    let mut reader = BufReader::new(File::open(path)?);
    loop {
        line.clear();
        let count = reader.read_until(b'\n', &mut line)?;
        if count == 0 || line.last() != Some(&b'\n') {
            break;
        }
        end += count as u64;
    }
    tracing::warn!("{} has lost its end, {} bytes of it: was the power lost?", path.display(), found - end);
    Ok(end)
}

/// How long everything is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) crawl_log: u64,
    pub(super) filtered_log: u64,
    /// The archive's own.
    pub(super) intake: Vec<u8>,
}

/// The version of [`Mark::to_bytes`].
const FORMAT: u8 = 1;

impl Mark {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        bytes.extend_from_slice(&self.crawl_log.to_be_bytes());
        bytes.extend_from_slice(&self.filtered_log.to_be_bytes());
        bytes.extend_from_slice(&self.intake);
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Mark> {
        let (&FORMAT, rest) = bytes.split_first()? else { return None };
        let (crawl_log, rest) = rest.split_first_chunk()?;
        let (filtered_log, intake) = rest.split_first_chunk()?;
        Some(Mark {
            crawl_log: u64::from_be_bytes(*crawl_log),
            filtered_log: u64::from_be_bytes(*filtered_log),
            intake: intake.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        let mark = Mark { crawl_log: 1, filtered_log: u64::MAX, intake: b"abc".to_vec() };
        assert_eq!(Mark::from_bytes(&mark.to_bytes()), Some(mark));
        for bytes in [&b""[..], b"\x02", b"\x01123"] {
            assert_eq!(Mark::from_bytes(bytes), None);
        }
    }

    #[test]
    fn what_stands_behind_the_mark_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut log = Log::open(&path, 0).unwrap();
        log.append("one\n").unwrap();
        let length = log.length();
        log.append("two\n").unwrap();
        let mut log = Log::open(&path, length).unwrap();
        log.append("three\n").unwrap();
        assert_eq!(std::io::read_to_string(File::open(&path).unwrap()).unwrap(), "one\nthree\n");
        drop(log);
        File::options().append(true).open(&path).unwrap().write_all(b"half a li").unwrap();
        assert_eq!(Log::open(&path, 100).unwrap().length(), 10, "after a power loss whole lines count");
    }
}
