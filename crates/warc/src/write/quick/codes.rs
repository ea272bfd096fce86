//! Huffman codes: short ones for what is frequent, none longer than a bound.

/// Symbols are looked at in parts of so many: of most none occurs.
const PART: usize = 8;

/// Codes are never longer than this, whatever the bound.
const BITS_MAX: usize = 15;

/// No tree is deeper: its weights grow as the numbers of Fibonacci, and a block has fewer than 2^17 symbols.
const DEPTH_MAX: usize = 31;

/// How many codes there are of each length.
type Shape = [u16; BITS_MAX + 1];

/// The codes of an alphabet.
#[derive(Debug)]
pub(super) struct Codes<const N: usize> {
    /// How many bits each has; what never occurs has none.
    pub(super) lengths: [u8; N],
    /// The bits as they are sent, and from bit 24 on how many. What never occurs has any.
    pub(super) codes: [u32; N],
}

impl<const N: usize> Codes<N> {
    pub(super) fn new() -> Codes<N> {
        Codes { lengths: [0; N], codes: [0; N] }
    }

    /// Makes the best codes of at most so many bits for symbols that occur so often. There are always two at least: some
    /// readers refuse fewer.
    pub(super) fn fit(&mut self, counts: &[u32; N], bits_max: usize) {
        let mut order = [0_u32; N];
        let mut used = 0;
        for (counts, from) in counts.chunks(PART).zip((0..).step_by(PART)) {
            if counts.iter().fold(0, |all, count| all | count) == 0 {
                continue;
            }
            for (count, symbol) in counts.iter().zip(from..) {
                if let Some(place) = order.get_mut(used) {
                    *place = count << 9 | symbol;
                }
                used += usize::from(*count > 0);
            }
        }
        if used < 2 {
            let only = if used == 0 { 0 } else { order.first().map_or(0, |entry| entry & 511) };
            for (place, symbol) in order.iter_mut().zip([only, u32::from(only == 0)]) {
                *place = 1 << 9 | symbol;
            }
            used = 2;
        }
        let order = order.get_mut(..used).unwrap_or_default();
        order.sort_unstable();
        let shape = shape::<N>(order, bits_max.min(BITS_MAX));
        // The rarest have the longest.
        self.lengths = [0; N];
        let mut rarest = order.iter();
        for (length, count) in shape.iter().enumerate().rev() {
            for entry in rarest.by_ref().take(usize::from(*count)) {
                if let Some(place) = self.lengths.get_mut((entry & 511) as usize) {
                    *place = length as u8;
                }
            }
        }
        self.assign(&shape);
    }

    /// The codes that go with lengths.
    pub(super) fn of(lengths: [u8; N]) -> Codes<N> {
        let mut shape = [0; BITS_MAX + 1];
        for length in &lengths {
            if let Some(count) = shape.get_mut(usize::from(*length)) {
                *count += 1;
            }
        }
        let mut codes = Codes { lengths, codes: [0; N] };
        codes.assign(&shape);
        codes
    }

    /// Makes the codes that go with the lengths (RFC 1951, 3.2.2), turned round, because they are sent from their other end.
    fn assign(&mut self, shape: &Shape) {
        let mut next = [0_u16; BITS_MAX + 1];
        let mut code = 0_u16;
        for (next, count) in next.iter_mut().zip(shape).skip(1) {
            *next = code;
            code = code.wrapping_add(*count) << 1;
        }
        for (codes, lengths) in self.codes.chunks_mut(PART).zip(self.lengths.chunks(PART)) {
            if lengths.iter().fold(0, |all, length| all | length) == 0 {
                continue;
            }
            for (code, length) in codes.iter_mut().zip(lengths) {
                if let (1.., Some(next)) = (*length, next.get_mut(usize::from(*length & 15))) {
                    *code = u32::from(next.reverse_bits() >> ((16 - length) & 15)) | u32::from(*length) << 24;
                    *next = next.wrapping_add(1);
                }
            }
        }
    }
}

/// How many codes of each length, for symbols that are given rarest first.
fn shape<const N: usize>(order: &[u32], bits_max: usize) -> Shape {
    // A tree is grown by joining the two lightest, over and over. Joins come out lighter first, as leaves lie. What is not
    // there yet is heavier than all.
    let mut leaves = [u32::MAX; N];
    for (leaf, entry) in leaves.iter_mut().zip(order) {
        *leaf = entry >> 9;
    }
    let mut joins = [u32::MAX; N];
    let mut parents = [0_u16; N];
    let (mut leaf, mut join) = (0_usize, 0_usize);
    let root = order.len().saturating_sub(2);
    for made in 0..=root {
        let mut weight = 0_u32;
        for _ in 0..2 {
            let lightest_leaf = leaves.get(leaf).copied().unwrap_or(u32::MAX);
            let lightest_join = joins.get(join).copied().unwrap_or(u32::MAX);
            if let Some(parent) = parents.get_mut(join) {
                *parent = made as u16;
            }
            weight = weight.wrapping_add(lightest_leaf.min(lightest_join));
            let is_leaf = lightest_leaf <= lightest_join;
            leaf += usize::from(is_leaf);
            join += usize::from(!is_leaf);
        }
        if let Some(place) = joins.get_mut(made) {
            *place = weight;
        }
    }
    // From the root down each join is one deeper than its parent; its two places are joins or leaves.
    let mut depths = [0_u8; N];
    let mut joins_at = [0_u16; DEPTH_MAX + 1];
    joins_at[0] = 1;
    for join in (0..root).rev() {
        let parent = parents.get(join).copied().unwrap_or_default();
        let depth = depths.get(usize::from(parent)).map_or(0, |depth| depth + 1);
        if let (Some(place), Some(count)) = (depths.get_mut(join), joins_at.get_mut(usize::from(depth))) {
            *place = depth;
            *count += 1;
        }
    }
    let mut shape = [0; BITS_MAX + 1];
    for (depth, (above, here)) in joins_at.iter().zip(joins_at.iter().skip(1)).enumerate() {
        if let Some(count) = shape.get_mut((depth + 1).min(bits_max)) {
            *count += 2 * above - here;
        }
    }
    shorten(&mut shape, bits_max);
    shape
}

/// Makes room where codes were cut to the bound: each step lengthens one that is shorter, and moves one to its side.
fn shorten(shape: &mut Shape, bits_max: usize) {
    let space = |(length, count): (usize, &u16)| u32::from(*count) << (bits_max - length.min(bits_max));
    let mut taken: u32 = shape.iter().enumerate().skip(1).map(space).sum();
    while taken > 1 << bits_max {
        let Some(from) = (1..bits_max).rev().find(|length| shape.get(*length).is_some_and(|n| *n > 0)) else {
            return;
        };
        for (length, change) in [(bits_max, -1), (from, -1), (from + 1, 2)] {
            if let Some(count) = shape.get_mut(length) {
                *count = count.saturating_add_signed(change);
            }
        }
        taken -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every symbol that occurs has a code, none is longer than the bound, and no bit pattern is left over.
    #[track_caller]
    fn check<const N: usize>(counts: &[u32; N], bits_max: usize) -> u8 {
        let mut codes = Codes::<N>::new();
        codes.fit(counts, bits_max);
        for (count, length) in counts.iter().zip(&codes.lengths) {
            assert!(*count == 0 || *length > 0, "{counts:?}");
        }
        let longest = codes.lengths.iter().copied().max().unwrap();
        assert!(usize::from(longest) <= bits_max);
        let taken: u32 = codes
            .lengths
            .iter()
            .filter(|length| **length > 0)
            .map(|length| 1 << (bits_max - usize::from(*length)))
            .sum();
        assert_eq!(taken, 1 << bits_max, "{counts:?}");
        longest
    }

    /// Counts as the numbers of Fibonacci, which make the deepest tree.
    fn deep<const N: usize>(symbols: usize) -> [u32; N] {
        let mut counts = [0; N];
        let (mut a, mut b) = (1, 1);
        for place in counts.iter_mut().step_by(N / symbols).take(symbols) {
            *place = a;
            (a, b) = (b, a + b);
        }
        counts
    }

    #[test]
    fn codes_that_would_be_too_long_are_cut() {
        for symbols in 2..=22 {
            assert_eq!(usize::from(check(&deep::<288>(symbols), 15)), (symbols - 1).min(15));
            assert_eq!(usize::from(check(&deep::<30>(symbols), 15)), (symbols - 1).min(15));
        }
        for symbols in 2..=19 {
            assert_eq!(usize::from(check(&deep::<19>(symbols), 7)), (symbols - 1).min(7));
        }
    }

    #[test]
    fn any_counts_have_codes() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as u32
        };
        for round in 0..500 {
            let mut counts = [0; 288];
            for count in &mut counts {
                *count = (random() >> (8 + random() % 16)) * u32::from(random() % (1 + round % 9) == 0);
            }
            check(&counts, 15);
            check(&counts, 14);
        }
        check(&[0; 288], 15);
        check(&[1; 288], 15);
    }
}
