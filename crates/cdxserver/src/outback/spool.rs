//! What does not fit in memory waits in files without a name: long bodies as they arrive, and their lines while they are sorted.

use std::fs::File;
use std::future::poll_fn;
use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Read, Seek as _, SeekFrom, Write as _};
use std::pin::pin;

use api::Error;
use api::blocking;
use axum::body::Body;
use bytes::Bytes;
use cdx::sort::{Settings, Sorted, Sorter, Spill};
use futures_core::Stream as _;

/// Bytes of a body that are held in memory before they are written to a file.
const HELD_BYTES: usize = 1 << 20;
/// Bytes of lines that are sorted in memory.
const SORTED_BYTES: usize = 16 << 20;
/// Digits that tell the place of a line among all lines.
const PLACE_DIGITS: usize = 12;

/// A body as it came: in memory if it is short.
pub(super) async fn spooled(body: Body, bytes_max: usize) -> Result<Box<dyn BufRead + Send>, Error> {
    let too_large =
        || Error::TooLarge(format!("the body cannot be read, or is longer than {bytes_max} bytes"));
    let mut pieces = pin!(body.into_data_stream());
    let (mut held, mut file, mut bytes) = (Vec::new(), None, 0_usize);
    while let Some(piece) = poll_fn(|context| pieces.as_mut().poll_next(context)).await {
        let piece: Bytes = piece.map_err(|_| too_large())?;
        bytes = bytes.saturating_add(piece.len());
        if bytes > bytes_max {
            return Err(too_large());
        }
        held.extend_from_slice(&piece);
        if held.len() >= HELD_BYTES {
            let (full, before) = (std::mem::take(&mut held), file.take());
            file = Some(blocking(move || append(before, &full).map_err(unwritable)).await?);
        }
    }
    let Some(file) = file else { return Ok(Box::new(Cursor::new(held))) };
    blocking(move || {
        let mut file = append(Some(file), &held).map_err(unwritable)?;
        file.seek(SeekFrom::Start(0)).map_err(unwritable)?;
        Ok(Box::new(BufReader::with_capacity(1 << 18, file)) as Box<dyn BufRead + Send>)
    })
    .await
}

fn append(file: Option<File>, bytes: &[u8]) -> io::Result<File> {
    let mut file = file.map_or_else(tempfile::tempfile, Ok)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// No room for temporary files.
pub(super) fn unwritable(source: io::Error) -> Error {
    Error::Unreadable { what: "a temporary file".to_owned(), source }
}

/// Lines of captures in any order, sorted by key and time. Those of the same key and time stay in the order in which they came, because
/// of one capture the last counts.
pub(super) struct Pile {
    sorter: Sorter<Files>,
    lines: u64,
    line: Vec<u8>,
}

impl Pile {
    pub(super) fn new(limits: cdx::Limits) -> Pile {
        // The place stands in the line while it is sorted.
        let limits = cdx::Limits { line_bytes: limits.line_bytes.saturating_mul(2), ..limits };
        let sorter =
            Sorter::new(Files, Settings { limits, memory_bytes: SORTED_BYTES, ..Settings::default() });
        Pile { sorter, lines: 0, line: Vec::new() }
    }

    /// Takes a line of CDXJ.
    pub(super) fn push(&mut self, line: &[u8]) -> Result<(), Error> {
        let (order, rest) = split(line);
        self.line.clear();
        self.line.extend_from_slice(order);
        self.line.extend_from_slice(format!("{:0PLACE_DIGITS$}", self.lines).as_bytes());
        self.line.extend_from_slice(rest);
        self.lines += 1;
        self.sorter.push(&self.line).map_err(unsortable)
    }

    /// All of them, in order, as they were taken.
    pub(super) fn sorted(self) -> Result<Box<dyn BufRead>, Error> {
        let sorted = self.sorter.finish().map_err(unsortable)?;
        Ok(Box::new(BufReader::with_capacity(1 << 18, InOrder { sorted, line: Vec::new(), at: 0 })))
    }
}

/// Key and time of a line, with a space behind each, and the rest.
fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let mut spaces = line.iter().enumerate().filter(|(_, byte)| **byte == b' ').map(|(at, _)| at + 1);
    let end = spaces.nth(1).unwrap_or(line.len());
    line.split_at_checked(end).unwrap_or_default()
}

fn unsortable(error: cdx::Error) -> Error {
    match error {
        cdx::Error::Read(source) | cdx::Error::Write(source) => unwritable(source),
        error => error.into(),
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
            (self.line, self.at) = (Vec::new(), 0);
            let Some(line) = self.sorted.next_line().map_err(io::Error::other)? else { return Ok(0) };
            let (order, rest) = split(line);
            self.line = [order, rest.get(PLACE_DIGITS..).unwrap_or_default(), b"\n"].concat();
        }
        let count = self.line.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// Runs of sorted lines, which vanish with the program however it ends.
struct Files;

impl Spill for Files {
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
