//! The end of a name, found eight bytes at once: most names are shorter than that.

/// A byte in each of eight.
const EACH: u64 = 0x0101_0101_0101_0101;
/// The top bit of each byte.
const TOPS: u64 = 0x80 * EACH;

/// The first bytes of a name as a number, the first of all lowest, and zeros where it is shorter than eight.
#[inline]
pub(in crate::html) const fn key(name: &[u8]) -> u64 {
    match *name {
        [a, b, c, d, e, f, g, h, ..] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        [a, b, c, d, e, f, g] => u64::from_le_bytes([a, b, c, d, e, f, g, 0]),
        [a, b, c, d, e, f] => u64::from_le_bytes([a, b, c, d, e, f, 0, 0]),
        [a, b, c, d, e] => u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as u64,
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]) as u64,
        [a, b] => u16::from_le_bytes([a, b]) as u64,
        [a] => a as u64,
        [] => 0,
    }
}

/// Eight bytes with the capital letters among them in lower case.
#[inline]
pub(in crate::html) const fn lower(bytes: u64) -> u64 {
    // The top bit of a byte tells whether it is `A` or more, and whether it is more than `Z`.
    let low = bytes & !TOPS;
    let from_a = low + (0x80 - b'A' as u64) * EACH;
    let behind_z = low + (0x7f - b'Z' as u64) * EACH;
    let capitals = from_a & !behind_z & !bytes & TOPS;
    bytes | (capitals >> 2)
}

/// Length and key of the name that begins here, if it is shorter than eight bytes and one of these ends it, or a blank.
#[inline(always)]
pub(super) fn short_name<const N: usize>(bytes: &[u8], ends: [u8; N]) -> Option<(usize, u64)> {
    let word = u64::from_le_bytes(*bytes.first_chunk::<8>()?);
    // What is found above the first that is there may be none; the first is always one.
    let blank = word.wrapping_sub((b' ' as u64 + 1) * EACH) & !word;
    let found = ends.iter().fold(blank, |found, end| {
        let same = word ^ (u64::from(*end) * EACH);
        found | (same.wrapping_sub(EACH) & !same)
    }) & TOPS;
    let length = found.trailing_zeros() as usize / 8;
    // With nothing found that is behind the eighth. Control characters are no blanks.
    let end = *bytes.first_chunk::<8>()?.get(length)?;
    if end < b' ' && !super::tag::is_blank(end) {
        return None;
    }
    Some((length, word & !(u64::MAX << (length * 8))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_are_made_lower_as_one_is() {
        for byte in 0..=u8::MAX {
            let bytes = [byte, b'Z', byte, 0xff, b'@', byte, b'[', byte];
            let expected = bytes.map(|byte| byte.to_ascii_lowercase());
            assert_eq!(lower(u64::from_le_bytes(bytes)).to_le_bytes(), expected);
        }
    }

    #[test]
    fn a_short_name_ends_where_it_ends_byte_by_byte() {
        // Every two bytes at every place of a name.
        for (one, two) in (0..=u8::MAX).flat_map(|one| (0..=u8::MAX).map(move |two| (one, two))) {
            for at in 0..8 {
                let mut bytes = *b"abcdefghi";
                (bytes[at], bytes[at + 1]) = (one, two);
                let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b'/' | b'>');
                let end = bytes.iter().position(ends);
                if let Some((length, found)) = short_name(&bytes, [b'/', b'>']) {
                    assert_eq!((Some(length), found), (end, key(&bytes[..length])), "{bytes:?}");
                } else {
                    let has_control = bytes.iter().any(|byte| *byte < b' ');
                    assert!(end.is_none_or(|end| end >= 8) || has_control, "{bytes:?}");
                }
            }
        }
    }

    #[test]
    fn names_that_the_input_ends_in_are_not_found() {
        assert_eq!(short_name(b"a>", [b'>']), None);
        assert_eq!(short_name(b"abcdefgh>", [b'>']), None);
        assert_eq!(short_name(b"abcdefg>", [b'>']), Some((7, key(b"abcdefg"))));
        assert_eq!(short_name(b">bcdefgh", [b'>']), Some((0, 0)));
    }
}
