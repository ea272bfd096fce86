//! Streams packed with zstd, alone or with the older version as what may be referred to.

use std::io::{self, Read as _, Write as _};

use zstd::stream::{read, write};

use super::{Effort, number};
use crate::Error;

/// Of the older version so many bytes help to pack what is new in a text.
const HELP_BYTES: usize = 128 << 10;

/// The largest window that is unpacked, as a power of two: what a patch may refer to is bounded otherwise.
const WINDOW_LOG_MAX: u32 = 31;

/// How tightly so many bytes are packed.
fn level(bytes: usize, effort: Effort) -> i32 {
    match (effort, bytes) {
        (Effort::Thorough, _) | (_, 0..=0x800) => 19,
        (Effort::Quick, 0..=0x4000) => 13,
        (Effort::Quick, 0..=0x1_0000) => 9,
        (Effort::Quick, 0..=0x8_0000) => 5,
        (Effort::Quick, _) => 3,
    }
}

/// Bytes on their own.
pub(super) fn alone(bytes: &[u8], effort: Effort) -> Result<Vec<u8>, Error> {
    zstd::bulk::compress(bytes, level(bytes.len(), effort)).map_err(Error::Pack)
}

/// Bytes that may refer to the older version.
pub(super) fn against(old: &[u8], new: &[u8], effort: Effort) -> Result<Vec<u8>, Error> {
    let level = if effort == Effort::Thorough { 19 } else { 3 };
    referring(old, new, level).map_err(Error::Pack)
}

fn referring(old: &[u8], new: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let mut encoder = write::Encoder::with_ref_prefix(Vec::new(), level, old)?;
    let window = old.len().saturating_add(new.len()).max(1 << 10).next_power_of_two();
    encoder.window_log(window.trailing_zeros().clamp(10, WINDOW_LOG_MAX))?;
    encoder.long_distance_matching(window > 1 << 21)?;
    encoder.include_contentsize(false)?;
    encoder.include_checksum(false)?;
    encoder.write_all(new)?;
    encoder.finish()
}

/// Unpacks what may refer to the older version; no more than so many bytes come out.
pub(super) fn unpack(old: &[u8], packed: &[u8], length: usize) -> Result<Vec<u8>, Error> {
    let read = || {
        let mut decoder = read::Decoder::with_ref_prefix(packed, old)?;
        decoder.window_log_max(WINDOW_LOG_MAX)?;
        let mut bytes = Vec::new();
        decoder.take(length as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes: Vec<u8> = read().map_err(Error::Unpack)?;
    if bytes.len() > length { Err(Error::PatchDamaged("the length")) } else { Ok(bytes) }
}

/// Appends a stream: its length when packed, doubled, and one more if it is; then the bytes.
pub(super) fn put(to: &mut Vec<u8>, stream: &[u8], effort: Effort) -> Result<(), Error> {
    put_smaller(to, stream, alone(stream, effort)?);
    Ok(())
}

/// The same for bytes that are probably of the kind that the older version is of, and so better packed with its help. How
/// much of it helps stands before.
pub(super) fn put_text(to: &mut Vec<u8>, stream: &[u8], old: &[u8], effort: Effort) -> Result<(), Error> {
    // To read four times as much as is packed costs little more than packing.
    let length = old.len().min(HELP_BYTES).min(stream.len().saturating_mul(4));
    number::put(to, length as u64);
    let packed = referring(help(old, length), stream, level(stream.len(), effort)).map_err(Error::Pack)?;
    put_smaller(to, stream, packed);
    Ok(())
}

fn put_smaller(to: &mut Vec<u8>, stream: &[u8], packed: Vec<u8>) {
    let (bytes, mark) = if packed.len() < stream.len() { (packed.as_slice(), 1) } else { (stream, 0) };
    number::put(to, (bytes.len() as u64) << 1 | mark);
    to.extend_from_slice(bytes);
}

/// Takes a stream off the front that is no longer than this when unpacked.
pub(super) fn take(from: &mut &[u8], length_max: usize) -> Result<Vec<u8>, Error> {
    take_helped(from, &[], length_max)
}

/// The same for one that was packed with the help of the older version.
pub(super) fn take_text(from: &mut &[u8], old: &[u8], length_max: usize) -> Result<Vec<u8>, Error> {
    let length = number::take(from).ok_or(Error::PatchTruncated)?;
    let length = usize::try_from(length).ok().filter(|length| *length <= old.len());
    let length = length.ok_or(Error::PatchDamaged("a length"))?;
    take_helped(from, help(old, length), length_max)
}

fn take_helped(from: &mut &[u8], help: &[u8], length_max: usize) -> Result<Vec<u8>, Error> {
    let number = number::take(from).ok_or(Error::PatchTruncated)?;
    let length = usize::try_from(number >> 1).map_err(|_| Error::PatchTruncated)?;
    let (stream, rest) = from.split_at_checked(length).ok_or(Error::PatchTruncated)?;
    *from = rest;
    if number & 1 == 1 {
        unpack(help, stream, length_max)
    } else if stream.len() > length_max {
        Err(Error::PatchDamaged("the length"))
    } else {
        Ok(stream.to_vec())
    }
}

/// So much of the older version: its middle, because starts and ends are unlike the rest.
fn help(old: &[u8], length: usize) -> &[u8] {
    let start = old.len().saturating_sub(length) / 2;
    old.get(start..start + length).unwrap_or_default()
}
