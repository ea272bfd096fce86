//! Lines that do not come sorted: they are put in order, in temporary files where they do not fit in memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek as _, SeekFrom};

use anyhow::Context as _;
use cdx::sort::{Settings, Sorted, Sorter, Spill};
use cdx::{Format, Reader};

use crate::hint::WithHint as _;

const CANNOT_SORT: &str = "cannot sort the lines";
const MORE_ROOM: &str =
    "lines that do not fit in memory wait in temporary files; $TMPDIR names the folder for them";

/// Lines in any order.
pub(super) struct Pile {
    sorter: Sorter<TemporaryFiles>,
    pub(super) is_empty: bool,
}

impl Pile {
    pub(super) fn new() -> Pile {
        Pile { sorter: Sorter::new(TemporaryFiles, Settings::default()), is_empty: true }
    }

    /// Takes whole lines, each with its end.
    pub(super) fn lines(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            self.is_empty = false;
            self.sorter.push(line).context(CANNOT_SORT).hint(MORE_ROOM)?;
        }
        Ok(())
    }

    /// Takes the captures of a file as CDXJ lines, with their keys or with new ones, and counts them; what ails the others is told.
    pub(super) fn captures(
        &mut self,
        source: Box<dyn BufRead>,
        rekey: bool,
        mut tell: impl FnMut(String) -> anyhow::Result<()>,
    ) -> anyhow::Result<u64> {
        let mut taken = 0;
        let mut reader = Reader::new(source);
        let mut line = Vec::new();
        while let Some(capture) = reader.next_capture() {
            let mut capture = match capture {
                Ok(capture) => capture,
                Err(error @ cdx::Error::Read(_)) => return Err(error.into()),
                Err(error) => {
                    tell(error.to_string())?;
                    continue;
                }
            };
            let key = capture.url.as_deref().map(urlkey::key);
            if rekey || capture.key.is_none() {
                capture.key = key.map(Into::into);
            }
            line.clear();
            Format::Cdxj.write(&capture, &mut line);
            self.is_empty = false;
            taken += 1;
            self.sorter.push(&line).context(CANNOT_SORT).hint(MORE_ROOM)?;
        }
        Ok(taken)
    }

    /// All of them, in order.
    pub(super) fn sorted(self) -> anyhow::Result<Box<dyn BufRead>> {
        let sorted = self.sorter.finish().context(CANNOT_SORT).hint(MORE_ROOM)?;
        Ok(Box::new(BufReader::with_capacity(256 << 10, InOrder { sorted, line: Vec::new(), at: 0 })))
    }
}

/// Sorted lines, to be read.
struct InOrder {
    sorted: Sorted<BufReader<File>>,
    line: Vec<u8>,
    at: usize,
}

impl Read for InOrder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.line.len() {
            self.line.clear();
            self.at = 0;
            match self.sorted.next_line().map_err(io::Error::other)? {
                Some(line) => {
                    self.line.extend_from_slice(line);
                    self.line.push(b'\n');
                }
                None => return Ok(0),
            }
        }
        let count = self.line.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

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
