//! The lines of a job: sorted in bounded memory, then published.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cdx::sort::{Settings, Sorter, Spill};
use index::Index;

use crate::about::About;
use crate::disk::{Disk, OnDisk};
use crate::error::Error;
use crate::job::JobFolder;

const BUFFER_BYTES: usize = 256 << 10;

/// Sorts `captures.cdxj` into `sorted.cdxj`.
pub(super) fn sort(folder: &JobFolder, about: &About) -> Result<(), Error> {
    let fresh = folder.path().join("sorted.new");
    sort_file(&folder.captures(), &fresh, &about.disk)?;
    about.disk.rename(&fresh, &folder.sorted()).map_err(Error::write(&fresh))
}

/// Sorts a file of lines into another, and brings that to the disk. Runs are put beside it meanwhile.
///
/// # Errors
/// When the lines cannot be read, or the sorted file cannot be written.
pub fn sort_file(captures: &Path, sorted: &Path, disk: &Arc<dyn Disk>) -> Result<(), Error> {
    let room = sorted.parent().unwrap_or(Path::new(".")).to_owned();
    let runs = Runs { folder: room, disk: Arc::clone(disk) };
    let limits = cdx::Limits::default();
    let mut sorter = Sorter::new(runs, Settings::default());
    let file = File::open(captures).map_err(Error::read(captures))?;
    sorter.make_room(file.metadata().map_err(Error::read(captures))?.len());
    let mut lines = cdx::Lines::new(BufReader::with_capacity(BUFFER_BYTES, file), &limits);
    while lines.advance()? {
        sorter.push(lines.line()).map_err(full)?;
    }
    let file = File::create(sorted).map_err(Error::write(sorted))?;
    let mut out = BufWriter::with_capacity(BUFFER_BYTES, OnDisk { file, disk: Arc::clone(disk) });
    sorter.finish().and_then(|lines| lines.write_to(&mut out)).map_err(full)?;
    let mut file = out.into_inner().map_err(|error| Error::write(sorted)(error.into_error()))?;
    warc::Durable::sync(&mut file).map_err(Error::write(sorted))
}

/// Makes the lines visible: how many they are. Before anybody sees one of them, `ready` is called.
pub(super) fn publish(
    index: &Index,
    folder: &JobFolder,
    commit: &index::Commit,
    ready: impl FnOnce() -> Result<(), Error>,
) -> Result<u64, Error> {
    let path = folder.sorted();
    let file = File::open(&path).map_err(Error::read(&path))?;
    publish_lines(index, BufReader::with_capacity(BUFFER_BYTES, file), commit, |_| true, ready)
}

/// Publishes those lines that are wanted as one commit: how many they are. It calls `ready` before anybody can see one of them.
///
/// # Errors
/// When a line makes no sense, `ready` fails, or the index cannot be written.
pub fn publish_lines(
    index: &Index,
    lines: impl BufRead,
    commit: &index::Commit,
    mut is_wanted: impl FnMut(&cdx::Capture<'_>) -> bool,
    ready: impl FnOnce() -> Result<(), Error>,
) -> Result<u64, Error> {
    let mut count = 0;
    let rows = cdx::Reader::new(lines)
        .filter(|row| row.as_ref().map_or(true, &mut is_wanted))
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
