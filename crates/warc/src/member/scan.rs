//! Finds places where a member or record plausibly begins, in bytes of which nothing else is known.
//!
//! Used to go on after damage, and to begin in the middle of a file. A place found here is a guess that
//! has been tested as far as the bytes allow: it decompresses, and what comes out starts as a record does.

use flate2::{Decompress, FlushDecompress};
use memchr::memmem;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use super::Compression;
use crate::record::arc;

/// Bytes from a start that are looked at to tell whether it is one.
pub(crate) const LOOK_AHEAD: usize = 64 << 10;
/// Longest name or comment believed in the header of a gzip member.
const NAME_BYTES_MAX: usize = 1 << 10;
/// Decompressed bytes that tell a record from anything else.
const TASTE: usize = 512;

/// The first place in `bytes` where a member of this compression plausibly begins.
pub(crate) fn next_start(bytes: &[u8], compression: Compression, dictionary: &[u8]) -> Option<usize> {
    match compression {
        Compression::None => next_plain_start(bytes),
        Compression::Gzip => next_gzip_start(bytes),
        Compression::Zstd => next_zstd_start(bytes, dictionary),
    }
}

/// The compression of the first thing in `bytes` that looks like a record; none if nothing does.
pub(crate) fn first_compression(bytes: &[u8]) -> Compression {
    let kinds = [Compression::None, Compression::Gzip, Compression::Zstd];
    let first = kinds.into_iter().filter_map(|kind| next_start(bytes, kind, &[]).map(|place| (place, kind)));
    first.min_by_key(|(place, _)| *place).map_or(Compression::None, |(_, kind)| kind)
}

/// The first gzip member that unfolds to something that starts as a record does.
pub(crate) fn next_gzip_start(bytes: &[u8]) -> Option<usize> {
    // Hostile bytes may look like a member at every third place, so a try must not allocate.
    let mut stream = Decompress::new(false);
    let mut taste = [0; TASTE];
    memmem::find_iter(bytes, &[0x1f, 0x8b, 0x08]).find(|&place| {
        let Some(deflated) = gzip_body(bytes.get(place..).unwrap_or_default()) else { return false };
        stream.reset(false);
        let result = stream.decompress(deflated, &mut taste, FlushDecompress::None);
        let length = usize::try_from(stream.total_out()).unwrap_or(0);
        result.is_ok() && starts_record(taste.get(..length).unwrap_or_default())
    })
}

/// What stands behind the header of a gzip member (RFC 1952, 2.3); `None` if this cannot be one.
fn gzip_body(member: &[u8]) -> Option<&[u8]> {
    let (header, mut rest) = member.split_at_checked(10)?;
    let flags = *header.get(3)?;
    if flags & 0xe0 != 0 {
        return None;
    }
    if flags & 0x04 != 0 {
        let (length, behind) = rest.split_at_checked(2)?;
        let length = usize::from(*length.first()?) | usize::from(*length.get(1)?) << 8;
        rest = behind.get(length..)?;
    }
    // The file's name and a comment, each ended by a zero byte.
    for flag in [0x08, 0x10] {
        if flags & flag != 0 {
            let text = rest.get(..NAME_BYTES_MAX).unwrap_or(rest);
            rest = rest.get(memchr::memchr(0, text)? + 1..)?;
        }
    }
    if flags & 0x02 != 0 { rest.get(2..) } else { Some(rest) }
}

fn next_zstd_start(bytes: &[u8], dictionary: &[u8]) -> Option<usize> {
    // Loading a dictionary is dear, so one decoder tastes all places.
    let mut decoder = Decoder::with_dictionary(dictionary).ok()?;
    let mut taste = [0u8; TASTE];
    memmem::find_iter(bytes, &[0x28, 0xb5, 0x2f, 0xfd]).find(|&place| {
        let mut output = OutBuffer::around(taste.as_mut_slice());
        let mut input = InBuffer::around(bytes.get(place..).unwrap_or_default());
        let result = decoder.reinit().and_then(|()| decoder.run(&mut input, &mut output));
        result.is_ok() && starts_record(output.as_slice())
    })
}

/// The first line that starts a WARC or ARC record in plain bytes. The first byte counts as a line's start.
pub(crate) fn next_plain_start(bytes: &[u8]) -> Option<usize> {
    let mut line = 0;
    while let Some(rest) = bytes.get(line..) {
        if starts_record(rest) {
            return Some(line);
        }
        line += memchr::memchr(b'\n', rest)? + 1;
    }
    None
}

/// Whether a record plausibly starts here: `WARC/1.` and a named field, or a line of an ARC file.
pub(crate) fn starts_record(bytes: &[u8]) -> bool {
    if let Some(rest) = bytes.strip_prefix(b"WARC/") {
        let mut lines = rest.split(|&byte| byte == b'\n');
        let version = lines.next().unwrap_or_default().trim_ascii_end();
        let field = lines.next().unwrap_or_default();
        let is_version = matches!(version, [b'0'..=b'9', b'.', b'0'..=b'9', ..]) && version.len() <= 5;
        return is_version && (field.is_empty() || field.contains(&b':'));
    }
    arc::starts_line(bytes)
}
