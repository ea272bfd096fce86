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

/// The first gzip member that unfolds to something that starts as a record does.
pub(crate) fn next_gzip_start(bytes: &[u8]) -> Option<usize> {
    // Deflate is the only method there is, and the upper three flag bits are zero (RFC 1952, 2.3.1).
    memmem::find_iter(bytes, &[0x1f, 0x8b, 0x08]).find(|&place| {
        let member = bytes.get(place..).unwrap_or_default();
        if member.get(3).is_some_and(|flags| flags & 0xe0 != 0) {
            return false;
        }
        let mut taste = [0; TASTE];
        let mut stream = Decompress::new_gzip(15);
        let result = stream.decompress(member, &mut taste, FlushDecompress::None);
        let length = usize::try_from(stream.total_out()).unwrap_or(0);
        result.is_ok() && starts_record(taste.get(..length).unwrap_or_default())
    })
}

fn next_zstd_start(bytes: &[u8], dictionary: &[u8]) -> Option<usize> {
    // One decoder for all places: a hostile file may have a large dictionary and a million places.
    let mut decoder = Decoder::with_dictionary(dictionary).ok()?;
    memmem::find_iter(bytes, &[0x28, 0xb5, 0x2f, 0xfd]).find(|&place| {
        let mut taste = [0u8; TASTE];
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
