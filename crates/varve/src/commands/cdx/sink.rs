//! Where the lines of an index go: to standard output or into a file, as they come or sorted.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use cdx::sort::{Settings, Sorter, Spill};

use crate::hint::WithHint as _;
use crate::new_file::NewFile;
use crate::session::Session;
use crate::terminal::escape_bytes;

/// The options of every verb that writes an index.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct Target {
    /// Write to this file instead of standard output: whole, or not at all
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    force: bool,
}

impl Target {
    /// Whether this file is the one to be written.
    pub(super) fn is(&self, path: &Path) -> bool {
        let same = |output: &PathBuf| fs::canonicalize(output).ok().zip(fs::canonicalize(path).ok());
        self.output.as_ref().and_then(same).is_some_and(|(output, path)| output == path)
    }

    /// Opens the place; with settings for sorting, lines are sorted before they arrive there.
    pub(super) fn open(&self, sorting: Option<Settings>) -> anyhow::Result<Sink> {
        let file = match &self.output {
            Some(path) if path.as_os_str() != "-" => Some(NewFile::create(path, self.force)?),
            _ => None,
        };
        Ok(Sink { file, sorter: sorting.map(|settings| Sorter::new(TemporaryFiles, settings)) })
    }
}

/// A place for lines.
pub(super) struct Sink {
    /// `None` is standard output.
    file: Option<NewFile>,
    sorter: Option<Sorter<TemporaryFiles>>,
}

impl Sink {
    /// Whether lines go into a file, so that all or none of them count.
    pub(super) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// Takes whole lines, each with its end.
    pub(super) fn lines(&mut self, session: &mut Session, lines: &[u8]) -> anyhow::Result<()> {
        let Some(sorter) = &mut self.sorter else { return self.write(session, lines) };
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            sorter.push(line).context(CANNOT_SORT).hint(MORE_ROOM)?;
        }
        Ok(())
    }

    /// Writes what was held back, and completes the file.
    pub(super) fn finish(mut self, session: &mut Session) -> anyhow::Result<()> {
        if let Some(sorter) = self.sorter.take() {
            let mut sorted = sorter.finish().context(CANNOT_SORT).hint(MORE_ROOM)?;
            let mut lines = Vec::with_capacity(BATCH_BYTES + (4 << 10));
            if let Some(header) = sorted.header() {
                lines.extend_from_slice(header);
                lines.push(b'\n');
            }
            while let Some(line) = sorted.next_line().context(CANNOT_SORT)? {
                lines.extend_from_slice(line);
                lines.push(b'\n');
                if lines.len() >= BATCH_BYTES {
                    self.write(session, &lines)?;
                    lines.clear();
                }
            }
            self.write(session, &lines)?;
        }
        self.file.map_or(Ok(()), NewFile::finish)
    }

    fn write(&mut self, session: &mut Session, lines: &[u8]) -> anyhow::Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(lines).context("cannot write the index"),
            None => print(session, lines),
        }
    }
}

/// Prints whole lines of an index. They go as they are into files and pipes; on a terminal control characters are shown and
/// not obeyed.
pub(super) fn print(session: &mut Session, lines: &[u8]) -> anyhow::Result<()> {
    if !session.out.is_terminal() {
        return session.out.write_all(lines).context("cannot write to standard output");
    }
    lines
        .split_inclusive(|byte| *byte == b'\n')
        .try_for_each(|line| session.out.line(escape_bytes(line.strip_suffix(b"\n").unwrap_or(line))))
}

const CANNOT_SORT: &str = "cannot sort the lines";
const MORE_ROOM: &str =
    "lines that do not fit in memory wait in temporary files; $TMPDIR names the folder for them";
/// Bytes of lines that are written at once.
const BATCH_BYTES: usize = 64 << 10;

/// Runs of sorted lines in files without a name, which vanish with the program however it ends.
struct TemporaryFiles;

impl Spill for TemporaryFiles {
    type Writer = BufWriter<File>;
    type Reader = BufReader<File>;

    fn create(&mut self) -> io::Result<BufWriter<File>> {
        tempfile::tempfile().map(|file| BufWriter::with_capacity(1 << 18, file))
    }

    fn reopen(&mut self, run: BufWriter<File>) -> io::Result<BufReader<File>> {
        let mut file = run.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(BufReader::with_capacity(64 << 10, file))
    }
}
