//! The lines of a job: sorted in bounded memory, then published.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use cdx::sort::{Settings, Sorter, Spill};
use index::Index;

use crate::about::About;
use crate::disk::{Disk, OnDisk};
use crate::error::Error;
use crate::job::Folder;

const BUFFER_BYTES: usize = 256 << 10;

/// Sorts `captures.cdxj` into `sorted.cdxj`.
pub(super) fn sort(folder: &Folder, about: &About) -> Result<(), Error> {
    let runs = Runs { folder: folder.path().to_owned(), disk: Arc::clone(&about.disk) };
    let limits = cdx::Limits::default();
    let mut sorter = Sorter::new(runs, Settings::default());
    let captures = folder.captures();
    let file = File::open(&captures).map_err(Error::read(&captures))?;
    sorter.make_room(file.metadata().map_err(Error::read(&captures))?.len());
    let mut lines = cdx::Lines::new(BufReader::with_capacity(BUFFER_BYTES, file), &limits);
    while lines.advance()? {
        sorter.push(lines.line()).map_err(full)?;
    }
    let fresh = folder.path().join("sorted.new");
    let file = File::create(&fresh).map_err(Error::write(&fresh))?;
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, OnDisk { file, disk: Arc::clone(&about.disk) });
    sorter.finish().and_then(|sorted| sorted.write_to(&mut out)).map_err(full)?;
    let mut file = out.into_inner().map_err(|error| Error::write(&fresh)(error.into_error()))?;
    warc::Durable::sync(&mut file).map_err(Error::write(&fresh))?;
    about.disk.rename(&fresh, &folder.sorted()).map_err(Error::write(&fresh))
}

/// Makes the lines visible: how many they are. Before anybody sees one of them, `ready` is called.
pub(super) fn publish(
    index: &Index,
    folder: &Folder,
    commit: &index::Commit,
    ready: impl FnOnce() -> Result<(), Error>,
) -> Result<u64, Error> {
    let path = folder.sorted();
    let file = File::open(&path).map_err(Error::read(&path))?;
    let mut count = 0;
    let rows = cdx::Reader::new(BufReader::with_capacity(BUFFER_BYTES, file))
        .inspect(|_| count += 1)
        .map(|row| row.map_err(index::Error::rows));
    index.publish_when(commit, rows, ready)?;
    Ok(count)
}

fn full(error: cdx::Error) -> Error {
    match error {
        cdx::Error::Write(source) if crate::disk::is_full(&source) => {
            Error::Full { path: PathBuf::from("sorted.cdxj") }
        }
        error => Error::Line(error),
    }
}

/// Sorted runs in files without a name.
struct Runs {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
}

impl Spill for Runs {
    type Writer = BufWriter<OnDisk>;
    type Reader = BufReader<File>;

    fn create(&mut self) -> io::Result<BufWriter<OnDisk>> {
        let file = tempfile::tempfile_in(&self.folder)?;
        Ok(BufWriter::with_capacity(BUFFER_BYTES, OnDisk { file, disk: Arc::clone(&self.disk) }))
    }

    fn reopen(&mut self, mut run: BufWriter<OnDisk>) -> io::Result<BufReader<File>> {
        run.flush()?;
        let mut file = run.into_inner().map_err(io::IntoInnerError::into_error)?.file;
        file.rewind()?;
        Ok(BufReader::with_capacity(BUFFER_BYTES, file))
    }
}
