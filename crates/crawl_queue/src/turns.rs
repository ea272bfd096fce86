//! The queue of crawls, and whose turn it is.
//!
//! A crawl is in one of three places: in `due`, ordered by when its turn comes; at a busy domain that it has to wait for; or
//! running. When a domain becomes free, only the first of those who wait for it goes back to `due`: it will take the domain, or
//! pass it on. So an end costs a few steps, however many wait.
//!
//! Each time comes from the caller's clock. When that clock goes back, no crawl waits longer than its own interval from then on.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::{SignedDuration, Timestamp};

use crate::crawl::Crawl;

/// A crawl that was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u64);

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// This one is to be started now, and counts as running from here on.
    Start(Id),
    /// Nobody before this time, unless one ends or is added.
    WaitUntil(Timestamp),
    /// Nobody until one ends or is added.
    Busy,
    /// Nothing runs, and nothing will ever be due.
    Done,
}

/// How many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Crawls that run.
    pub running: usize,
    /// Crawls whose turn is to come.
    pub waiting: usize,
}

/// The queue.
#[derive(Debug)]
pub struct Turns {
    running_max: usize,
    last_id: u64,
    crawls: BTreeMap<Id, Entry>,
    /// Who is to be looked at, and not before when.
    due: BTreeSet<(Timestamp, Id)>,
    /// Who waits for a domain that is busy, the longest due first.
    waiting: HashMap<String, BTreeSet<(Timestamp, Id)>>,
    /// Domains of the crawls that run.
    busy: BTreeSet<String>,
    running: usize,
    /// The latest time that the caller has given.
    now: Timestamp,
}

#[derive(Debug)]
struct Entry {
    crawl: Crawl,
    due: Timestamp,
    /// The longest time from now to its turn.
    wait: SignedDuration,
    is_running: bool,
}

impl Turns {
    /// An empty queue for so many crawls at once; at least one.
    #[must_use]
    pub fn new(running_max: usize) -> Turns {
        Turns {
            running_max: running_max.max(1),
            last_id: 0,
            crawls: BTreeMap::new(),
            due: BTreeSet::new(),
            waiting: HashMap::new(),
            busy: BTreeSet::new(),
            running: 0,
            now: Timestamp::MIN,
        }
    }

    /// Puts a crawl at the end of the queue; its first turn is due now.
    pub fn add(&mut self, crawl: Crawl, now: Timestamp) -> Id {
        self.set_time(now);
        self.last_id += 1;
        let id = Id(self.last_id);
        self.crawls.insert(id, Entry { crawl, due: now, wait: SignedDuration::ZERO, is_running: false });
        self.due.insert((now, id));
        id
    }

    /// Whose turn it is. Ask again until it is nobody's.
    #[must_use = "a crawl that is to be started counts as running"]
    pub fn next(&mut self, now: Timestamp) -> Next {
        self.set_time(now);
        if self.running >= self.running_max {
            return Next::Busy;
        }
        while let Some((at, id)) = self.due.first().copied() {
            if at > now {
                return Next::WaitUntil(at);
            }
            self.due.remove(&(at, id));
            if self.take(id) {
                return Next::Start(id);
            }
        }
        if self.running == 0 { Next::Done } else { Next::Busy }
    }

    /// A crawl has ended, well or not. It leaves the queue, or comes again at the next of its times, which is said.
    pub fn ended(&mut self, id: Id, now: Timestamp) -> Option<Timestamp> {
        self.set_time(now);
        if !self.free(id) {
            return None;
        }
        let next = self.crawls.get(&id).and_then(|entry| entry.crawl.next_due(entry.due, now));
        match (next, self.crawls.get_mut(&id)) {
            (Some(due), Some(entry)) => {
                (entry.due, entry.wait) = (due, entry.crawl.interval());
                self.due.insert((due, id));
            }
            _ => drop(self.crawls.remove(&id)),
        }
        next
    }

    /// A crawl that was to be started cannot run before this time: somebody else is on its domain.
    pub fn postpone(&mut self, id: Id, until: Timestamp) {
        if self.free(id) {
            // When it was due stays as it is: that decides when it comes again.
            self.due.insert((until, id));
            if let Some(entry) = self.crawls.get_mut(&id) {
                entry.wait = until.duration_since(self.now).max(SignedDuration::ZERO);
            }
        }
    }

    /// How many run and wait.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts { running: self.running, waiting: self.crawls.len() - self.running }
    }

    /// Notes the time. A clock that went back had been ahead, or is behind now: what would wait for longer than its interval is due now.
    fn set_time(&mut self, now: Timestamp) {
        let is_back = now < self.now;
        self.now = now;
        if !is_back {
            return;
        }
        let latest = |wait| now.checked_add(wait).unwrap_or(Timestamp::MAX);
        let sooner = |(at, id): (Timestamp, Id), crawls: &BTreeMap<Id, Entry>| {
            let wait = crawls.get(&id).map_or(SignedDuration::ZERO, |entry| entry.wait);
            (if at > latest(wait) { now } else { at }, id)
        };
        let crawls = &self.crawls;
        self.due = self.due.iter().map(|turn| sooner(*turn, crawls)).collect();
        for all in self.waiting.values_mut() {
            *all = all.iter().map(|turn| sooner(*turn, crawls)).collect();
        }
        for entry in self.crawls.values_mut().filter(|entry| entry.due > latest(entry.wait)) {
            entry.due = now;
        }
    }

    /// Starts a crawl if all its domains are free; else it waits for one that is not.
    fn take(&mut self, id: Id) -> bool {
        let Some(entry) = self.crawls.get_mut(&id) else { return false };
        let domains: Vec<String> = entry.crawl.domains().map(str::to_owned).collect();
        let due = entry.due;
        match domains.iter().find(|domain| self.busy.contains(*domain)) {
            None => {
                entry.is_running = true;
                self.running += 1;
                self.busy.extend(domains);
                true
            }
            Some(busy) => {
                self.waiting.entry(busy.clone()).or_default().insert((due, id));
                // It may have been called because one of the others was free: that is the next one's chance.
                domains.iter().filter(|domain| !self.busy.contains(*domain)).for_each(|domain| {
                    call(&mut self.waiting, &mut self.due, domain);
                });
                false
            }
        }
    }

    /// Takes a crawl out of those that run, and calls whoever waits for its domains. `false` if it does not run.
    fn free(&mut self, id: Id) -> bool {
        let Some(entry) = self.crawls.get_mut(&id).filter(|entry| entry.is_running) else { return false };
        entry.is_running = false;
        self.running -= 1;
        for domain in entry.crawl.domains() {
            self.busy.remove(domain);
            call(&mut self.waiting, &mut self.due, domain);
        }
        true
    }
}

/// Lets the first of those who wait for a domain try again.
fn call(
    waiting: &mut HashMap<String, BTreeSet<(Timestamp, Id)>>,
    due: &mut BTreeSet<(Timestamp, Id)>,
    domain: &str,
) {
    let Some(all) = waiting.get_mut(domain) else { return };
    due.extend(all.pop_first());
    if all.is_empty() {
        waiting.remove(domain);
    }
}
