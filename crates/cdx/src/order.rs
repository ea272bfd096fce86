//! The order of lines: bytes, as `LC_ALL=C sort` has it, with header lines before all others.
//!
//! Because a space sorts before every byte that a key may hold, this is also the order of keys, then times.

use std::cmp::Ordering;

use crate::layout::delimiter_of_header;

/// Compares two lines, without their line ends.
#[must_use]
pub fn compare(left: &[u8], right: &[u8]) -> Ordering {
    is_header(right).cmp(&is_header(left)).then_with(|| left.cmp(right))
}

/// Whether a line is a header (` CDX …`) or metadata (`!…`) and not a capture.
#[must_use]
pub fn is_header(line: &[u8]) -> bool {
    match line.first() {
        Some(b'!') => true,
        // The cheap look at four bytes spares nearly all lines the thorough one.
        Some(_) => line.iter().take(4).any(|byte| *byte == b'X') && delimiter_of_header(line).is_some(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_sort_by_bytes_with_headers_first() {
        let sorted = [
            "\u{b}CDX\u{b}N",
            " CDX N b a",
            "!meta {}",
            "CDX b e a",
            "",
            " x",
            "A",
            "a)/ 2014",
            "a)/ 2015",
            "a)/!",
            "a)/?b 2014",
            "é",
        ];
        for (at, left) in sorted.iter().enumerate() {
            for (other, right) in sorted.iter().enumerate() {
                assert_eq!(compare(left.as_bytes(), right.as_bytes()), at.cmp(&other), "{left} {right}");
            }
        }
    }
}
