//! Unfolds a compressed stream, up to a limit.

use flate2::{Decompress, FlushDecompress, Status};

/// The data of a `FlateDecode` stream, as far as it is sound and no more than `bytes_max`.
pub(super) fn inflate(data: &[u8], bytes_max: u64) -> Vec<u8> {
    let bytes_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
    let mut inflater = Decompress::new(true);
    let mut out = Vec::new();
    loop {
        let room = bytes_max.saturating_sub(out.len());
        if room == 0 {
            return out;
        }
        out.reserve(room.min(data.len().clamp(4 << 10, 1 << 20)));
        let before = (inflater.total_in(), out.len());
        let input = usize::try_from(before.0).ok().and_then(|read| data.get(read..)).unwrap_or_default();
        let status = inflater.decompress_vec(input, &mut out, FlushDecompress::None);
        let moved = (inflater.total_in(), out.len()) != before;
        if !matches!(status, Ok(Status::Ok)) || !moved {
            out.truncate(bytes_max);
            return out;
        }
    }
}
