//! The members of a leaf in ten bits each, so that a leaf without the one asked for need not be read.
//!
//! Says "no" for certain and "perhaps" wrongly one time in a hundred.

/// Bits for each member.
const BITS_PER_MEMBER: usize = 10;
/// How many bits a member sets: ten bits times the logarithm of two.
const PROBES: u32 = 7;

/// The filter of these members.
pub(crate) fn build(hashes: &[u64]) -> Vec<u8> {
    let mut bits = vec![0_u8; (hashes.len() * BITS_PER_MEMBER).div_ceil(8).max(1)];
    for hash in hashes {
        for bit in probes(*hash, bits.len()) {
            if let Some(byte) = bits.get_mut(bit / 8) {
                *byte |= 1 << (bit % 8);
            }
        }
    }
    bits
}

/// Whether this may be a member. A filter of no bits knows nothing.
pub(crate) fn may_hold(bits: &[u8], hash: u64) -> bool {
    bits.is_empty()
        || probes(hash, bits.len())
            .all(|bit| bits.get(bit / 8).is_some_and(|byte| byte & (1 << (bit % 8)) != 0))
}

fn probes(hash: u64, bytes: usize) -> impl Iterator<Item = usize> {
    // Members of one leaf have their leading bits in common, for they are sorted: they must be mixed again.
    let mixed = mix(hash).to_le_bytes();
    let [a, b, c, d, e, f, g, h] = mixed;
    let (first, step) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]) | 1);
    let count = bytes as u64 * 8;
    // The product of a number below 2³² and the count, without its lower half, is below the count.
    (0..PROBES)
        .map(move |probe| ((u64::from(first.wrapping_add(probe.wrapping_mul(step))) * count) >> 32) as usize)
}

/// Spreads every bit over all others: the end of SplitMix64.
fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_held_and_others_rarely_are() {
        // As in a leaf: the upper half of the hashes is nearly the same.
        let members: Vec<u64> = (0..340).map(|number| (0xabcd << 48) | (number * 77_777_777)).collect();
        let bits = build(&members);
        assert_eq!(bits.len(), 425);
        assert!(members.iter().all(|member| may_hold(&bits, *member)));
        let wrong =
            (0..100_000_u64).filter(|number| may_hold(&bits, (0xabcd << 48) | (number * 1_000_003 + 1)));
        let wrong = wrong.count();
        assert!((300..2000).contains(&wrong), "{wrong} of 100,000 others are said to be members");
    }

    #[test]
    fn no_members_need_no_room() {
        assert!(!may_hold(&build(&[]), 5));
        assert!(may_hold(&[], 5));
    }
}
