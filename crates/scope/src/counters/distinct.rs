//! Counts different items under very many keys, roughly and in little memory.
//!
//! Each key has a HyperLogLog of 128 registers (Flajolet and others, 2007), which is right to a tenth and counts an item once
//! however often it comes. Keys live in buckets; in a full one the key with the fewest items makes room, so that what is
//! counted high stays.

use std::hash::{BuildHasher as _, Hash};
use std::sync::{Mutex, PoisonError};

use foldhash::quality::FixedState;

const REGISTERS: usize = 128;
/// Keys of one bucket.
const WAYS: usize = 8;

#[derive(Debug)]
pub(super) struct Distinct {
    buckets: Box<[Mutex<Vec<Slot>>]>,
}

#[derive(Debug)]
struct Slot {
    key: u64,
    about: u32,
    registers: [u8; REGISTERS],
}

impl Distinct {
    /// For about so many keys at once, of 140 bytes each.
    pub(super) fn new(keys: usize) -> Distinct {
        Distinct { buckets: (0..keys.div_ceil(WAYS).max(1)).map(|_| Mutex::default()).collect() }
    }

    /// Counts an item under a key, and says about how many different ones there are now.
    pub(super) fn add(&self, key: u64, item: u64) -> u32 {
        self.in_bucket(key, |bucket| {
            if let Some(slot) = bucket.iter_mut().find(|slot| slot.key == key) {
                return slot.add(item);
            }
            if bucket.len() >= WAYS {
                let least = bucket.iter().enumerate().min_by_key(|(_, slot)| slot.about).map(|(at, _)| at);
                least.map(|at| bucket.swap_remove(at));
            }
            let mut slot = Slot { key, about: 0, registers: [0; REGISTERS] };
            let about = slot.add(item);
            bucket.push(slot);
            about
        })
        .unwrap_or_default()
    }

    /// About how many different items a key has, `None` if it is forgotten.
    pub(super) fn about(&self, key: u64) -> Option<u32> {
        self.in_bucket(key, |bucket| bucket.iter().find(|slot| slot.key == key).map(|slot| slot.about))
            .flatten()
    }

    fn in_bucket<T>(&self, key: u64, work: impl FnOnce(&mut Vec<Slot>) -> T) -> Option<T> {
        let at = usize::try_from(key % u64::try_from(self.buckets.len()).ok()?).ok()?;
        // A thread that died while it held the lock left whole values behind.
        Some(work(&mut self.buckets.get(at)?.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Slot {
    fn add(&mut self, item: u64) -> u32 {
        let index = usize::try_from(item % REGISTERS as u64).unwrap_or_default();
        // The leading zeros of what is left, counted from one.
        let rank = u8::try_from(item.leading_zeros() + 1).unwrap_or(u8::MAX);
        if let Some(register) = self.registers.get_mut(index)
            && *register < rank
        {
            *register = rank;
            self.about = self.estimate();
        }
        self.about
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    fn estimate(&self) -> u32 {
        let count = REGISTERS as f64;
        let sum: f64 = self.registers.iter().map(|register| (-f64::from(*register)).exp2()).sum();
        let raw = 0.7213 / (1.0 + 1.079 / count) * count * count / sum;
        let empty = self.registers.iter().filter(|register| **register == 0).count();
        // With few items most registers are empty, and counting those is the better guess.
        let estimate =
            if raw <= 2.5 * count && empty > 0 { count * (count / empty as f64).ln() } else { raw };
        estimate.round() as u32
    }
}

/// The same in every run, so that a crawl is cautious about the same things each time.
pub(super) fn hash(value: impl Hash) -> u64 {
    FixedState::with_seed(0x7661_7276_6521).hash_one(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_right_to_a_fifth_and_repeats_do_not_count() {
        for many in [1_u32, 5, 100, 1000, 20_000] {
            let distinct = Distinct::new(64);
            let mut about = 0;
            for _ in 0..2 {
                for item in 0..many {
                    about = distinct.add(7, hash(item));
                }
            }
            assert!(about.abs_diff(many) * 5 <= many, "{about} for {many}");
        }
    }

    #[test]
    fn what_is_counted_high_stays_when_keys_are_many() {
        let distinct = Distinct::new(64);
        (0..1000_u32).for_each(|item| {
            distinct.add(1, hash(item));
        });
        (0..100_000_u64).for_each(|key| {
            distinct.add(hash(key), 1);
        });
        assert!(distinct.about(1).is_some_and(|about| about > 800));
        let kept: usize = distinct.buckets.iter().map(|bucket| bucket.lock().unwrap().len()).sum();
        assert!(kept <= 64, "{kept}");
    }
}
