//! Which bytes of a payload are asked for.
//!
//! <https://www.rfc-editor.org/rfc/rfc9110#section-14>

use archive::Found;

/// What a `Range` header comes to for a payload of a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// All of it: there is no range, or none that we follow.
    Whole,
    /// From this byte, so many.
    Part { start: u64, length: u64 },
    /// None that it has.
    Beyond,
}

/// Reads a header. Several ranges are answered by the whole, which is allowed and which no browser asks for.
pub(crate) fn asked(header: Option<&str>, total: u64) -> Asked {
    let Some(ranges) = header.and_then(|header| header.trim().strip_prefix("bytes=")) else {
        return Asked::Whole;
    };
    let Some((first, last)) = ranges.trim().split_once('-').filter(|_| !ranges.contains(',')) else {
        return Asked::Whole;
    };
    let (start, end) = match (number(first), number(last)) {
        (Some(Some(start)), Some(Some(last))) if start <= last => (start, last.saturating_add(1).min(total)),
        (Some(Some(start)), Some(None)) => (start, total),
        // The last so many bytes.
        (Some(None), Some(Some(0))) => return Asked::Beyond,
        (Some(None), Some(Some(count))) => (total.saturating_sub(count), total),
        _ => return Asked::Whole,
    };
    match end.checked_sub(start) {
        Some(length) if length > 0 => Asked::Part { start, length },
        _ => Asked::Beyond,
    }
}

/// Whether a capture holds only a part of what was there. Players ask for all of a film as for its part from the first byte on.
pub(crate) fn is_part(found: &Found) -> bool {
    let range = found.head.as_ref().and_then(|head| head.text("content-range"));
    found.status() == Some(206) && !range.is_some_and(|range| is_whole(&range))
}

/// Whether a `Content-Range` is about all bytes that there are.
fn is_whole(range: &str) -> bool {
    let parts = range.trim().strip_prefix("bytes ").and_then(|range| range.trim().split_once('/'));
    let Some((Some(("0", last)), total)) = parts.map(|(part, total)| (part.split_once('-'), total)) else {
        return false;
    };
    let bytes = last.parse::<u64>().ok().and_then(|last| last.checked_add(1));
    bytes.is_some_and(|bytes| total.parse() == Ok(bytes))
}

/// A number, nothing, or something else.
fn number(text: &str) -> Option<Option<u64>> {
    if text.is_empty() {
        return Some(None);
    }
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok().or(Some(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, expected: Asked) {
        assert_eq!(asked(Some(header), 100), expected, "{header}");
    }

    #[test]
    fn parts() {
        check("bytes=0-", Asked::Part { start: 0, length: 100 });
        check("bytes=10-19", Asked::Part { start: 10, length: 10 });
        check("bytes=90-1000", Asked::Part { start: 90, length: 10 });
        check("bytes=90-99999999999999999999999", Asked::Part { start: 90, length: 10 });
        check("bytes=-10", Asked::Part { start: 90, length: 10 });
        check("bytes=-1000", Asked::Part { start: 0, length: 100 });
    }

    #[test]
    fn the_whole_is_told_from_a_part() {
        assert!(is_whole("bytes 0-99/100"));
        for part in [
            "bytes 0-98/100",
            "bytes 1-99/100",
            "bytes 0-99/*",
            "bytes 0-/",
            "",
            "bytes 0-18446744073709551615/0",
        ] {
            assert!(!is_whole(part), "{part}");
        }
    }

    #[test]
    fn beyond_the_end() {
        check("bytes=100-", Asked::Beyond);
        check("bytes=200-300", Asked::Beyond);
        check("bytes=-0", Asked::Beyond);
        assert_eq!(asked(Some("bytes=0-"), 0), Asked::Beyond);
    }

    #[test]
    fn what_is_no_range_is_passed_over() {
        for header in ["bytes=20-10", "bytes=-", "bytes=a-b", "lines=1-2", "bytes=1-2,5-6", "bytes", ""] {
            check(header, Asked::Whole);
        }
        assert_eq!(asked(None, 100), Asked::Whole);
    }
}
