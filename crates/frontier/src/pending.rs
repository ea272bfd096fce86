//! What is in the log and not in the tables yet.
//!
//! Every batch is one record of the log, and what it says is kept here, in memory, until enough has come together: then all
//! of it goes into tables at once, sorted. An entry that came and went in between never gets there at all.
//!
//! ```text
//! offer, settle ──▶ log (one record) ──▶ pending ──▶ tables of the queue and of the seen, and the log is empty
//! ```

use std::collections::{BTreeMap, HashSet};

use crate::disk::Item;
use crate::fingerprint::{ByFingerprint, Fingerprint};
use crate::key;
use crate::queues::Entry;
use crate::wish::Id;

/// What the records of the log come to.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    seen: HashSet<Fingerprint, ByFingerprint>,
    queued: BTreeMap<Id, Entry>,
    /// Entries that the tables have, and that are no more.
    ended: Vec<Id>,
    records: usize,
    log_bytes: usize,
}

/// What one record of the log says of the queue and of the seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    pub(crate) seen: Vec<Fingerprint>,
    pub(crate) ended: Vec<Id>,
    pub(crate) queued: Vec<(Id, Entry)>,
}

impl Pending {
    /// Takes in what a record of so many bytes says.
    pub(crate) fn add(&mut self, changes: Changes, record_bytes: usize) {
        self.seen.extend(changes.seen);
        self.queued.extend(changes.queued);
        for id in changes.ended {
            if self.queued.remove(&id).is_none() {
                self.ended.push(id);
            }
        }
        self.records += 1;
        self.log_bytes += record_bytes;
    }

    /// Whether the log has no record.
    pub(crate) fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Bytes of the log's records.
    pub(crate) fn log_bytes(&self) -> usize {
        self.log_bytes
    }

    pub(crate) fn has_seen(&self, fingerprint: Fingerprint) -> bool {
        self.seen.contains(&fingerprint)
    }

    /// Entries from one to another, both included, in their order.
    pub(crate) fn queued(&self, first: Id, last: Id) -> impl Iterator<Item = (Id, &Entry)> {
        self.queued.range(first..=last).map(|(id, entry)| (*id, entry))
    }

    /// Those of the tables that are no more, in their order.
    pub(crate) fn ended(&self) -> Vec<Id> {
        let mut ended = self.ended.clone();
        ended.sort_unstable();
        ended
    }

    /// Those of the tables that are no more, from one to another, both included.
    pub(crate) fn ended_between(&self, first: Id, last: Id) -> HashSet<Id> {
        self.ended.iter().copied().filter(|id| (first..=last).contains(id)).collect()
    }

    /// All that goes into the tables of the queue, in the order of its keys; `None` is to be removed.
    pub(crate) fn queue_items(&self) -> impl Iterator<Item = Item> {
        let mut ended = self.ended().into_iter().peekable();
        let mut queued = self.queued.iter().peekable();
        std::iter::from_fn(move || {
            let is_ended_first = match (ended.peek(), queued.peek()) {
                (Some(ended), Some((queued, _))) => ended < *queued,
                (ended, _) => ended.is_some(),
            };
            if is_ended_first {
                return ended.next().map(|id| (key::entry(id).into(), None));
            }
            queued.next().map(|(id, entry)| (key::entry(*id).into(), Some(entry.wish().into())))
        })
    }

    /// All that goes into the tables of the seen, in the order of its keys.
    pub(crate) fn seen_items(&self) -> impl Iterator<Item = Item> {
        let mut seen: Vec<Fingerprint> = self.seen.iter().copied().collect();
        seen.sort_unstable();
        seen.into_iter().map(|fingerprint| (fingerprint.bytes().into(), Some([].into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(host: u32, sequence: u64) -> Id {
        Id { host, precedence: 0, sequence }
    }

    fn changes(queued: &[(u32, u64)], ended: &[(u32, u64)]) -> Changes {
        let queued =
            queued.iter().map(|(host, sequence)| (id(*host, *sequence), Entry::new(*sequence, b"wish")));
        let ended = ended.iter().map(|(host, sequence)| id(*host, *sequence)).collect();
        Changes { seen: Vec::new(), ended, queued: queued.collect() }
    }

    #[test]
    fn what_came_and_went_never_reaches_the_tables() {
        let mut pending = Pending::default();
        assert!(pending.is_empty());
        pending.add(changes(&[(2, 7), (1, 8), (2, 9)], &[(2, 3), (1, 2)]), 100);
        pending.add(changes(&[(1, 10)], &[(1, 8), (3, 1)]), 50);
        assert!(pending.log_bytes() == 150 && !pending.is_empty());
        let items: Vec<_> = pending.queue_items().map(|(key, value)| (key, value.is_some())).collect();
        let expected =
            [(1, 2, false), (1, 10, true), (2, 3, false), (2, 7, true), (2, 9, true), (3, 1, false)];
        assert_eq!(
            items,
            expected.map(|(host, sequence, is_there)| (key::entry(id(host, sequence)).into(), is_there))
        );
        let some: Vec<Id> = pending.queued(id(2, 8), id(2, u64::MAX)).map(|(id, _)| id).collect();
        assert_eq!(some, [id(2, 9)]);
    }

    #[test]
    fn the_seen_are_sorted() {
        let mut pending = Pending::default();
        let seen: Vec<Fingerprint> = ["a", "b", "c", "d"].map(Fingerprint::of).to_vec();
        pending.add(Changes { seen: seen.clone(), ..Changes::default() }, 1);
        assert!(seen.iter().all(|fingerprint| pending.has_seen(*fingerprint)));
        assert!(!pending.has_seen(Fingerprint::of("e")));
        let keys: Vec<_> = pending.seen_items().map(|(key, _)| key).collect();
        assert!(keys.is_sorted() && keys.len() == 4);
    }
}
