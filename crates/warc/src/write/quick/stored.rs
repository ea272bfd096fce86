//! A member of bytes as they are: what is packed already.

use super::gzip::{HEADER, trailer};
use crate::member::crc32;

/// Bytes of a block.
const BLOCK_BYTES_MAX: usize = 65_535;

/// Appends one member of all parts, in blocks of bytes as they are: how many bytes it takes. Nothing is copied but to `out`.
pub(in crate::write) fn stored(parts: &[&[u8]], out: &mut Vec<u8>) -> u64 {
    let before = out.len();
    let length: usize = parts.iter().map(|part| part.len()).sum();
    out.reserve(length + 5 * (length / BLOCK_BYTES_MAX + parts.len() + 1) + 18);
    out.extend_from_slice(&HEADER);
    for block in parts.iter().flat_map(|part| part.chunks(BLOCK_BYTES_MAX)) {
        add(block, false, out);
    }
    add(&[], true, out);
    let checksum = parts.iter().fold(0, |checksum, part| crc32(checksum, part));
    out.extend_from_slice(&trailer(checksum, length as u64));
    (out.len() - before) as u64
}

fn add(block: &[u8], is_last: bool, out: &mut Vec<u8>) {
    let length = block.len() as u16;
    out.push(u8::from(is_last));
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&(!length).to_le_bytes());
    out.extend_from_slice(block);
}
