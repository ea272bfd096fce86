//! Numbers that look random and are the same everywhere: a counter, scrambled.

/// A source of numbers.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// A source of its own for each list of numbers.
    pub fn new(seeds: &[u64]) -> Self {
        Self { state: seeds.iter().fold(0x76_6172_7665, |state, seed| scramble(state ^ scramble(*seed))) }
    }

    /// Any number.
    pub(crate) fn next(&mut self) -> u64 {
        // The step is odd, so the counter passes through every number before it repeats.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.state)
    }

    /// A number below the limit, which must not be 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        // The high half of the product: no division, and no bias that would matter here.
        u64::try_from((u128::from(self.next()) * u128::from(limit.max(1))) >> 64).unwrap_or(0)
    }

    /// A number of a range, both ends included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    /// A size of a range in which each doubling is as likely as the next, as sizes on the web nearly are.
    pub fn size(&mut self, low: usize, high: usize) -> usize {
        let doublings = u64::from((high / low.max(1)).max(1).ilog2());
        let floor = low << self.below(doublings + 1);
        let size = floor + usize::try_from(self.below(floor as u64)).unwrap_or(0);
        size.clamp(low, high)
    }

    /// A rank below 2ⁿ - 1, where the first are as much more frequent as the first words of a language are.
    pub fn rank(&mut self, powers: u64) -> usize {
        let floor = 1_u64 << self.below(powers);
        usize::try_from(floor - 1 + self.below(floor)).unwrap_or(0)
    }

    /// One of a list.
    pub fn pick<'list, T: ?Sized>(&mut self, list: &[&'list T]) -> &'list T
    where
        &'list T: Default,
    {
        let index = usize::try_from(self.below(list.len() as u64)).unwrap_or(0);
        list.get(index).copied().unwrap_or_default()
    }

    /// Bytes that no packer can make smaller.
    pub fn noise(&mut self, bytes: &mut Vec<u8>, count: usize) {
        let end = bytes.len() + count;
        bytes.reserve(count + 8);
        while bytes.len() < end {
            bytes.extend_from_slice(&self.next().to_le_bytes());
        }
        bytes.truncate(end);
    }
}

/// Spreads every bit of a number over all of it.
fn scramble(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_never_change() {
        let mut dice = Dice::new(&[1, 2]);
        let first: Vec<u64> = (0..3).map(|_| dice.below(1000)).collect();
        assert_eq!(first, FIRST);
    }

    /// Written down once; figures in docs/benchmarks.md rest on it.
    const FIRST: [u64; 3] = [596, 919, 821];

    #[test]
    fn numbers_stay_in_their_range() {
        let mut dice = Dice::new(&[5]);
        for _ in 0..1000 {
            assert!(dice.below(7) < 7);
            assert!((3..=5).contains(&dice.between(3, 5)));
            assert!((2000..=200_000).contains(&dice.size(2000, 200_000)));
            assert!(dice.rank(12) < 4095);
        }
    }

    #[test]
    fn noise_has_the_length_that_was_asked_for() {
        let mut bytes = vec![1];
        Dice::new(&[5]).noise(&mut bytes, 13);
        assert_eq!(bytes.len(), 14);
    }
}
