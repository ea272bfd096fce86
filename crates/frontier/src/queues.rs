//! What the frontier has in memory: for each host that has entries the front of its queue, and what is in flight.
//!
//! Whoever takes entries needs nothing but this, and the disk when the front of a queue is used up.

mod host;
mod lane;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::Timestamp;

use crate::counts::Counts;
use crate::error::Error;
use crate::ledger::Ledger;
use crate::wish::{Hosts, Id};
use host::Host;
pub(crate) use lane::{Entry, Lane};

/// Hosts without entries that are kept in memory all the same, as most of them get new ones soon.
const IDLE_HOSTS_MAX: usize = 10_000;

/// Bytes that one host may have in memory even if there are few: they are read in one go while others wait.
const SHARE_BYTES_MAX: usize = 64 << 10;

/// Hosts that are looked at, each time that entries are read into memory which is full. All of them in turn: however much the first
/// ones took, when there were few others, in the end each has no more than its share.
const LOOKS: usize = 16;

/// Where to read on in the queue of a host whose front is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gap {
    /// No entry that is wanted lies before this one.
    pub(crate) from: Id,
    /// So many entries may be read.
    pub(crate) entries: u32,
    /// When they have so many bytes it is enough.
    pub(crate) bytes: usize,
}

/// What there is for one who wants to take.
#[derive(Debug)]
pub(crate) enum Next {
    Nothing,
    Turn(Id, Entry, Arc<str>),
    /// Read this first, and [`Queues::refill`].
    Gap(Gap),
}

/// The queues of all hosts.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    numbers: HashMap<Arc<str>, u32>,
    hosts: BTreeMap<u32, Host>,
    /// The host to be looked at next when memory is wanted.
    hand: u32,
    idle: usize,
    waiting: u64,
    in_flight: u64,
    ahead_bytes: usize,
    ahead_bytes_max: usize,
    /// The mark of the last batch.
    pub(crate) mark: Option<Vec<u8>>,
    /// What the last batch counted.
    pub(crate) ledger: Ledger,
    /// Nothing that is postponed comes before this time.
    pub(crate) due: Option<Timestamp>,
    /// Nothing that is postponed comes after this time.
    pub(crate) latest: Option<Timestamp>,
}

impl Queues {
    pub(crate) fn new(ahead_bytes_max: usize) -> Queues {
        Queues { ahead_bytes_max, ..Queues::default() }
    }

    /// Adds a lane as it lies on disk.
    pub(crate) fn load(&mut self, number: u32, name: Arc<str>, lane: Lane) {
        self.waiting += u64::from(lane.waiting());
        let host = self.host_or_new(number, name);
        let was_idle = host.is_idle();
        host.insert(lane);
        self.recount(number, was_idle);
    }

    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn name(&self, number: u32) -> Option<Arc<str>> {
        self.hosts.get(&number).map(|host| Arc::clone(&host.name))
    }

    /// The next entry of a host.
    pub(crate) fn next(&mut self, name: &str) -> Next {
        let share = self.share();
        let Some(number) = self.number(name) else { return Next::Nothing };
        let Some(host) = self.hosts.get_mut(&number) else { return Next::Nothing };
        let name = Arc::clone(&host.name);
        let Some(lane) = host.next_lane() else { return Next::Nothing };
        let id = |sequence| Id { host: number, precedence: lane.precedence, sequence };
        let (gap, precedence) = (id(lane.cursor), lane.precedence);
        let Some(entry) = lane.take() else {
            return Next::Gap(Gap { from: gap, entries: lane.behind, bytes: share });
        };
        self.ahead_bytes = self.ahead_bytes.saturating_sub(entry.bytes());
        self.waiting = self.waiting.saturating_sub(1);
        self.in_flight += 1;
        Next::Turn(Id { host: number, precedence, sequence: entry.sequence }, entry, name)
    }

    /// Takes in what was read from where [`Queues::next`] said.
    pub(crate) fn refill(&mut self, gap: Gap, entries: Vec<Entry>) {
        self.make_room();
        if let Some(lane) = self.lane_mut(gap.from) {
            let bytes = lane.refill(entries);
            self.ahead_bytes += bytes;
        }
    }

    /// Puts back what is in flight.
    pub(crate) fn give_back(&mut self, id: Id, entry: Entry) {
        let Some(bytes) = self.lane_mut(id).and_then(|lane| lane.give_back(entry)) else { return };
        self.ahead_bytes += bytes;
        self.waiting += 1;
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// Ends flights: all of them, or none and an error if one is not in flight.
    pub(crate) fn land(&mut self, ids: &[Id]) -> Result<(), Error> {
        for (done, id) in ids.iter().enumerate() {
            if !self.lane_mut(*id).is_some_and(|lane| lane.land(id.sequence)) {
                self.fly(ids.get(..done).unwrap_or_default());
                return Err(Error::NotTaken(*id));
            }
            self.in_flight = self.in_flight.saturating_sub(1);
        }
        Ok(())
    }

    /// Takes [`Queues::land`] back.
    pub(crate) fn fly(&mut self, ids: &[Id]) {
        for id in ids {
            if let Some(lane) = self.lane_mut(*id) {
                lane.fly(id.sequence);
                self.in_flight += 1;
            }
        }
    }

    /// Appends new entries to a lane, and forgets the lane if it has none.
    pub(crate) fn add(&mut self, number: u32, name: &Arc<str>, precedence: u8, added: Vec<Entry>) {
        self.waiting += added.len() as u64;
        let is_full = self.ahead_bytes >= self.ahead_bytes_max;
        let share = if is_full { 0 } else { self.share() };
        let host = self.host_or_new(number, Arc::clone(name));
        let was_idle = host.is_idle();
        let share = share.saturating_sub(host.ahead_bytes_before(precedence));
        let bytes: usize = match host.lane_or_new(precedence) {
            Some(lane) => added.into_iter().map(|entry| lane.add(entry, share)).sum(),
            None => 0,
        };
        host.prune(precedence);
        self.ahead_bytes += bytes;
        self.recount(number, was_idle);
    }

    /// What is in flight in each lane of a host, and how many entries of it can be taken, from which sequence on.
    pub(crate) fn lanes(&self, number: u32) -> Vec<Lane> {
        self.hosts
            .get(&number)
            .map(|host| host.lanes().iter().map(Lane::outline).collect())
            .unwrap_or_default()
    }

    /// Empties the lanes of a host but for what is in flight.
    pub(crate) fn clear(&mut self, number: u32) {
        let Some(host) = self.hosts.get_mut(&number) else { return };
        let was_idle = host.is_idle();
        self.waiting = self.waiting.saturating_sub(u64::from(host.waiting()));
        let freed = host.clear();
        self.ahead_bytes = self.ahead_bytes.saturating_sub(freed);
        self.recount(number, was_idle);
    }

    /// Hosts with entries that can be taken.
    pub(crate) fn waiting(&self) -> Hosts {
        let hosts = self.hosts.values().map(|host| (host, host.waiting()));
        hosts
            .filter(|(_, waiting)| *waiting > 0)
            .map(|(host, waiting)| (host.name.to_string(), waiting))
            .collect()
    }

    pub(crate) fn counts(&self) -> Counts {
        let Ledger { seen, done, forgotten, over_width, postponed, .. } = self.ledger;
        Counts {
            queued: self.waiting,
            in_flight: self.in_flight,
            postponed,
            seen,
            done,
            forgotten,
            over_width,
            hosts: self.active_hosts() as u64,
        }
    }

    /// Leaves entries of some hosts to the disk that have more than their share in memory, if all together need more than they
    /// may.
    fn make_room(&mut self) {
        let share = self.share();
        for _ in 0..LOOKS {
            if self.ahead_bytes < self.ahead_bytes_max {
                return;
            }
            let next = self.hosts.range_mut(self.hand..).next();
            self.hand = next.as_ref().map_or(0, |(number, _)| number.wrapping_add(1));
            let freed = next.map_or(0, |(_, host)| host.trim(share));
            self.ahead_bytes = self.ahead_bytes.saturating_sub(freed);
        }
    }

    /// The bytes that a host may have in memory, so that all together do not need more than they may.
    fn share(&self) -> usize {
        (self.ahead_bytes_max / self.active_hosts().max(1)).min(SHARE_BYTES_MAX)
    }

    /// Hosts that have entries, in flight or not.
    fn active_hosts(&self) -> usize {
        self.hosts.len().saturating_sub(self.idle)
    }

    fn lane_mut(&mut self, id: Id) -> Option<&mut Lane> {
        self.hosts.get_mut(&id.host)?.lane_mut(id.precedence)
    }

    fn host_or_new(&mut self, number: u32, name: Arc<str>) -> &mut Host {
        self.hosts.entry(number).or_insert_with(|| {
            self.idle += 1;
            self.numbers.insert(Arc::clone(&name), number);
            Host::new(name)
        })
    }

    /// Sees to it that few hosts without entries are kept.
    fn recount(&mut self, number: u32, was_idle: bool) {
        let is_idle = self.hosts.get(&number).is_some_and(Host::is_idle);
        match (was_idle, is_idle) {
            (true, false) => self.idle = self.idle.saturating_sub(1),
            (false, true) => self.idle += 1,
            _ => {}
        }
        if is_idle
            && self.idle > IDLE_HOSTS_MAX
            && let Some(host) = self.hosts.remove(&number)
        {
            self.numbers.remove(&host.name);
            self.idle = self.idle.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(sequence: u64) -> Entry {
        Entry::new(sequence, &[b'x'; 40])
    }

    #[test]
    fn who_came_first_does_not_keep_the_memory_of_the_others() {
        let most = 100 * entry(0).bytes();
        let mut queues = Queues::new(most);
        let [first, second]: [Arc<str>; 2] = ["first", "second"].map(Arc::from);
        queues.add(0, &first, 7, (0..200).map(entry).collect());
        assert_eq!((queues.ahead_bytes, queues.waiting), (most, 200));
        queues.add(1, &second, 7, (200..400).map(entry).collect());
        assert_eq!((queues.ahead_bytes, queues.waiting), (most, 400));
        let Next::Gap(gap) = queues.next("second") else {
            panic!("what came when memory was full is on disk only")
        };
        // It may have half of the memory, though all of it is taken.
        assert_eq!((gap.from.sequence, gap.entries, gap.bytes), (200, 200, most / 2));
        queues.refill(gap, (200..250).map(entry).collect());
        assert_eq!((queues.ahead_bytes, queues.waiting), (most, 400));
        assert!(matches!(queues.next("second"), Next::Turn(..)));
        for sequence in 0..50 {
            assert!(matches!(queues.next("first"), Next::Turn(id, ..) if id.sequence == sequence));
        }
        assert!(matches!(queues.next("first"), Next::Gap(gap) if gap.from.sequence == 50));
    }

    #[test]
    fn what_is_taken_first_goes_into_memory_first() {
        let most = 10 * entry(0).bytes();
        let mut queues = Queues::new(most);
        let name: Arc<str> = Arc::from("host");
        queues.add(0, &name, 7, (0..20).map(entry).collect());
        queues.add(0, &name, 3, (20..24).map(entry).collect());
        let Next::Gap(gap) = queues.next("host") else { panic!("all memory is taken") };
        assert_eq!((gap.from.precedence, gap.from.sequence), (3, 20));
        queues.refill(gap, (20..24).map(entry).collect());
        queues.make_room();
        assert_eq!((queues.ahead_bytes, queues.waiting), (most, 24));
        for sequence in (20..24).chain(0..6) {
            assert!(matches!(queues.next("host"), Next::Turn(id, ..) if id.sequence == sequence));
        }
        assert!(matches!(queues.next("host"), Next::Gap(gap) if gap.from.sequence == 6));
    }
}
