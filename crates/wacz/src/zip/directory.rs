//! Reads the central directory: what is in the package, and where.
//!
//! ```text
//! local header │ data │ local header │ data │ … │ central headers │ end of directory, for ZIP64 with a second before it │ comment
//! ```

use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom};

use super::entry::checked_name;
use super::fields::Fields;
use super::{ELSEWHERE, EXTRA_64, Entry, Method, length, signature};
use crate::error::Error;
use crate::limits::Limits;

/// The end of the directory, and the longest comment behind it.
const TAIL_BYTES_MAX: u64 = length::END + 0xffff;

/// Where the central headers are.
#[derive(Debug)]
struct Directory {
    start: u64,
    bytes: u64,
    entries: u64,
    /// What stands before the package: offsets are counted from behind it.
    base: u64,
}

/// Every entry of a package.
pub(crate) fn read<R: Read + Seek>(source: &mut R, limits: &Limits) -> Result<Vec<Entry>, Error> {
    let directory = find(source)?;
    let limit = |what, found, limit| {
        if found > limit { Err(Error::Limit { what, found, limit }) } else { Ok(()) }
    };
    limit("entries", directory.entries, limits.entries as u64)?;
    limit("bytes of the directory", directory.bytes, limits.directory_bytes)?;
    if directory.entries.saturating_mul(length::CENTRAL) > directory.bytes {
        return Err(Error::Damaged {
            at: directory.start,
            what: "the directory is too short for its entries",
        });
    }
    let headers = read_at(source, directory.start, directory.bytes)?;
    let mut fields = Fields(&headers);
    let mut entries = Vec::new();
    let mut names = HashSet::new();
    for _ in 0..directory.entries {
        let at = directory.start + directory.bytes - fields.0.len() as u64;
        let entry = central(&mut fields, &directory, at, limits)?;
        if !names.insert(entry.name.trim_end_matches('/').to_owned()) {
            return Err(Error::Duplicate(entry.name));
        }
        entries.push(entry);
    }
    check(&entries, &directory, limits)?;
    Ok(entries)
}

/// What can only be said of all of them together.
fn check(entries: &[Entry], directory: &Directory, limits: &Limits) -> Result<(), Error> {
    let total = entries.iter().fold(0_u64, |sum, entry| sum.saturating_add(entry.bytes));
    if total > limits.total_bytes {
        return Err(Error::Limit {
            what: "bytes that the entries unfold to",
            found: total,
            limit: limits.total_bytes,
        });
    }
    for entry in entries {
        let is_too_much = entry.bytes / limits.ratio.max(1) > entry.packed_bytes;
        if entry.bytes > limits.harmless_bytes && is_too_much {
            let (name, packed, bytes) = (entry.name.clone(), entry.packed_bytes, entry.bytes);
            return Err(Error::Bomb { name, packed, bytes });
        }
    }
    let mut places: Vec<&Entry> = entries.iter().collect();
    places.sort_by_key(|entry| entry.header_at);
    let ends = places.iter().skip(1).map(|entry| entry.header_at).chain([directory.start]);
    for (entry, end) in places.iter().zip(ends) {
        let least = length::LOCAL + entry.name.len() as u64;
        let reach = entry.header_at.checked_add(least).and_then(|at| at.checked_add(entry.packed_bytes));
        if reach.is_none_or(|reach| reach > end) {
            return Err(Error::Overlap(entry.name.clone()));
        }
    }
    Ok(())
}

/// Looks for the end of the directory from the end of the source.
fn find<R: Read + Seek>(source: &mut R) -> Result<Directory, Error> {
    let whole = source.seek(SeekFrom::End(0)).map_err(Error::Read)?;
    let tail_at = whole.saturating_sub(TAIL_BYTES_MAX);
    let tail = read_at(source, tail_at, whole - tail_at)?;
    let mark = signature::END.to_le_bytes();
    let found = tail.windows(mark.len()).enumerate().rev().filter(|(_, bytes)| *bytes == mark);
    for (at, _) in found.take(100) {
        let mut fields = Fields(tail.get(at + mark.len()..).unwrap_or_default());
        let Some(end) = End::parse(&mut fields) else { continue };
        // What follows is the comment and nothing else, or this is not the end but something in a comment.
        if usize::from(end.comment) == fields.0.len() {
            return end.directory(source, tail_at + at as u64);
        }
    }
    Err(Error::NotZip)
}

/// What the end of the directory says.
struct End {
    disk: u16,
    entries: u16,
    bytes: u32,
    offset: u32,
    comment: u16,
}

impl End {
    fn parse(fields: &mut Fields<'_>) -> Option<End> {
        let disk = fields.u16()?;
        fields.take(4)?;
        let (entries, bytes, offset, comment) = (fields.u16()?, fields.u32()?, fields.u32()?, fields.u16()?);
        Some(End { disk, entries, bytes, offset, comment })
    }

    fn directory<R: Read + Seek>(&self, source: &mut R, at: u64) -> Result<Directory, Error> {
        let is_elsewhere = self.entries == u16::MAX
            || self.bytes == ELSEWHERE
            || self.offset == ELSEWHERE
            || self.disk == u16::MAX;
        let (entries, bytes, offset, end) =
            match is_elsewhere.then(|| large(source, at)).transpose()?.flatten() {
                Some(large) => large,
                None => (u64::from(self.entries), u64::from(self.bytes), u64::from(self.offset), at),
            };
        let start = end.checked_sub(bytes);
        let place = start.and_then(|start| Some((start, start.checked_sub(offset)?)));
        match place {
            Some((start, base)) => Ok(Directory { start, bytes, entries, base }),
            None => Err(Error::Damaged { at, what: "the directory does not fit before its end" }),
        }
    }
}

/// Entries, bytes and offset of the directory from its ZIP64 end, and where that stands; `None` if there is none.
fn large<R: Read + Seek>(source: &mut R, at: u64) -> Result<Option<(u64, u64, u64, u64)>, Error> {
    let Some(locator_at) = at.checked_sub(length::LOCATOR_64) else { return Ok(None) };
    let locator = read_at(source, locator_at, length::LOCATOR_64)?;
    let mut fields = Fields(&locator);
    if fields.u32() != Some(signature::LOCATOR_64) {
        return Ok(None);
    }
    fields.take(4);
    let said = fields.u64();
    // Directly before, unless something was added to it; then where the locator says.
    for end_at in [locator_at.checked_sub(length::END_64), said].into_iter().flatten() {
        if end_at.checked_add(length::END_64).is_none_or(|end| end > locator_at) {
            continue;
        }
        let end = read_at(source, end_at, length::END_64)?;
        let mut fields = Fields(&end);
        if fields.u32() != Some(signature::END_64) {
            continue;
        }
        let numbers = || {
            fields.take(28)?;
            Some((fields.u64()?, fields.u64()?, fields.u64()?, end_at))
        };
        return Ok({ numbers }());
    }
    Err(Error::Damaged { at: locator_at, what: "the ZIP64 end of the directory is not there" })
}

/// One central header.
fn central(fields: &mut Fields<'_>, directory: &Directory, at: u64, limits: &Limits) -> Result<Entry, Error> {
    let damaged = |what| Error::Damaged { at, what };
    let Some(header) = Central::parse(fields) else {
        return Err(damaged("a header of the directory breaks off, or is none"));
    };
    let name = checked_name(header.name, limits)?;
    if header.flags & 1 != 0 {
        return Err(Error::Encrypted(name));
    }
    // The upper half is a Unix mode where the entry was made on such a system.
    const LINK: u32 = 0o120_000;
    if header.made_by >> 8 == 3 && (header.attributes >> 16) & 0o170_000 == LINK {
        return Err(Error::Symlink(name));
    }
    let (bytes, packed_bytes, offset) =
        header.lengths().ok_or_else(|| damaged("a length or place is missing from the ZIP64 field"))?;
    let header_at = directory.base.checked_add(offset).filter(|at| *at < directory.start);
    let header_at = header_at.ok_or_else(|| damaged("an entry that lies behind the directory"))?;
    let method = Method::of(header.method);
    if method == Method::Stored && bytes != packed_bytes {
        return Err(Error::Content { name, what: "is stored as it is, and has two lengths" });
    }
    Ok(Entry { name, method, packed_bytes, bytes, crc: header.crc, header_at })
}

struct Central<'a> {
    made_by: u16,
    flags: u16,
    method: u16,
    crc: u32,
    packed: u32,
    bytes: u32,
    attributes: u32,
    offset: u32,
    name: &'a [u8],
    extra: &'a [u8],
}

impl<'a> Central<'a> {
    fn parse(fields: &mut Fields<'a>) -> Option<Central<'a>> {
        if fields.u32()? != signature::CENTRAL {
            return None;
        }
        let made_by = fields.u16()?;
        fields.take(2)?;
        let (flags, method) = (fields.u16()?, fields.u16()?);
        fields.take(4)?;
        let (crc, packed, bytes) = (fields.u32()?, fields.u32()?, fields.u32()?);
        let (name, extra, comment) = (fields.u16()?, fields.u16()?, fields.u16()?);
        fields.take(4)?;
        let (attributes, offset) = (fields.u32()?, fields.u32()?);
        let (name, extra) = (fields.take(usize::from(name))?, fields.take(usize::from(extra))?);
        fields.take(usize::from(comment))?;
        Some(Central { made_by, flags, method, crc, packed, bytes, attributes, offset, name, extra })
    }

    /// Bytes, packed bytes and offset; those that do not fit stand in the ZIP64 field, in this order.
    fn lengths(&self) -> Option<(u64, u64, u64)> {
        let mut large = Fields(self.extra_64());
        let mut number = |short: u32| {
            if short == ELSEWHERE { large.u64() } else { Some(u64::from(short)) }
        };
        Some((number(self.bytes)?, number(self.packed)?, number(self.offset)?))
    }

    fn extra_64(&self) -> &'a [u8] {
        let mut fields = Fields(self.extra);
        while let (Some(id), Some(length)) = (fields.u16(), fields.u16()) {
            let Some(value) = fields.take(usize::from(length)) else { break };
            if id == EXTRA_64 {
                return value;
            }
        }
        &[]
    }
}

/// Some bytes of the source, all of them or an error.
fn read_at<R: Read + Seek>(source: &mut R, at: u64, count: u64) -> Result<Vec<u8>, Error> {
    source.seek(SeekFrom::Start(at)).map_err(Error::Read)?;
    let mut bytes = Vec::new();
    source.take(count).read_to_end(&mut bytes).map_err(Error::Read)?;
    if bytes.len() as u64 == count {
        Ok(bytes)
    } else {
        Err(Error::Damaged { at, what: "the file ends before the directory does" })
    }
}
