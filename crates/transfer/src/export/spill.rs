//! Sorted runs of lines in files without a name.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek as _};
use std::path::{Path, PathBuf};

use cdx::sort::{Settings, Sorter, Spill};

/// Sorts lines, each once, with this place for what does not fit into memory.
pub(super) fn sorter(room: &Path) -> Sorter<Runs> {
    Sorter::new(Runs(room.to_owned()), Settings { unique: true, ..Settings::default() })
}

pub(super) struct Runs(PathBuf);

impl Spill for Runs {
    type Writer = BufWriter<File>;
    type Reader = BufReader<File>;

    fn create(&mut self) -> io::Result<BufWriter<File>> {
        tempfile::tempfile_in(&self.0).map(BufWriter::new)
    }

    fn reopen(&mut self, run: BufWriter<File>) -> io::Result<BufReader<File>> {
        let mut file = run.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(BufReader::new(file))
    }
}
