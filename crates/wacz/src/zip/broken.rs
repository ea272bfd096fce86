//! What is left of a package that breaks off: archive files that are stored as they are, found by their own headers.

use std::io::{self, Read, Seek, SeekFrom};

use super::entry::checked_name;
use super::fields::Fields;
use super::{ELSEWHERE, EXTRA_64, Method, Span, length, signature};
use crate::error::Error;
use crate::limits::Limits;

/// An archive file in a package without a directory. Nothing vouches for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remnant {
    /// Its path in the package.
    pub name: String,
    /// Where it lies; of one that breaks off, as far as it is there.
    pub span: Span,
}

/// Looks for archive files from the start of a package on, as far as one header leads to the next.
///
/// # Errors
/// When the source fails. Where the headers end, or make no sense, is the end.
pub fn remnants<R: Read + Seek>(source: &mut R, limits: &Limits) -> Result<Vec<Remnant>, Error> {
    let whole = source.seek(SeekFrom::End(0)).map_err(Error::Read)?;
    let (mut found, mut at) = (Vec::new(), 0);
    for _ in 0..limits.entries {
        let Some(header) = header(source, at, limits)? else { break };
        if header.start >= whole {
            break;
        }
        let end = header.start.saturating_add(header.packed);
        let is_archive = header.name.strip_prefix("archive/").is_some_and(|rest| !rest.is_empty());
        let is_package = header.name.to_ascii_lowercase().ends_with(".wacz");
        if is_archive && !is_package && header.method == Method::Stored && header.packed > 0 {
            let span = Span { start: header.start, bytes: end.min(whole) - header.start };
            found.push(Remnant { name: header.name, span });
        }
        at = end;
    }
    Ok(found)
}

struct Header {
    name: String,
    method: Method,
    packed: u64,
    /// Where the bytes begin.
    start: u64,
}

/// The header of an entry; `None` where there is none that makes sense.
fn header<R: Read + Seek>(source: &mut R, at: u64, limits: &Limits) -> Result<Option<Header>, Error> {
    source.seek(SeekFrom::Start(at)).map_err(Error::Read)?;
    let mut fixed = [0; length::LOCAL as usize];
    if !fill(source, &mut fixed)? {
        return Ok(None);
    }
    let Some((flags, method, packed, name, extra)) = parse(&fixed) else { return Ok(None) };
    let (mut name_bytes, mut extra_bytes) = (vec![0; usize::from(name)], vec![0; usize::from(extra)]);
    if !fill(source, &mut name_bytes)? || !fill(source, &mut extra_bytes)? {
        return Ok(None);
    }
    let Ok(name_text) = checked_name(&name_bytes, limits) else { return Ok(None) };
    let packed = if packed == ELSEWHERE { large(&extra_bytes) } else { Some(u64::from(packed)) };
    // The length of an entry may stand behind it, where nobody finds it without knowing the length.
    const LENGTH_BEHIND: u16 = 1 << 3;
    let packed = packed.filter(|packed| *packed > 0 || flags & LENGTH_BEHIND == 0);
    let start = at.saturating_add(length::LOCAL + u64::from(name) + u64::from(extra));
    Ok(packed.map(|packed| Header { name: name_text, method: Method::of(method), packed, start }))
}

/// Flags, method, packed length, and lengths of name and extra fields.
fn parse(fixed: &[u8]) -> Option<(u16, u16, u32, u16, u16)> {
    let mut fields = Fields(fixed);
    if fields.u32()? != signature::LOCAL {
        return None;
    }
    fields.take(2)?;
    let (flags, method) = (fields.u16()?, fields.u16()?);
    fields.take(8)?;
    let packed = fields.u32()?;
    fields.take(4)?;
    Some((flags, method, packed, fields.u16()?, fields.u16()?))
}

/// The packed length in the ZIP64 field, where it stands behind the other.
fn large(extra: &[u8]) -> Option<u64> {
    let mut fields = Fields(extra);
    loop {
        let (number, bytes) = (fields.u16()?, fields.u16()?);
        let mut field = Fields(fields.take(usize::from(bytes))?);
        if number == EXTRA_64 {
            field.u64()?;
            return field.u64();
        }
    }
}

/// Whether there was as much as is wanted.
fn fill<R: Read>(source: &mut R, buffer: &mut [u8]) -> Result<bool, Error> {
    match source.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(Error::Read(error)),
    }
}
