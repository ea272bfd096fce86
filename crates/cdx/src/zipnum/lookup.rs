//! Finds lines through a ZipNum index.

use std::io::{self, Read, Seek, SeekFrom};

use flate2::read::MultiGzDecoder;
use memchr::memchr;

use super::Entry;
use super::entry::key_and_time;
use crate::query::KeyRange;
use crate::search::{self, SortedFile};
use crate::{Capture, Error, Limits, Lines, is_header};

/// Where packed blocks come from: the caller knows where the parts lie.
pub trait Blocks {
    /// Puts the packed bytes of a block into `packed`, which is empty. [`read_block`] does it for a file.
    ///
    /// # Errors
    /// When the part or the bytes cannot be had.
    fn read(&mut self, entry: &Entry, packed: &mut Vec<u8>) -> io::Result<()>;
}

impl<F: FnMut(&Entry, &mut Vec<u8>) -> io::Result<()>> Blocks for F {
    fn read(&mut self, entry: &Entry, packed: &mut Vec<u8>) -> io::Result<()> {
        self(entry, packed)
    }
}

/// Reads the packed bytes of a block from the part that holds it.
///
/// # Errors
/// When the part ends before the block does, or cannot be read.
pub fn read_block<R: Read + Seek>(part: &mut R, entry: &Entry, packed: &mut Vec<u8>) -> io::Result<()> {
    part.seek(SeekFrom::Start(entry.offset))?;
    let taken = part.take(entry.length).read_to_end(packed)?;
    if taken as u64 == entry.length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// A ZipNum file: its index, and where its blocks come from.
#[derive(Debug)]
pub struct ZipNum<I, B> {
    index: SortedFile<I>,
    blocks: B,
    /// The part of entries that name none.
    part: Option<String>,
    limits: Limits,
}

/// Lines that were found: call [`next_line`](Found::next_line).
#[derive(Debug)]
pub struct Found<'a, I, B> {
    entries: search::Found<'a, I>,
    blocks: &'a mut B,
    part: Option<&'a str>,
    limits: Limits,
    range: KeyRange,
    packed: Vec<u8>,
    block: Vec<u8>,
    /// Where in `block` the next line begins.
    next: usize,
}

impl<I: Read + Seek, B: Blocks> ZipNum<I, B> {
    /// A ZipNum file with this index.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn new(mut index: I, blocks: B, limits: Limits) -> Result<ZipNum<I, B>, Error> {
        let part = part_of_header(&mut index, &limits)?;
        Ok(ZipNum { index: SortedFile::new(index, limits)?, blocks, part, limits })
    }

    /// The lines in a range of keys.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn find(&mut self, range: &KeyRange) -> Result<Found<'_, I, B>, Error> {
        Ok(Found {
            entries: self.index.find_with_before(&range_of_index(range), 1)?,
            blocks: &mut self.blocks,
            part: self.part.as_deref(),
            limits: self.limits,
            range: range.clone(),
            packed: Vec::new(),
            block: Vec::new(),
            next: 0,
        })
    }

    /// The blocks that may hold lines of a range, without looking into them: so many behind the first few.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn entries(&mut self, range: &KeyRange, skip: usize, count: usize) -> Result<Vec<Entry>, Error> {
        let part = self.part.clone();
        let mut found = self.index.find_with_before(&range_of_index(range), 1)?;
        let mut entries = Vec::new();
        let mut number = 0;
        while entries.len() < count {
            let Some(line) = found.next_line()? else { break };
            number += 1;
            if number > skip {
                entries.push(Entry::parse(line, part.as_deref(), &self.limits)?);
            }
        }
        Ok(entries)
    }
}

impl<I: Read + Seek, B: Blocks> Found<'_, I, B> {
    /// The next line, without its line end; `None` behind the last.
    ///
    /// # Errors
    /// When the index or a block cannot be read, or a block is too large. The next call goes on with the next block.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, Error> {
        loop {
            let Some((start, end)) = self.span() else {
                if self.next_block()? {
                    continue;
                }
                return Ok(None);
            };
            self.next = end + 1;
            let line = self.block.get(start..end).unwrap_or_default();
            if self.range.is_before(line) || is_header(line) || line.is_empty() {
                continue;
            }
            if self.range.is_behind(line) {
                return Ok(None);
            }
            // Asked for again, because a borrow cannot outlive a loop that may go on.
            return Ok(self.block.get(start..end));
        }
    }

    /// Where the next line of the block begins and ends.
    fn span(&self) -> Option<(usize, usize)> {
        let rest = self.block.get(self.next..).filter(|rest| !rest.is_empty())?;
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        Some((self.next, self.next + length))
    }

    fn next_block(&mut self) -> Result<bool, Error> {
        self.block.clear();
        self.next = 0;
        let Some(line) = self.entries.next_line()? else { return Ok(false) };
        let entry = Entry::parse(line, self.part, &self.limits)?;
        let too_big =
            |limit| Err(Error::BlockTooBig { part: entry.part.clone(), offset: entry.offset, limit });
        let fault = |source| Error::Block { part: entry.part.clone(), offset: entry.offset, source };
        if entry.length > self.limits.block_packed_bytes {
            return too_big(self.limits.block_packed_bytes);
        }
        self.packed.clear();
        self.blocks.read(&entry, &mut self.packed).map_err(fault)?;
        // One byte more than the limit tells a full block from one that is too large.
        let mut unpacked = MultiGzDecoder::new(self.packed.as_slice()).take(self.limits.block_bytes + 1);
        if let Err(error) = unpacked.read_to_end(&mut self.block) {
            self.block.clear();
            return Err(fault(error));
        }
        if self.block.len() as u64 > self.limits.block_bytes {
            self.block.clear();
            return too_big(self.limits.block_bytes);
        }
        Ok(true)
    }
}

/// The range of index lines that may lead to lines of a range. They tell no more than key and time, so a range that begins
/// in the midst of lines with the same key and time begins at the first of their blocks.
fn range_of_index(range: &KeyRange) -> KeyRange {
    let start = key_and_time(range.start());
    match range.end() {
        Some(end) => KeyRange::between(start, end),
        None => KeyRange::starting(start),
    }
}

/// The file that `!meta 0 {"format": "cdxj-gzip-1.0", "filename": …}` names, in the index of a WACZ file.
fn part_of_header<I: Read + Seek>(index: &mut I, limits: &Limits) -> Result<Option<String>, Error> {
    index.seek(SeekFrom::Start(0)).map_err(Error::Read)?;
    let mut lines = Lines::new(io::BufReader::new(index), limits);
    if !lines.advance()? || !lines.line().starts_with(b"!meta ") {
        return Ok(None);
    }
    let line = lines.line();
    let object = memchr(b'{', line).and_then(|at| line.get(at..)).unwrap_or_default();
    let header = Capture::parse_json(object, limits).map_err(|error| error.at_line(1))?;
    Ok(header.filename.map(|name| name.into_owned()))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::zipnum::{Settings, Writer};

    fn written(lines: u32, lines_per_block: usize) -> (Vec<u8>, Vec<u8>) {
        let settings = Settings { lines_per_block, ..Settings::default() };
        let mut writer = Writer::new(Vec::new(), Vec::new(), "part", settings);
        writer.push(b" CDX N b a").unwrap();
        for number in 0..lines {
            // Ten captures of each key, some of the same second, so that keys span blocks.
            writer.push(format!("key{:03} {:014} x", number / 10, number / 2).as_bytes()).unwrap();
        }
        writer.finish().unwrap()
    }

    fn count(data: &[u8], index: &[u8], range: &KeyRange, limits: Limits) -> Result<usize, Error> {
        let blocks = |entry: &Entry, packed: &mut Vec<u8>| read_block(&mut Cursor::new(data), entry, packed);
        let mut zipnum = ZipNum::new(Cursor::new(index), blocks, limits)?;
        let mut found = zipnum.find(range)?;
        let mut count = 0;
        while found.next_line()?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    #[test]
    fn what_is_written_is_found() {
        for lines_per_block in [1, 3, 10, 64, 5000] {
            let (data, index) = written(1000, lines_per_block);
            for key in 0..100 {
                let range = KeyRange::exact(&format!("key{key:03}"));
                assert_eq!(count(&data, &index, &range, Limits::default()).unwrap(), 10, "{key}");
            }
            assert_eq!(count(&data, &index, &KeyRange::prefix("key01"), Limits::default()).unwrap(), 100);
            assert_eq!(count(&data, &index, &KeyRange::prefix(""), Limits::default()).unwrap(), 1000);
            assert_eq!(count(&data, &index, &KeyRange::exact("none"), Limits::default()).unwrap(), 0);
        }
    }

    #[test]
    fn a_range_may_begin_in_the_midst_of_one_key_and_time() {
        let settings = Settings { lines_per_block: 1, ..Settings::default() };
        let mut writer = Writer::new(Vec::new(), Vec::new(), "part", settings);
        for number in 0..9 {
            writer.push(format!("key 20260102030405 {number}").as_bytes()).unwrap();
        }
        let (data, index) = writer.finish().unwrap();
        let range = KeyRange::starting("key 20260102030405 3");
        assert_eq!(count(&data, &index, &range, Limits::default()).unwrap(), 6);
    }

    #[test]
    fn keys_that_would_break_the_index_are_refused() {
        let mut writer = Writer::new(Vec::new(), Vec::new(), "part", Settings::default());
        assert!(writer.push(b"a\tb 2 x").unwrap_err().to_string().contains("control character"));
        writer.push(b"b 2 x\ty").unwrap();
    }

    #[test]
    fn parts_go_on_in_one_index() {
        let mut writer = Writer::new(Vec::new(), Vec::new(), "one", Settings::default());
        writer.push(b"a 1 x").unwrap();
        let one = writer.next_part(Vec::new(), "two").unwrap();
        writer.push(b"b 2 x").unwrap();
        let (two, index) = writer.finish().unwrap();
        let expect = format!("a 1\tone\t0\t{}\t1\nb 2\ttwo\t0\t{}\t2\n", one.len(), two.len());
        assert_eq!(String::from_utf8(index).unwrap(), expect);
    }

    #[test]
    fn lines_out_of_order_are_refused() {
        let mut writer = Writer::new(Vec::new(), Vec::new(), "part", Settings::default());
        writer.push(b"b").unwrap();
        assert!(matches!(writer.push(b"a"), Err(Error::OutOfOrder { line: 2, .. })));
    }

    #[test]
    fn a_block_that_unfolds_too_far_is_refused() {
        let (data, index) = written(1000, 1000);
        let range = KeyRange::prefix("");
        let limits = Limits { block_bytes: 1000, ..Limits::default() };
        assert!(matches!(count(&data, &index, &range, limits), Err(Error::BlockTooBig { limit: 1000, .. })));
        let limits = Limits { block_packed_bytes: 10, ..Limits::default() };
        assert!(matches!(count(&data, &index, &range, limits), Err(Error::BlockTooBig { limit: 10, .. })));
    }

    #[test]
    fn damage_is_an_error() {
        let (mut data, index) = written(1000, 1000);
        data.truncate(data.len() / 2);
        let range = KeyRange::prefix("");
        assert!(matches!(count(&data, &index, &range, Limits::default()), Err(Error::Block { .. })));
        assert!(count(&data, b"no index line\n", &range, Limits::default()).is_err());
    }
}
