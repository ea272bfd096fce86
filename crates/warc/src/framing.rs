//! What stands between two records, and what it says about the length of the first.

use crate::member::scan;

/// Bytes behind a block that [`trailer`] wants to see: line breaks, or an ARC file's next line with its URL.
pub(crate) const TRAILER_PEEK: usize = 4 << 10;

/// What follows a block.
pub(crate) struct Trailer {
    /// Bytes to step over.
    pub(crate) length: usize,
    /// Exactly as the standard has it.
    pub(crate) standard: bool,
    /// The next record does not follow: the block's length is not believable.
    pub(crate) stray: bool,
}

/// Looks at the bytes behind a block; they are all there is if there are fewer than [`TRAILER_PEEK`].
pub(crate) fn trailer(bytes: &[u8], is_arc: bool) -> Trailer {
    if is_arc {
        // One line feed by the format's description; none and several are both common.
        let length = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let stray = length == 0 && !bytes.is_empty() && !is_zero(bytes) && !scan::starts_record(bytes);
        return Trailer { length, standard: true, stray };
    }
    if bytes.starts_with(b"\r\n\r\n") {
        return Trailer { length: 4, standard: true, stray: false };
    }
    let length = bytes.iter().take(4).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let rest = bytes.get(length..).unwrap_or_default();
    let stray = length == 0 && !rest.is_empty() && !is_zero(rest) && !scan::starts_record(rest);
    Trailer { length, standard: false, stray }
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0)
}

/// If a block of `said` bytes is not followed by a record's end, the length at which another record starts inside
/// it. `None` if the length is fine, or nothing better is known. `ended`: the file has no more than `bytes`.
pub(crate) fn believable_length(bytes: &[u8], said: usize, ended: bool) -> Option<usize> {
    match bytes.get(said..) {
        Some(behind) if may_follow(behind, ended) => return None,
        None if !ended => return None,
        _ => {}
    }
    let mut from = 0;
    while let Some(line) = bytes.get(from..said.min(bytes.len())).and_then(|rest| memchr::memchr(b'\n', rest))
    {
        from += line + 1;
        // The record that starts there may reach beyond the length that was said.
        let rest = bytes.get(from..).unwrap_or_default();
        if rest.starts_with(b"WARC/") && scan::starts_record(rest) {
            let block = bytes.get(..from).unwrap_or_default();
            let ends = [&b"\r\n\r\n"[..], b"\n\n"];
            return Some(ends.iter().find_map(|end| block.strip_suffix(*end)).unwrap_or(block).len());
        }
    }
    None
}

/// Whether these bytes may stand behind a block: line breaks and then another record, padding or the file's end.
fn may_follow(behind: &[u8], ended: bool) -> bool {
    let breaks = behind.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let rest = behind.get(breaks..).unwrap_or_default();
    let is_warc = rest.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"WARC/"));
    match rest {
        [] => ended || breaks > 0,
        [0, ..] => true,
        _ if rest.len() < 5 => b"WARC/".starts_with(rest) || breaks > 0,
        _ => is_warc || scan::starts_record(rest),
    }
}

/// Length of an ARC file's version block when its line does not tell: up to its blank line.
pub(crate) fn version_block_length(bytes: &[u8]) -> usize {
    crate::lines::head_end(bytes).map_or(0, |end| end.saturating_sub(1))
}
