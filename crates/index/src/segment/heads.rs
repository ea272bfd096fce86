//! Sorted keys that are searched for again and again, with as few looks into memory as will do.
//!
//! Neighbouring keys begin alike. What they have in common is compared once, and of the rest the first eight bytes stand side by side as
//! numbers: of a large index nothing is at hand, so each key that is not looked at saves a wait for the memory.

/// Keys of one group of a ladder.
const GROUP: usize = 32;

/// The starts of some sorted keys, which are kept elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Heads {
    /// So many bytes they have in common.
    common: usize,
    heads: Box<[u64]>,
}

impl Heads {
    /// Of as many keys as there are; `key` gives each by its number.
    pub(crate) fn of<'a>(count: usize, key: impl Fn(usize) -> &'a [u8]) -> Heads {
        let Some(last) = count.checked_sub(1) else { return Heads::default() };
        let common = key(0).iter().zip(key(last)).take_while(|(first, last)| first == last).count();
        let heads = (0..count).map(|at| head(key(at).get(common..).unwrap_or_default())).collect();
        Heads { common, heads }
    }

    /// How many of the keys sort before this one.
    pub(crate) fn count_before<'a>(&self, wanted: &[u8], key: impl Fn(usize) -> &'a [u8]) -> usize {
        if self.common > 0 {
            let common = key(0).get(..self.common).unwrap_or_default();
            let start = wanted.get(..self.common).unwrap_or(wanted);
            if start != common {
                return if start < common { 0 } else { self.heads.len() };
            }
        }
        let wanted_head = head(wanted.get(self.common..).unwrap_or_default());
        let mut at = self.heads.partition_point(|head| *head < wanted_head);
        while self.heads.get(at) == Some(&wanted_head) && key(at) < wanted {
            at += 1;
        }
        at
    }

    /// Bytes that it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        size_of_val(&*self.heads)
    }
}

/// The first eight bytes as a number that sorts as they do, but for zeros at their end.
fn head(bytes: &[u8]) -> u64 {
    if let Some(head) = bytes.first_chunk() {
        return u64::from_be_bytes(*head);
    }
    let mut head = [0; 8];
    head.iter_mut().zip(bytes).for_each(|(head, byte)| *head = *byte);
    u64::from_be_bytes(head)
}

/// Heads of many sorted keys: in groups, then of the first key of each group, and so on up to a single group.
#[derive(Debug, Default)]
pub(crate) struct Ladder {
    /// The lowest first.
    rungs: Vec<Vec<Heads>>,
}

impl Ladder {
    /// Of as many keys as there are; `key` gives each by its number.
    pub(crate) fn of<'a>(count: usize, key: impl Fn(usize) -> &'a [u8]) -> Ladder {
        let mut rungs: Vec<Vec<Heads>> = Vec::new();
        let (mut left, mut stride) = (count, 1);
        while left > 0 && rungs.last().is_none_or(|rung| rung.len() > 1) {
            let starts = (0..left).step_by(GROUP);
            let group = |start: usize| {
                Heads::of(GROUP.min(left - start), |at| key((start + at).saturating_mul(stride)))
            };
            rungs.push(starts.map(group).collect());
            left = left.div_ceil(GROUP);
            stride = stride.saturating_mul(GROUP);
        }
        Ladder { rungs }
    }

    /// How many of the keys sort before this one.
    pub(crate) fn count_before<'a>(&self, wanted: &[u8], key: impl Fn(usize) -> &'a [u8]) -> usize {
        let (mut group, mut count) = (0, 0);
        let strides = std::iter::successors(Some(1_usize), |stride| stride.checked_mul(GROUP));
        let rungs: Vec<(usize, &Vec<Heads>)> = strides.zip(&self.rungs).collect();
        for (stride, rung) in rungs.into_iter().rev() {
            let Some(heads) = rung.get(group) else { return count };
            let start = group * GROUP;
            count = start + heads.count_before(wanted, |at| key((start + at).saturating_mul(stride)));
            // The last group whose first key sorts before it, or the first group.
            group = count.saturating_sub(1).max(start);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of a few letters, so that they begin alike, contain each other, and end in zeros; some are the same.
    fn keys(count: usize) -> Vec<Vec<u8>> {
        let mut noise = 7_u64;
        let mut next = |below: u64| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (noise >> 33) % below
        };
        let mut keys: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                let start: &[u8] = if next(4) == 0 { b"" } else { b"com,example)/" };
                let rest = (0..next(12)).map(|_| [0, b'a', b'b', 0xff][next(4) as usize]);
                start.iter().copied().chain(rest).collect()
            })
            .collect();
        keys.sort();
        keys
    }

    #[test]
    fn as_many_sort_before_a_key_as_do() {
        for count in [0, 1, 2, 31, 32, 33, 1000, 1024, 1025, 3000] {
            let keys = keys(count);
            let ladder = Ladder::of(count, |at| &keys[at]);
            let heads = Heads::of(count, |at| &keys[at]);
            let all = keys.iter().cloned();
            let longer = keys.iter().map(|key| [key, b"\0".as_slice()].concat());
            let shorter = keys.iter().map(|key| key[..key.len().saturating_sub(1)].to_vec());
            for wanted in all.chain(longer).chain(shorter).chain([vec![], vec![0xff; 20]]) {
                let expect = keys.partition_point(|key| *key < wanted);
                assert_eq!(ladder.count_before(&wanted, |at| &keys[at]), expect, "{count}: {wanted:?}");
                assert_eq!(heads.count_before(&wanted, |at| &keys[at]), expect, "{count}: {wanted:?}");
            }
        }
    }
}
