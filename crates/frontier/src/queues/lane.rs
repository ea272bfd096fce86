//! The entries of one host and one precedence: first in, first out.
//!
//! ```text
//!    in flight   │  ahead: in memory  │  behind: on disk only
//!  1   4         │  5  6  9           │  12 …            sequence →
//!                                      ▲ cursor
//! ```
//!
//! Sequences only grow, so new entries go to the end, and whatever lies behind lies from the cursor on. Reading on from there
//! never meets what was settled and removed.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

/// An entry as it stands in the queue. Those that were read together lie in one piece of memory.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) sequence: u64,
    piece: Arc<[u8]>,
    start: u32,
    end: u32,
}

impl Entry {
    /// An entry with a piece of its own.
    pub(crate) fn new(sequence: u64, wish: &[u8]) -> Entry {
        Entry { sequence, piece: Arc::from(wish), start: 0, end: count(wish.len()) }
    }

    /// Several entries in one piece; each has its wish at a place in it.
    pub(crate) fn several(piece: Vec<u8>, places: &[(u64, Range<usize>)]) -> Vec<Entry> {
        let piece: Arc<[u8]> = Arc::from(piece);
        let entry = |(sequence, place): &(u64, Range<usize>)| Entry {
            sequence: *sequence,
            piece: Arc::clone(&piece),
            start: count(place.start),
            end: count(place.end),
        };
        places.iter().map(entry).collect()
    }

    /// The wish, packed.
    pub(crate) fn wish(&self) -> &[u8] {
        self.piece.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// About what it needs in memory.
    pub(crate) fn bytes(&self) -> usize {
        // A piece of its own costs an allocation.
        let own = if self.piece.len() == self.wish().len() { 48 } else { 0 };
        size_of::<Entry>() + own + self.wish().len()
    }
}

/// A lane.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(crate) precedence: u8,
    /// Entries behind: on disk only.
    pub(crate) behind: u32,
    /// No entry behind has a lower sequence.
    pub(crate) cursor: u64,
    ahead: VecDeque<Entry>,
    ahead_bytes: usize,
    in_flight: BTreeSet<u64>,
    /// No entry that was ever taken has this sequence or a higher one.
    untaken: u64,
}

impl Lane {
    /// A lane as it lies on disk.
    pub(crate) fn new(precedence: u8, behind: u32, cursor: u64) -> Lane {
        let (ahead, in_flight) = (VecDeque::new(), BTreeSet::new());
        Lane { precedence, behind, cursor, ahead, ahead_bytes: 0, in_flight, untaken: 0 }
    }

    /// Entries that can be taken.
    pub(crate) fn waiting(&self) -> u32 {
        self.behind.saturating_add(count(self.ahead.len()))
    }

    /// Entries that are on disk: those that can be taken, and those in flight.
    pub(crate) fn entries(&self) -> u32 {
        self.waiting().saturating_add(count(self.in_flight.len()))
    }

    /// A sequence that none of its entries is below.
    pub(crate) fn first(&self) -> Option<u64> {
        let behind = (self.behind > 0).then_some(self.cursor);
        let ahead = self.ahead.front().map(|entry| entry.sequence);
        [behind, ahead, self.in_flight.first().copied()].into_iter().flatten().min()
    }

    /// Appends a new entry; it stays in memory if nothing is behind and it fits into `share` bytes. Says how many bytes it
    /// needs there.
    pub(crate) fn add(&mut self, entry: Entry, share: usize) -> usize {
        let bytes = entry.bytes();
        if self.behind == 0 && self.ahead_bytes + bytes <= share {
            return self.append(entry);
        }
        if self.behind == 0 {
            self.cursor = entry.sequence;
        }
        self.behind = self.behind.saturating_add(1);
        0
    }

    /// Takes in what was read from behind. Says how many bytes it needs.
    pub(crate) fn refill(&mut self, entries: Vec<Entry>) -> usize {
        self.behind = self.behind.saturating_sub(count(entries.len()));
        self.cursor = entries.last().map_or(self.cursor, |last| last.sequence.saturating_add(1));
        entries.into_iter().map(|entry| self.append(entry)).sum()
    }

    fn append(&mut self, entry: Entry) -> usize {
        let bytes = entry.bytes();
        self.ahead_bytes += bytes;
        self.ahead.push_back(entry);
        bytes
    }

    /// The next entry of those in memory. It is in flight now.
    pub(crate) fn take(&mut self) -> Option<Entry> {
        let entry = self.ahead.pop_front()?;
        self.ahead_bytes = self.ahead_bytes.saturating_sub(entry.bytes());
        self.in_flight.insert(entry.sequence);
        self.untaken = self.untaken.max(entry.sequence.saturating_add(1));
        if self.ahead.is_empty() {
            // Thousands of lanes are empty most of the time.
            self.ahead = VecDeque::new();
        }
        Some(entry)
    }

    /// Bytes of the entries in memory.
    pub(crate) fn ahead_bytes(&self) -> usize {
        self.ahead_bytes
    }

    /// Leaves to the disk what does not fit into so many bytes, the last entries first. Says how many bytes that frees.
    pub(crate) fn trim(&mut self, bytes_max: usize) -> usize {
        let before = self.ahead_bytes;
        let mut last_piece: Option<Arc<[u8]>> = None;
        // Of those before, some may have ended by now, and the disk still has them.
        while let Some(entry) = self.ahead.pop_back_if(|entry| entry.sequence >= self.untaken) {
            let goes_with_last = last_piece.as_ref().is_some_and(|piece| Arc::ptr_eq(piece, &entry.piece));
            // Memory is free only when the whole piece is.
            if self.ahead_bytes <= bytes_max && !goes_with_last {
                self.ahead.push_back(entry);
                break;
            }
            self.ahead_bytes = self.ahead_bytes.saturating_sub(entry.bytes());
            self.behind = self.behind.saturating_add(1);
            self.cursor = entry.sequence;
            last_piece = Some(entry.piece);
        }
        if last_piece.is_some() {
            self.ahead.shrink_to_fit();
        }
        before.saturating_sub(self.ahead_bytes)
    }

    /// Puts an entry back to where it was. Says how many bytes it needs, `None` if it is not in flight.
    pub(crate) fn give_back(&mut self, entry: Entry) -> Option<usize> {
        if !self.in_flight.remove(&entry.sequence) {
            return None;
        }
        let bytes = entry.bytes();
        let place = self.ahead.partition_point(|other| other.sequence < entry.sequence);
        self.ahead_bytes += bytes;
        self.ahead.insert(place, entry);
        Some(bytes)
    }

    /// Ends a flight; `false` if it is none.
    pub(crate) fn land(&mut self, sequence: u64) -> bool {
        self.in_flight.remove(&sequence)
    }

    /// A flight that ended has not ended after all.
    pub(crate) fn fly(&mut self, sequence: u64) {
        self.in_flight.insert(sequence);
    }

    /// Forgets all that can be taken. Says how many bytes that frees.
    pub(crate) fn clear(&mut self) -> usize {
        (self.behind, self.ahead) = (0, VecDeque::new());
        std::mem::take(&mut self.ahead_bytes)
    }

    /// The lane as if nothing of it were in memory.
    pub(crate) fn outline(&self) -> Lane {
        let mut lane = Lane::new(self.precedence, self.waiting(), self.first().unwrap_or(0));
        lane.in_flight.clone_from(&self.in_flight);
        lane
    }

    pub(crate) fn in_flight(&self) -> &BTreeSet<u64> {
        &self.in_flight
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(sequence: u64) -> Entry {
        Entry::new(sequence, b"wish")
    }

    fn share(entries: usize) -> usize {
        entry(0).bytes() * entries
    }

    #[test]
    fn entries_beyond_the_share_stay_on_disk() {
        let mut lane = Lane::new(0, 0, 0);
        for sequence in 10..15 {
            lane.add(entry(sequence), share(2));
        }
        assert_eq!((lane.waiting(), lane.behind, lane.cursor), (5, 3, 12));
        lane.refill(Entry::several(b"wish-one-wish-two".to_vec(), &[(12, 0..8), (13, 9..17)]));
        assert_eq!((lane.waiting(), lane.behind, lane.cursor), (5, 1, 14));
        let taken: Vec<Entry> = std::iter::from_fn(|| lane.take()).collect();
        let taken: Vec<_> = taken.iter().map(|entry| (entry.sequence, entry.wish())).collect();
        let wishes: [(u64, &[u8]); 4] = [(10, b"wish"), (11, b"wish"), (12, b"wish-one"), (13, b"wish-two")];
        assert_eq!(taken, wishes);
        assert_eq!((lane.waiting(), lane.entries(), lane.first()), (1, 5, Some(10)));
    }

    #[test]
    fn what_is_given_back_stands_where_it_stood() {
        let mut lane = Lane::new(0, 0, 0);
        for sequence in 1..5 {
            lane.add(entry(sequence), share(9));
        }
        let [one, two, three] = [(); 3].map(|()| lane.take().unwrap());
        assert!(lane.give_back(two.clone()).is_some());
        assert!(lane.give_back(one).is_some());
        assert!(lane.give_back(two).is_none());
        assert!(lane.land(three.sequence));
        assert!(!lane.land(three.sequence));
        let taken: Vec<u64> = std::iter::from_fn(|| lane.take()).map(|entry| entry.sequence).collect();
        assert_eq!(taken, [1, 2, 4]);
    }

    #[test]
    fn what_does_not_fit_is_left_to_the_disk() {
        let mut lane = Lane::new(0, 0, 0);
        for sequence in 1..6 {
            lane.add(entry(sequence), share(9));
        }
        assert_eq!(lane.trim(share(3)), share(2));
        assert_eq!((lane.waiting(), lane.behind, lane.cursor), (5, 2, 4));
        assert_eq!(lane.trim(share(3)), 0);
        // What was read together goes together.
        lane.refill(Entry::several(b"fourfive".to_vec(), &[(4, 0..4), (5, 4..8)]));
        let bytes = lane.ahead_bytes();
        assert_eq!(lane.trim(bytes - 1), bytes - share(3));
        assert_eq!((lane.waiting(), lane.behind, lane.cursor), (5, 2, 4));
    }

    #[test]
    fn what_was_taken_once_is_not_read_again() {
        let mut lane = Lane::new(0, 0, 0);
        for sequence in 1..5 {
            lane.add(entry(sequence), share(9));
        }
        let [one, two] = [(); 2].map(|()| lane.take().unwrap());
        assert!(lane.land(two.sequence) && lane.give_back(one).is_some());
        // From the first on one would meet the second, which has ended.
        assert_eq!(lane.trim(0), share(2));
        assert_eq!((lane.waiting(), lane.behind, lane.cursor), (3, 2, 3));
    }

    #[test]
    fn an_empty_lane_has_no_first() {
        let mut lane = Lane::new(0, 3, 7);
        assert_eq!(lane.first(), Some(7));
        lane.clear();
        assert_eq!(lane.first(), None);
    }
}
