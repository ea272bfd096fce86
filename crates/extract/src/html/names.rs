//! Tables of names that are asked millions of times whether they hold a name, in whatever case it is written.

/// Slots of a table: several times the names it holds, so that most questions are answered by one look.
const SLOTS: usize = 1024;

/// A set of lower-case names, laid out when the program is built.
pub(super) struct Names<const N: usize> {
    names: [&'static str; N],
    /// The number of a name plus one, at the place its hash points to or the next free one behind; 0 where there is none.
    slots: [u8; SLOTS],
}

impl<const N: usize> Names<N> {
    /// A table of up to 255 names, numbered from 1 in their order.
    // This runs in the compiler, where a wrong place is an error of the build.
    #[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)]
    pub(super) const fn new(names: [&'static str; N]) -> Names<N> {
        assert!(N < 256);
        let mut slots = [0u8; SLOTS];
        let mut number = 0;
        while number < N {
            let mut slot = hash(names[number].as_bytes());
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = (number + 1) as u8;
            number += 1;
        }
        Names { names, slots }
    }

    /// The number of a name, or 0.
    #[inline]
    pub(super) fn number(&self, name: &[u8]) -> u8 {
        if name.is_empty() {
            return 0;
        }
        let mut slot = hash(name);
        loop {
            let number = self.slots.get(slot).copied().unwrap_or(0);
            let Some(known) = usize::from(number).checked_sub(1).and_then(|at| self.names.get(at)) else {
                return 0;
            };
            if known.as_bytes().eq_ignore_ascii_case(name) {
                return number;
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The name with a number, as it stands in the table.
    pub(super) fn name(&self, number: u8) -> Option<&'static str> {
        self.names.get(usize::from(number).checked_sub(1)?).copied()
    }
}

/// From length and three of its bytes: names of a language differ in these. Letter case is lost in the five low bits.
// Indexing is by places computed from the length, which the compiler sees; a name is never empty here.
#[allow(clippy::indexing_slicing)]
#[inline]
const fn hash(name: &[u8]) -> usize {
    let length = name.len();
    let first = (name[0] & 31) as usize;
    let last = (name[length - 1] & 31) as usize;
    let middle = (name[length / 2] & 31) as usize;
    (first * 37 + last * 211 + middle * 5 + length * 97) % SLOTS
}
