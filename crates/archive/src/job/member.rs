//! A packed record: in memory, or in a file without a name where it is long.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;

use warc::{Draft, Encoding, Press, Writer};

use crate::about::About;
use crate::disk::OnDisk;
use crate::error::Error;

/// A packed record.
#[derive(Debug)]
pub(super) enum Member {
    /// Here.
    Memory(Vec<u8>),
    /// In a file without a name, because it is long.
    Spilled(Spilled),
}

/// A packed record in a file without a name.
#[derive(Debug)]
pub(super) struct Spilled {
    file: File,
    length: u64,
}

impl Member {
    pub(super) fn len(&self) -> u64 {
        match self {
            Member::Memory(bytes) => bytes.len() as u64,
            Member::Spilled(spilled) => spilled.length,
        }
    }
}

impl Spilled {
    /// Reads it from the start, as often as need be.
    pub(super) fn reader(&self) -> impl Read {
        SpilledReader { spilled: self, at: 0 }
    }
}

struct SpilledReader<'a> {
    spilled: &'a Spilled,
    at: u64,
}

impl Read for SpilledReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.spilled.file.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

thread_local! {
    static PRESS: RefCell<Press> = RefCell::new(Press::default());
}

/// Packs a record that lies in memory.
pub(super) fn press(draft: &Draft, block: &[u8], level: u32, out: &mut Vec<u8>) -> Result<(), Error> {
    PRESS.with_borrow_mut(|press| press.pack(draft, block, level, out)).map(drop).map_err(Error::Record)
}

/// Packs a record that is too long for memory into a file without a name.
pub(super) fn spill(
    draft: &Draft,
    length: u64,
    block: impl Read,
    level: u32,
    about: &About,
    folder: &Path,
) -> Result<Spilled, Error> {
    let written = |error| match error {
        warc::Error::Write(source) => Error::write(folder)(source),
        error => Error::Record(error),
    };
    let file = tempfile::tempfile_in(folder).map_err(Error::write(folder))?;
    let sink = BufWriter::with_capacity(256 << 10, OnDisk { file, disk: Arc::clone(&about.disk) });
    let mut writer = Writer::new(sink, &Encoding::Gzip(level.min(9))).map_err(written)?;
    let extent = writer.write_from(draft, length, block).map_err(written)?;
    let mut sink = writer.into_inner();
    sink.flush().map_err(Error::write(folder))?;
    let (sink, _) = sink.into_parts();
    Ok(Spilled { file: sink.file, length: extent.length })
}
