//! Tables of names that are asked millions of times whether they hold a name, in whatever case it is written.

use super::token::{key, lower};

/// Slots of a table: several times the names it holds, so that most questions are answered by one look.
const SLOTS: usize = 1024;

/// A set of lower-case names, laid out when the program is built.
pub(super) struct Names<const N: usize> {
    names: [&'static str; N],
    /// The first eight bytes of each name as a number, see [`key`]. Two names of one length that is no more than that have the
    /// same key only if they are the same, so that nothing else has to be compared.
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
        self.number_by(key(name), name)
    }

    /// The same, where the key of the name as it is written is known already.
    #[inline(always)]
    pub(super) fn number_by(&self, key: u64, name: &[u8]) -> u8 {
        let key = lower(key);
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
