//! Writes a ZIP file in one go, in constant memory but for a few words for each entry.
//!
//! Lengths and checksum of an entry are known behind it, so its local header is written again then. Every entry has room for lengths
//! of 64 bits there; it is filled with them only where they are needed, and else with nothing. The directory's header of the entry has
//! as much room: ReplayWeb.page takes an entry without extra fields there for one that has none in its own header.

use std::io::{self, Seek, SeekFrom, Write};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use jiff::Timestamp;

use super::{ELSEWHERE, EXTRA_64, Method, length, signature};
use crate::error::Error;

/// Version that a reader needs for lengths of 64 bits: 4.5.
const VERSION: u16 = 45;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// A plain file, readable by all, made on Unix.
const MADE_BY: u16 = 3 << 8 | VERSION;
const ATTRIBUTES: u32 = 0o100_644 << 16;
/// Number of the field that only takes up room: the one by which Android aligns entries, so others know it.
const EXTRA_PADDING: u16 = 0xd935;

/// A ZIP file that is being written.
#[derive(Debug)]
pub(crate) struct ZipWriter<W> {
    sink: W,
    position: u64,
    time: (u16, u16),
    open: Option<Open>,
    done: Vec<Done>,
    /// Write 64 bits also where they are not needed, for tests.
    is_always_large: bool,
}

/// The entry that is being written.
#[derive(Debug)]
struct Open {
    name: String,
    header_at: u64,
    crc: Crc,
    bytes: u64,
    packed_from: u64,
    deflate: Option<Box<Compress>>,
    buffer: Vec<u8>,
}

/// An entry for the directory.
#[derive(Debug)]
struct Done {
    name: String,
    header_at: u64,
    method: Method,
    crc: u32,
    bytes: u64,
    packed: u64,
}

impl<W: Write + Seek> ZipWriter<W> {
    /// All entries carry this time.
    pub(crate) fn new(sink: W, time: Timestamp) -> ZipWriter<W> {
        ZipWriter {
            sink,
            position: 0,
            time: dos_time(time),
            open: None,
            done: Vec::new(),
            is_always_large: false,
        }
    }

    /// Begins an entry; the one before has been ended.
    pub(crate) fn begin(&mut self, name: &str, method: Method) -> Result<(), Error> {
        if self.open.is_some() {
            return Err(Error::Order("the entry before is not ended"));
        }
        if u16::try_from(name.len()).is_err() {
            return Err(Error::Name {
                name: name.chars().take(200).collect(),
                why: "has a longer name than any file",
            });
        }
        let header_at = self.position;
        let done = Done { name: name.to_owned(), header_at, method, crc: 0, bytes: 0, packed: 0 };
        let header = self.local(&done);
        self.put(&header)?;
        let deflate = match method {
            Method::Stored => None,
            Method::Deflated => Some(Box::new(Compress::new(Compression::new(6), false))),
            Method::Other(method) => return Err(Error::Method { name: name.to_owned(), method }),
        };
        self.open = Some(Open {
            name: name.to_owned(),
            header_at,
            crc: Crc::new(),
            bytes: 0,
            packed_from: self.position,
            deflate,
            buffer: Vec::with_capacity(32 << 10),
        });
        Ok(())
    }

    /// Adds to the entry that is open.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Some(mut open) = self.open.take() else { return Err(Error::Order("no entry is open")) };
        open.crc.update(bytes);
        open.bytes += bytes.len() as u64;
        let written = match &mut open.deflate {
            None => self.put(bytes),
            Some(deflate) => self.deflate(deflate, &mut open.buffer, bytes, FlushCompress::None),
        };
        self.open = Some(open);
        written
    }

    /// Ends the entry: how long it is.
    pub(crate) fn end(&mut self) -> Result<u64, Error> {
        let Some(mut open) = self.open.take() else { return Err(Error::Order("no entry is open")) };
        if let Some(deflate) = &mut open.deflate {
            self.deflate(deflate, &mut open.buffer, &[], FlushCompress::Finish)?;
        }
        let done = Done {
            name: open.name,
            header_at: open.header_at,
            method: if open.deflate.is_some() { Method::Deflated } else { Method::Stored },
            crc: open.crc.sum(),
            bytes: open.bytes,
            packed: self.position - open.packed_from,
        };
        let header = self.local(&done);
        self.sink.seek(SeekFrom::Start(done.header_at)).map_err(Error::Write)?;
        self.sink.write_all(&header).map_err(Error::Write)?;
        self.sink.seek(SeekFrom::Start(self.position)).map_err(Error::Write)?;
        let bytes = done.bytes;
        self.done.push(done);
        Ok(bytes)
    }

    /// Whether an entry is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Writes the directory, and gives the sink back.
    pub(crate) fn finish(mut self) -> Result<W, Error> {
        if self.open.is_some() {
            return Err(Error::Order("the last entry is not ended"));
        }
        let start = self.position;
        for entry in std::mem::take(&mut self.done) {
            let header = self.central(&entry);
            self.put(&header)?;
            self.done.push(entry);
        }
        let end = self.end_of_directory(start);
        self.put(&end)?;
        self.sink.flush().map_err(Error::Write)?;
        Ok(self.sink)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.sink.write_all(bytes).map_err(Error::Write)?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    fn deflate(
        &mut self,
        deflate: &mut Compress,
        buffer: &mut Vec<u8>,
        mut bytes: &[u8],
        flush: FlushCompress,
    ) -> Result<(), Error> {
        loop {
            buffer.clear();
            let before = deflate.total_in();
            let status = deflate
                .compress_vec(bytes, buffer, flush)
                .map_err(|error| Error::Write(io::Error::other(error)))?;
            let taken = usize::try_from(deflate.total_in() - before).unwrap_or(usize::MAX);
            bytes = bytes.get(taken..).unwrap_or_default();
            self.put(buffer)?;
            let is_done = match flush {
                FlushCompress::Finish => status == Status::StreamEnd,
                _ => bytes.is_empty(),
            };
            if is_done {
                return Ok(());
            }
        }
    }

    fn local(&self, entry: &Done) -> Vec<u8> {
        let (bytes, packed) = (self.short(entry.bytes), self.short(entry.packed));
        let is_large = bytes.is_none() || packed.is_none();
        let [bytes, packed] = [bytes, packed].map(|short| short.filter(|_| !is_large).unwrap_or(ELSEWHERE));
        let mut out = Vec::with_capacity(80 + entry.name.len());
        put_32(&mut out, signature::LOCAL);
        put_16(&mut out, VERSION);
        self.put_what(&mut out, entry);
        put_32(&mut out, packed);
        put_32(&mut out, bytes);
        put_16(&mut out, entry.name.len() as u16);
        put_16(&mut out, self.room(entry));
        out.extend_from_slice(entry.name.as_bytes());
        // In this header it is both or none.
        let large: &[u64] = if is_large { &[entry.bytes, entry.packed] } else { &[] };
        put_extra(&mut out, large, self.room(entry));
        out
    }

    fn central(&self, entry: &Done) -> Vec<u8> {
        let mut large = Vec::new();
        let mut short = |number: u64| {
            self.short(number).unwrap_or_else(|| {
                large.push(number);
                ELSEWHERE
            })
        };
        let (bytes, packed, offset) = (short(entry.bytes), short(entry.packed), short(entry.header_at));
        let mut out = Vec::with_capacity(80 + entry.name.len());
        put_32(&mut out, signature::CENTRAL);
        put_16(&mut out, MADE_BY);
        put_16(&mut out, VERSION);
        self.put_what(&mut out, entry);
        put_32(&mut out, packed);
        put_32(&mut out, bytes);
        put_16(&mut out, entry.name.len() as u16);
        put_16(&mut out, self.room(entry));
        // No comment, the first disk, no text.
        out.extend_from_slice(&[0; 6]);
        put_32(&mut out, ATTRIBUTES);
        put_32(&mut out, offset);
        out.extend_from_slice(entry.name.as_bytes());
        put_extra(&mut out, &large, self.room(entry));
        out
    }

    /// A number that has its place in 32 bits.
    fn short(&self, number: u64) -> Option<u32> {
        u32::try_from(number).ok().filter(|short| *short != ELSEWHERE && !self.is_always_large)
    }

    /// Bytes of the extra fields, in both headers: two lengths, and where the entry lies if that is far behind. All that is known when
    /// the entry begins.
    fn room(&self, entry: &Done) -> u16 {
        if self.short(entry.header_at).is_some() { 4 + 16 } else { 4 + 24 }
    }

    /// Flags, method, time and checksum: what both headers have.
    fn put_what(&self, out: &mut Vec<u8>, entry: &Done) {
        put_16(out, FLAGS);
        put_16(out, entry.method.number());
        put_16(out, self.time.0);
        put_16(out, self.time.1);
        put_32(out, entry.crc);
    }

    fn end_of_directory(&self, start: u64) -> Vec<u8> {
        let (entries, bytes, end) = (self.done.len() as u64, self.position - start, self.position);
        let short_entries = u16::try_from(entries).ok().filter(|count| *count != u16::MAX);
        let short = |number: u64| u32::try_from(number).ok().filter(|short| *short != ELSEWHERE);
        let shorts = (short_entries, short(bytes), short(start));
        let mut out = Vec::new();
        let is_large = self.is_always_large || !matches!(shorts, (Some(_), Some(_), Some(_)));
        if is_large {
            put_32(&mut out, signature::END_64);
            put_64(&mut out, length::END_64 - 12);
            put_16(&mut out, MADE_BY);
            put_16(&mut out, VERSION);
            put_64(&mut out, 0);
            [entries, entries, bytes, start].into_iter().for_each(|number| put_64(&mut out, number));
            put_32(&mut out, signature::LOCATOR_64);
            put_32(&mut out, 0);
            put_64(&mut out, end);
            put_32(&mut out, 1);
        }
        let (entries, bytes, start) = if self.is_always_large {
            (u16::MAX, ELSEWHERE, ELSEWHERE)
        } else {
            let (entries, bytes, start) = shorts;
            (entries.unwrap_or(u16::MAX), bytes.unwrap_or(ELSEWHERE), start.unwrap_or(ELSEWHERE))
        };
        put_32(&mut out, signature::END);
        put_32(&mut out, 0);
        put_16(&mut out, entries);
        put_16(&mut out, entries);
        put_32(&mut out, bytes);
        put_32(&mut out, start);
        put_16(&mut out, 0);
        out
    }
}

fn put_16(out: &mut Vec<u8>, number: u16) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_32(out: &mut Vec<u8>, number: u32) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put_64(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// The numbers, and nothing in the rest of the room. A rest has eight bytes at least, so it is a field of its own.
fn put_extra(out: &mut Vec<u8>, numbers: &[u64], room: u16) {
    let field = |numbers: usize| if numbers == 0 { 0 } else { 4 + 8 * numbers as u16 };
    if !numbers.is_empty() {
        put_16(out, EXTRA_64);
        put_16(out, 8 * numbers.len() as u16);
        numbers.iter().for_each(|number| put_64(out, *number));
    }
    if let Some(rest) = room.saturating_sub(field(numbers.len())).checked_sub(4) {
        put_16(out, EXTRA_PADDING);
        put_16(out, rest);
        out.extend(std::iter::repeat_n(0, usize::from(rest)));
    }
}

/// Time and date as MS-DOS had them, in UTC; what it could not say is its first day.
fn dos_time(time: Timestamp) -> (u16, u16) {
    let time = time.to_zoned(jiff::tz::TimeZone::UTC);
    let number = |value: i8| u16::from(value.unsigned_abs());
    match u16::try_from(i32::from(time.year()) - 1980) {
        Ok(year @ 0..=127) => (
            number(time.hour()) << 11 | number(time.minute()) << 5 | (number(time.second()) / 2),
            year << 9 | number(time.month()) << 5 | number(time.day()),
        ),
        _ => (0, 1 << 5 | 1),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::super::{open, read};
    use super::*;
    use crate::limits::Limits;

    #[track_caller]
    fn check(is_always_large: bool) {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()), Timestamp::UNIX_EPOCH);
        writer.is_always_large = is_always_large;
        let text = "a layer of sediment. ".repeat(100);
        for (name, method) in
            [("stored", Method::Stored), ("deflated", Method::Deflated), ("none", Method::Deflated)]
        {
            writer.begin(name, method).unwrap();
            if name != "none" {
                text.as_bytes().chunks(7).for_each(|piece| writer.push(piece).unwrap());
            }
            writer.end().unwrap();
        }
        let mut file = writer.finish().unwrap();
        let entries = read(&mut file, &Limits::default()).unwrap();
        assert_eq!(entries.iter().map(Entry::name).collect::<Vec<_>>(), ["stored", "deflated", "none"]);
        for entry in &entries {
            let mut found = String::new();
            open(&mut file, entry).unwrap().read_to_string(&mut found).unwrap();
            assert_eq!(found, if entry.name() == "none" { "" } else { &text });
        }
        assert!(entries[1].packed_bytes < 200);
        check_room(file.get_ref());
    }

    /// In both headers of every entry the extra fields are as long, and whole.
    #[track_caller]
    fn check_room(file: &[u8]) {
        let number = |at: usize| usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
        let find = |mark: u32| {
            let mark = mark.to_le_bytes();
            (0..file.len() - 4).filter(move |at| file[*at..*at + 4] == mark).collect::<Vec<_>>()
        };
        let room = |at: usize, fixed: usize, name: usize| {
            let (mut from, room) = (at + fixed + number(at + name), number(at + name + 2));
            let end = from + room;
            while from < end {
                from += 4 + number(from + 2);
            }
            assert_eq!(from, end, "fields fill the room");
            room
        };
        let local: Vec<_> = find(signature::LOCAL).into_iter().map(|at| room(at, 30, 26)).collect();
        let central: Vec<_> = find(signature::CENTRAL).into_iter().map(|at| room(at, 46, 28)).collect();
        assert_eq!(local.len(), 3);
        assert_eq!(local, central);
    }

    #[test]
    fn room_is_filled_whatever_is_large() {
        for (room, most) in [(20, 2), (28, 3)] {
            for count in 0..=most {
                let mut out = Vec::new();
                put_extra(&mut out, &vec![1 << 40; count], room);
                assert_eq!(out.len(), usize::from(room), "{count} numbers");
            }
        }
    }

    use super::super::Entry;

    #[test]
    fn what_is_written_reads_back_small_and_large() {
        check(false);
        check(true);
    }

    #[test]
    fn times_are_those_of_dos() {
        let time = "2026-11-16T08:09:11Z".parse().unwrap();
        assert_eq!(dos_time(time), (8 << 11 | 9 << 5 | 5, 46 << 9 | 11 << 5 | 16));
        assert_eq!(dos_time(Timestamp::UNIX_EPOCH), (0, 33));
    }
}
