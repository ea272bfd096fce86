//! Tables of names that are asked millions of times whether they hold a name, in whatever case it is written.

/// Slots of a table: several times the names it holds, so that most questions are answered by one look.
const SLOTS: usize = 1024;

/// A set of lower-case names, laid out when the program is built.
pub(super) struct Names<const N: usize> {
    names: [&'static str; N],
    /// The bytes of each name as a number, see [`key`].
    keys: [u64; N],
    /// The number of a name plus one, at the place its key points to or the next free one behind; 0 where there is none.
    slots: [u8; SLOTS],
}

impl<const N: usize> Names<N> {
    /// A table of up to 255 names, numbered from 1 in their order.
    // This runs in the compiler, where a wrong place is an error of the build.
    #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)]
    pub(super) const fn new(names: [&'static str; N]) -> Names<N> {
        assert!(N < 256);
        let (mut slots, mut keys) = ([0u8; SLOTS], [0; N]);
        let mut number = 0;
        while number < N {
            keys[number] = key(names[number].as_bytes());
            let mut slot = hash(keys[number]);
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = (number + 1) as u8;
            number += 1;
        }
        Names { names, keys, slots }
    }

    /// The number of a name, or 0.
    #[inline]
    pub(super) fn number(&self, name: &[u8]) -> u8 {
        let key = key(name);
        let mut slot = hash(key);
        loop {
            let number = self.slots.get(slot).copied().unwrap_or(0);
            let Some(at) = usize::from(number).checked_sub(1) else { return 0 };
            if self.keys.get(at) == Some(&key) && self.is_name(at, name) {
                return number;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// Whether a name with the right key is the right one: keys are without the end of long names.
    #[inline]
    fn is_name(&self, at: usize, name: &[u8]) -> bool {
        let Some(known) = self.names.get(at) else { return false };
        known.len() == name.len() && (name.len() <= 8 || known.as_bytes().eq_ignore_ascii_case(name))
    }

    /// The name with a number, as it stands in the table.
    pub(super) fn name(&self, number: u8) -> Option<&'static str> {
        self.names.get(usize::from(number).checked_sub(1)?).copied()
    }
}

/// The first eight bytes of a name in lower case. Two names of one length that is no more than that have the same key only if
/// they are the same, so that nothing else has to be compared.
#[inline]
const fn key(name: &[u8]) -> u64 {
    let bytes = match *name {
        [] => 0,
        [a] => a as u64,
        [a, b] => u16::from_le_bytes([a, b]) as u64,
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]) as u64,
        [a, b, c, d, e, f, g, h, ..] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        // The first four and the last four, which may be the same in part.
        [a, b, c, d, .., _] | [a, b, c, d] => {
            let last = match name.last_chunk::<4>() {
                Some(last) => u32::from_le_bytes(*last) as u64,
                None => 0,
            };
            u32::from_le_bytes([a, b, c, d]) as u64 | (last << 32)
        }
    };
    lower(bytes)
}

/// Eight bytes with the capital letters among them in lower case, all at once.
#[inline]
const fn lower(bytes: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // The top bit of a byte tells whether it is `A` or more, and whether it is more than `Z`.
    let low = bytes & (0x7f * EACH);
    let from_a = low + (0x80 - b'A' as u64) * EACH;
    let behind_z = low + (0x7f - b'Z' as u64) * EACH;
    let capitals = (from_a & !behind_z) & !bytes & (0x80 * EACH);
    bytes | (capitals >> 2)
}

/// Where a key is looked for first.
#[inline]
const fn hash(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    static NAMES: Names<4> = Names::new(["a", "h1", "blockquote", "data-x"]);

    #[track_caller]
    fn check(name: &str, number: u8) {
        assert_eq!(NAMES.number(name.as_bytes()), number, "{name:?}");
    }

    #[test]
    fn names_are_found_in_any_case() {
        check("a", 1);
        check("A", 1);
        check("H1", 2);
        check("BlockQuote", 3);
        check("DATA-x", 4);
    }

    #[test]
    fn eight_bytes_are_made_lower_as_one_is() {
        for byte in 0..=u8::MAX {
            let bytes = [byte, b'Z', byte, 0xff, b'@', byte, b'[', byte];
            assert_eq!(
                lower(u64::from_le_bytes(bytes)).to_le_bytes(),
                bytes.map(|byte| byte.to_ascii_lowercase())
            );
        }
    }

    #[test]
    fn what_only_looks_alike_is_not_found() {
        check("", 0);
        check("b", 0);
        check("h\x11", 0);
        check("a\0", 0);
        check("daata-x", 0);
        check("datta-x", 0);
        check("xxxockquote", 0);
        check("xxockquote", 0);
        check("ockquote", 0);
    }
}
