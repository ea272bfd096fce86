//! Pages that were read lately, up to so many bytes of them. The oldest makes room.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

/// Parts that are locked one by one, so that threads seldom wait for each other.
const SHARDS: usize = 16;

/// Which page: number of the opened segment in this process, and place in it.
pub(crate) type Name = (u64, u64);

/// Pages of one kind, shared by all segments of an index.
pub(crate) struct Cache<V> {
    shards: [Mutex<Shard<V>>; SHARDS],
    shard_bytes_max: usize,
}

struct Shard<V> {
    pages: HashMap<Name, (Arc<V>, usize)>,
    order: VecDeque<Name>,
    bytes: usize,
}

impl<V> Cache<V> {
    pub(crate) fn new(bytes_max: usize) -> Cache<V> {
        let shard = || Shard { pages: HashMap::new(), order: VecDeque::new(), bytes: 0 };
        Cache { shards: std::array::from_fn(|_| Mutex::new(shard())), shard_bytes_max: bytes_max / SHARDS }
    }

    pub(crate) fn get(&self, name: Name) -> Option<Arc<V>> {
        let shard = self.shard(name)?.lock().ok()?;
        shard.pages.get(&name).map(|(page, _)| Arc::clone(page))
    }

    pub(crate) fn put(&self, name: Name, page: &Arc<V>, weight: usize) {
        let Some(Ok(mut shard)) = self.shard(name).map(Mutex::lock) else { return };
        if weight > self.shard_bytes_max {
            return;
        }
        let shard = &mut *shard;
        if shard.pages.insert(name, (Arc::clone(page), weight)).is_none() {
            shard.order.push_back(name);
            shard.bytes += weight;
        }
        while shard.bytes > self.shard_bytes_max {
            let Some((_, weight)) = shard.order.pop_front().and_then(|oldest| shard.pages.remove(&oldest))
            else {
                break;
            };
            shard.bytes = shard.bytes.saturating_sub(weight);
        }
    }

    /// Removes the pages of a segment that is closed: nothing would ask for them again, and they would stay until others take their place.
    pub(crate) fn forget(&self, segment: u64) {
        for shard in &self.shards {
            let Ok(mut shard) = shard.lock() else { continue };
            let Shard { pages, order, bytes } = &mut *shard;
            pages.retain(|name, (_, weight)| {
                let is_kept = name.0 != segment;
                if !is_kept {
                    *bytes = bytes.saturating_sub(*weight);
                }
                is_kept
            });
            order.retain(|name| name.0 != segment);
        }
    }

    /// The bytes of all pages.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().unwrap().bytes).sum()
    }

    fn shard(&self, (segment, at): Name) -> Option<&Mutex<Shard<V>>> {
        // Places are even multiples of nothing, but neighbours should not meet in one shard.
        let mixed = (at ^ segment << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        self.shards.get(usize::try_from(mixed).unwrap_or_default() % SHARDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_closed_segment_leave_the_cache() {
        let cache = Cache::new(SHARDS * 1000);
        for at in 0..100 {
            cache.put((1, at), &Arc::new(at), 10);
            cache.put((2, at), &Arc::new(at), 10);
        }
        cache.forget(1);
        assert_eq!(cache.bytes(), 1000);
        assert!(cache.get((1, 7)).is_none() && cache.get((2, 7)).is_some());
    }

    #[test]
    fn the_oldest_make_room() {
        let cache = Cache::new(SHARDS * 100);
        for at in 0..10_000 {
            cache.put((1, at), &Arc::new(at), 10);
            assert_eq!(cache.get((1, at)).as_deref(), Some(&at));
        }
        let kept = (0..10_000).filter(|at| cache.get((1, *at)).is_some()).count();
        assert_eq!(kept, SHARDS * 10);
        assert!(cache.get((2, 9_999)).is_none());
        cache.put((3, 3), &Arc::new(3), 101);
        assert!(cache.get((3, 3)).is_none(), "one page takes the room of all");
    }
}
