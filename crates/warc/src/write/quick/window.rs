//! The part of the input that is looked at, with room behind it, so that no place in it needs a check.

/// How far up a copy may come from.
pub(super) const DISTANCE_MAX: usize = 32 << 10;

/// As many bytes as there are places of 16 bits.
pub(super) const WINDOW_BYTES: usize = 2 * DISTANCE_MAX;

/// Words are read as far as this behind any place.
const BEHIND: usize = 16;

#[derive(Debug)]
pub(super) struct Window {
    bytes: Box<[u8; WINDOW_BYTES + BEHIND + 8]>,
    end: usize,
}

impl Window {
    pub(super) fn new() -> Window {
        Window { bytes: Box::new([0; WINDOW_BYTES + BEHIND + 8]), end: 0 }
    }

    /// How many bytes of input are in it.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    pub(super) fn clear(&mut self) {
        self.end = 0;
    }

    /// Takes what fits of `input`: what is left.
    pub(super) fn fill<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let (taken, rest) = input.split_at_checked(WINDOW_BYTES - self.end).unwrap_or((input, &[]));
        if let Some(place) = self.bytes.get_mut(self.end..self.end + taken.len()) {
            place.copy_from_slice(taken);
        }
        self.end += taken.len();
        // What an earlier input left behind the end must not matter.
        if let Some(behind) = self.bytes.get_mut(self.end..self.end + BEHIND + 8) {
            behind.fill(0);
        }
        rest
    }

    /// Drops its first half.
    pub(super) fn slide(&mut self) {
        self.bytes.copy_within(DISTANCE_MAX..WINDOW_BYTES, 0);
        self.end = self.end.saturating_sub(DISTANCE_MAX);
    }

    /// Eight bytes at most [`BEHIND`] behind a place.
    #[inline(always)]
    pub(super) fn word(&self, place: usize, behind: usize) -> u64 {
        let from = place % WINDOW_BYTES + behind;
        let bytes = self.bytes.get(from..).and_then(|rest| rest.first_chunk::<8>());
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}
