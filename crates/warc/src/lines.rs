//! Lines of a header block, by their places in it; shared by records' headers and HTTP's.

use std::ops::Range;

/// One line after another.
pub(crate) struct Lines {
    at: usize,
    end: usize,
}

/// A line's place.
pub(crate) struct Line {
    /// Without its line break.
    pub(crate) text: Range<usize>,
    /// Whether it ends in CR LF, or the block does not end it at all.
    pub(crate) crlf: bool,
}

impl Lines {
    /// The lines of the first `end` bytes.
    pub(crate) fn new(end: usize) -> Lines {
        Lines { at: 0, end }
    }

    /// The next line. The bytes are handed in each time, so that the caller may add to them behind `end`.
    pub(crate) fn next(&mut self, bytes: &[u8]) -> Option<Line> {
        let start = self.at;
        let rest = bytes.get(start..self.end).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest);
        self.at = length.map_or(self.end, |length| start + length + 1);
        let line = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        let crlf = line.ends_with(b"\r") && !line.ends_with(b"\r\r");
        let returns = line.iter().rev().take(2).take_while(|&&byte| byte == b'\r').count();
        let text = start..start + line.len() - returns;
        Some(Line { text, crlf: crlf || length.is_none() })
    }
}

/// Where a header block ends: one past its blank line. `None` if it does not end within `bytes`.
pub(crate) fn head_end(bytes: &[u8]) -> Option<usize> {
    end_or(bytes, |_| false)
}

/// As [`head_end`] for a WARC record: where another record's first line stands, this header has broken off, and ends
/// there. (No field's name begins like that. Without this, a file of broken headers would be looked through again and
/// again.)
pub(crate) fn warc_head_end(bytes: &[u8]) -> Option<usize> {
    end_or(bytes, |line| matches!(line, [b'W', b'A', b'R', b'C', b'/', b'0'..=b'9', b'.', ..]))
}

/// Goes from line to line until one is blank, or is none of this head's any more.
fn end_or(bytes: &[u8], is_foreign: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'\n', bytes.get(from..)?) {
        let next = from + found + 1;
        match bytes.get(next..)? {
            [b'\n', ..] => return Some(next + 1),
            [b'\r', b'\n', ..] => return Some(next + 2),
            // Files that went through a text-mode transfer have two carriage returns.
            [b'\r', b'\r', b'\n', ..] => return Some(next + 3),
            rest if is_foreign(rest) => return Some(next),
            _ => from = next,
        }
    }
    None
}

/// Whether a header block is complete.
pub(crate) fn ends_in_blank_line(head: &[u8]) -> bool {
    [&b"\n\n"[..], b"\n\r\n", b"\n\r\r\n"].iter().any(|end| head.ends_with(end))
}

/// The range without blanks at its ends.
pub(crate) fn trimmed(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let text = bytes.get(range.clone()).unwrap_or_default();
    let left = text.len() - text.trim_ascii_start().len();
    let length = text.trim_ascii().len();
    range.start + left..range.start + left + length
}

/// Appends to `text` a value continued by a folded line, and gives its new place.
pub(crate) fn folded(text: &mut Vec<u8>, value: Range<usize>, line: Range<usize>) -> Range<usize> {
    let more = trimmed(text, line);
    if value.is_empty() {
        return more;
    }
    if more.is_empty() {
        return value;
    }
    // A value that was put together before stands at the end, and grows there: a thousand folds copy it once.
    let start = if value.end == text.len() { value.start } else { text.len() };
    if start == text.len() {
        text.extend_from_within(value);
    }
    text.push(b' ');
    text.extend_from_within(more);
    start..text.len()
}
