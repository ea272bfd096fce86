//! Finds stretches of the newer version that are nearly the same in the older one.
//!
//! A seed is 16 bytes that both have; seeds are found by a table of hashes of every eighth place of the older version. From a
//! seed a stretch grows both ways as long as it gains: a byte that is the same counts for it, one that differs against it, and
//! when the count has fallen far below its best the stretch ends where the best was. So changed addresses in a program do
//! not end a stretch. Every byte is looked at a few times at most, whatever the versions are.

use memchr::memmem;

/// Bytes of a seed.
const SEED: usize = 16;
/// Only so many places of the older version are in the table.
const STRIDE: usize = 8;
/// How far the count may fall before a stretch ends.
const DROP: i32 = 24;
/// How far a stretch is followed that neither gains nor falls.
const IDLE: usize = 512;
/// A stretch that gains less is not worth its entry.
const GAIN_MIN: i32 = 16;
/// A stretch nearby that gains so much is taken without looking further.
const GAIN_NEAR: i32 = 64;
/// How far from the end of the last stretch is nearby.
const NEAR: usize = 512;
/// Counts end here; a stretch that gains so much is long.
const COUNT_MAX: i32 = 1 << 20;
/// Bytes compared at once.
const WIDE: usize = 8;

/// A stretch of the newer version that begins at `new` is nearly the one of the older version at `old`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) length: usize,
}

/// Stretches in the order of the newer version, none overlapping there.
pub(super) fn stretches(old: &[u8], new: &[u8]) -> Vec<Stretch> {
    let table = Table::of(old);
    let mut found: Vec<Stretch> = Vec::new();
    // Where the last stretch ends in both, and where the search goes on.
    let (mut done, mut at) = ((0, 0), 0);
    if let Some(first) = grown(old, new, (0, 0), 0).filter(|first| first.gain >= GAIN_MIN) {
        (done, at) = ((first.length, first.length), first.length);
        found.push(first.stretch());
    }
    while let Some(seed) = new.get(at..at + SEED) {
        let Some(next) = next(old, new, &table, seed, done, at) else {
            at += 1;
            continue;
        };
        done = (next.old + next.length, next.new + next.length);
        at = done.1.max(at + 1);
        found.push(next.stretch());
    }
    found
}

/// The best stretch that a seed belongs to. Something near to where the last stretch ended is better than anything far
/// away: what repeats itself is found in many places, and only one of them goes on.
fn next(
    old: &[u8],
    new: &[u8],
    table: &Table,
    seed: &[u8],
    done: (usize, usize),
    at: usize,
) -> Option<Grown> {
    // Within a stride every seed of the older version comes up in the table, so one that does not need not be looked for.
    let place = table.place(seed).filter(|place| old.get(*place..*place + SEED) == Some(seed))?;
    let near = near(old, seed, done, at).and_then(|place| grown(old, new, (place, at), done.1));
    let near_gain = match near {
        Some(near) if near.gain >= GAIN_NEAR => return Some(near),
        Some(ref near) => near.gain.saturating_mul(2),
        None => GAIN_MIN,
    };
    grown(old, new, (place, at), done.1).filter(|far| far.gain >= near_gain).or(near)
}

/// Where the seed is in the neighbourhood of the end of the last stretch.
fn near(old: &[u8], seed: &[u8], done: (usize, usize), at: usize) -> Option<usize> {
    let gone = at - done.1;
    if gone > NEAR {
        return None;
    }
    let expected = done.0 + gone;
    let start = expected.saturating_sub(NEAR).min(old.len());
    let end = (expected + NEAR).min(old.len());
    let around = old.get(start..end)?;
    memmem::find_iter(around, seed).map(|place| place + start).min_by_key(|place| place.abs_diff(expected))
}

/// Hashes of seeds and their places.
struct Table {
    places: Vec<u32>,
    shift: u32,
}

impl Table {
    fn of(old: &[u8]) -> Table {
        let bits = (old.len() / STRIDE + 1).next_power_of_two().trailing_zeros().clamp(8, 22) + 1;
        let mut table = Table { places: vec![u32::MAX; 1 << bits], shift: 64 - bits };
        // Of several alike the first is kept: it is put in last.
        let last = old.len().saturating_sub(SEED) / STRIDE;
        for place in (0..=last).rev().map(|number| number * STRIDE) {
            if let Some(seed) = old.get(place..place + SEED)
                && let Some(entry) = table.places.get_mut((hash(seed) >> table.shift) as usize)
            {
                *entry = place as u32;
            }
        }
        table
    }

    fn place(&self, seed: &[u8]) -> Option<usize> {
        let place = self.places.get((hash(seed) >> self.shift) as usize).copied()?;
        (place != u32::MAX).then_some(place as usize)
    }
}

fn hash(seed: &[u8]) -> u64 {
    let (first, second) = (word(seed, 0).unwrap_or(0), word(seed, WIDE).unwrap_or(0));
    let mixed = first.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ second.rotate_left(31);
    mixed.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.first_chunk::<WIDE>()?;
    Some(u64::from_le_bytes(*bytes))
}

/// A stretch, and what it gains.
struct Grown {
    old: usize,
    new: usize,
    length: usize,
    gain: i32,
}

impl Grown {
    fn stretch(&self) -> Stretch {
        Stretch { old: self.old, new: self.new, length: self.length }
    }
}

/// The stretch around two places, no further back in the newer version than `from`.
fn grown(old: &[u8], new: &[u8], (old_at, new_at): (usize, usize), from: usize) -> Option<Grown> {
    let (forward, gain) = forward(old.get(old_at..)?, new.get(new_at..)?);
    let (backward, back_gain) = backward(old.get(..old_at)?, new.get(from..new_at)?);
    Some(Grown {
        old: old_at - backward,
        new: new_at - backward,
        length: backward + forward,
        gain: gain.saturating_add(back_gain),
    })
}

/// How far it is worth going, and what it gains.
fn forward(old: &[u8], new: &[u8]) -> (usize, i32) {
    let length = old.len().min(new.len());
    let (mut at, mut count) = (0, 0_i32);
    let (mut best, mut best_count) = (0, 0_i32);
    while at < length {
        if let (Some(old), Some(new)) = (word(old, at), word(new, at))
            && old == new
        {
            at += WIDE;
            count = (count + WIDE as i32).min(COUNT_MAX);
        } else {
            let same = old.get(at) == new.get(at);
            at += 1;
            count += if same { 1 } else { -1 };
        }
        if count > best_count || count == COUNT_MAX {
            (best, best_count) = (at, count);
        } else if count < best_count - DROP || at - best > IDLE {
            break;
        }
    }
    (best, best_count)
}

fn backward(old: &[u8], new: &[u8]) -> (usize, i32) {
    let mut count = 0_i32;
    let (mut best, mut best_count) = (0, 0_i32);
    for (at, (old, new)) in old.iter().rev().zip(new.iter().rev()).enumerate() {
        count += if old == new { 1 } else { -1 };
        if count > best_count {
            (best, best_count) = (at + 1, count);
        } else if count < best_count - DROP || at - best > IDLE {
            break;
        }
    }
    (best, best_count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..length).map(|_| next()).collect()
    }

    #[test]
    fn an_insertion_makes_two_stretches() {
        let old = noise(4000);
        let new = [&old[..1000], &[7; 100], &old[1000..]].concat();
        let found = stretches(&old, &new);
        assert_eq!(
            found,
            [Stretch { old: 0, new: 0, length: 1000 }, Stretch { old: 1000, new: 1100, length: 3000 }]
        );
    }

    #[test]
    fn bytes_that_differ_here_and_there_do_not_end_a_stretch() {
        let old = noise(4000);
        let mut new = old.clone();
        new.iter_mut().step_by(20).for_each(|byte| *byte ^= 0x55);
        assert_eq!(stretches(&old, &new).iter().map(|stretch| stretch.length).sum::<usize>(), 4000);
    }

    #[test]
    fn what_is_unrelated_has_no_stretches() {
        assert!(stretches(&noise(3000), &[9; 3000]).is_empty());
        assert!(stretches(b"", b"").is_empty());
        assert!(stretches(b"a", b"b").is_empty());
    }
}
