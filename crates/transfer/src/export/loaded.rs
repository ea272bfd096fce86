//! A record of the store, read whole and found sound before anything of it is written; and those that belong to it.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use archive::Error;
use archive::job_files::nature;
use store::{Opened, Store};
use tempfile::SpooledTempFile;
use warc::{Head, HttpHead, Options, Reader, RecordType};

/// A block up to this size is held in memory; a longer one goes to a file without a name.
const SPOOL_BYTES: usize = 4 << 20;
/// Records behind one that are looked at whether they belong to it.
const BEHIND_MAX: usize = 8;

/// A record.
pub(super) struct Loaded {
    pub(super) head: Head,
    /// Where in its file it began.
    pub(super) offset: u64,
    pub(super) block: SpooledTempFile,
    pub(super) length: u64,
}

impl Loaded {
    /// The record of this file that begins at this byte; a long one is put into this folder.
    pub(super) fn at(store: &Store, file: &str, offset: u64, room: &Path) -> Result<Option<Loaded>, Error> {
        next(&mut open(store, file, offset)?, room)
    }

    /// The same, and the records behind it that belong to it.
    pub(super) fn with_companions(
        store: &Store,
        file: &str,
        offset: u64,
        room: &Path,
    ) -> Result<Option<(Loaded, Vec<Loaded>)>, Error> {
        let mut reader = open(store, file, offset)?;
        let Some(loaded) = next(&mut reader, room)? else { return Ok(None) };
        let mut companions = Vec::new();
        for _ in 0..BEHIND_MAX {
            // What follows may be damaged, which does not make this one worse.
            let Ok(Some(record)) = reader.next_record() else { break };
            if !belongs(record.head(), &loaded.head) {
                break;
            }
            let Ok(Some(companion)) = current(&mut reader, room) else { break };
            companions.push(companion);
        }
        Ok(Some((loaded, companions)))
    }

    /// The HTTP head in the block, and how long it is.
    pub(super) fn http(&mut self) -> io::Result<Option<(HttpHead, u64)>> {
        if !self.head.holds_http() && !self.head.version().is_arc() {
            return Ok(None);
        }
        let most = warc::Limits::default().http_head_bytes as u64;
        let mut start = Vec::new();
        self.block.seek(SeekFrom::Start(0))?;
        (&mut self.block).take(most).read_to_end(&mut start)?;
        self.block.seek(SeekFrom::Start(0))?;
        Ok(HttpHead::parse(&start).map(|(head, length)| (head, length as u64)))
    }
}

/// Whether a record is a request or metadata of another.
pub(super) fn belongs(head: &Head, to: &Head) -> bool {
    if !matches!(head.record_type(), RecordType::Request | RecordType::Metadata) {
        return false;
    }
    let (Some(own), Some(other)) = (head.record_id(), to.record_id()) else { return false };
    head.concurrent_to().any(|id| id == other)
        || to.concurrent_to().any(|id| id == own)
        || head.refers_to().is_some_and(|id| id == other)
}

fn open(store: &Store, file: &str, offset: u64) -> Result<Reader<Opened>, Error> {
    let options = Options { verify: true, ..Options::default() };
    let nature = nature(store, file, &options)?;
    Ok(Reader::at(store.read(file, offset)?, offset, &nature, options)?)
}

fn next(reader: &mut Reader<Opened>, room: &Path) -> Result<Option<Loaded>, Error> {
    if reader.next_record()?.is_none() {
        return Ok(None);
    }
    current(reader, room)
}

fn current(reader: &mut Reader<Opened>, room: &Path) -> Result<Option<Loaded>, Error> {
    let mut record = reader.record();
    let (head, offset) = (record.head().clone(), record.offset());
    let mut block = SpooledTempFile::new_in(SPOOL_BYTES, room);
    let length = io::copy(&mut record, &mut block)
        .map_err(|error| error.downcast::<warc::Error>().unwrap_or_else(warc::Error::Write))?;
    record.finish()?;
    block.seek(SeekFrom::Start(0)).map_err(warc::Error::Write)?;
    Ok(Some(Loaded { head, offset, block, length }))
}
