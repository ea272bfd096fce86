//! What the gate knows of one host, and the table of all of them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::alternation::Alternation;
use super::interests::{Interests, User};

/// Nanoseconds since the caller's epoch: half the size of a [`Duration`], and enough for five centuries.
pub(super) type Nanos = u64;

pub(super) fn nanos(time: Duration) -> Nanos {
    Nanos::try_from(time.as_nanos()).unwrap_or(Nanos::MAX)
}

/// The place of a host in the table. It is another host's once this one is forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct HostId(u32);

/// When a host's turn is; the earliest comes first, and of two the one that asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    pub(super) at: Nanos,
    pub(super) order: u64,
    pub(super) host: HostId,
}

/// Where a host waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Nowhere: nothing is wanted of it, or it has all the requests it may have, or somebody is about to go in.
    Away,
    /// Among those that go in when their time has come.
    Ready(Turn),
    /// Its time has come, but its address is busy.
    Blocked(Turn),
    /// Nothing is wanted of it any more, and it must be left alone until then; what else is known matters until `memory`.
    Resting { until: Nanos, memory: Nanos },
    /// Nothing is wanted of it any more, and at this time it is forgotten.
    Remembered(Nanos),
}

/// One host.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) name: Arc<str>,
    pub(super) place: Place,
    pub(super) address: Option<u32>,
    /// Not to be asked before.
    pub(super) ready_at: Nanos,
    /// When the last request ended, if there was one.
    pub(super) ended_at: Option<Nanos>,
    /// How long that one took.
    pub(super) took: Nanos,
    /// Who has to do with it.
    pub(super) interests: Interests,
    /// Requests of all users that are under way.
    pub(super) active: u16,
    /// Those of all users that wait by themselves, outside the queue.
    pub(super) claims: u16,
    /// Whether the queue or a claim goes in next.
    pub(super) alternation: Alternation,
    /// Failures that no success has made good.
    pub(super) failures: u8,
    /// The `Crawl-delay` that each user has read in robots.txt, in milliseconds. Nearly always there is none.
    pub(super) crawl_delays: Vec<(User, u32)>,
}

impl Host {
    fn new(name: Arc<str>) -> Host {
        Host {
            name,
            place: Place::Away,
            address: None,
            ready_at: 0,
            ended_at: None,
            took: 0,
            interests: Interests::default(),
            active: 0,
            claims: 0,
            alternation: Alternation::default(),
            failures: 0,
            crawl_delays: Vec::new(),
        }
    }

    /// The longest `Crawl-delay` that a user has read.
    pub(super) fn crawl_delay(&self) -> Option<Duration> {
        let longest = self.crawl_delays.iter().map(|(_, ms)| *ms).max()?;
        Some(Duration::from_millis(longest.into()))
    }
}

/// All hosts, by name and by place. Places of hosts that were forgotten are used again.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    by_name: HashMap<Arc<str>, HostId>,
    places: Vec<Option<Host>>,
    free: Vec<HostId>,
}

impl Hosts {
    pub(super) fn find(&self, name: &str) -> Option<HostId> {
        self.by_name.get(name).copied()
    }

    pub(super) fn find_or_add(&mut self, name: &str) -> HostId {
        if let Some(id) = self.find(name) {
            return id;
        }
        let name: Arc<str> = name.into();
        let host = Some(Host::new(Arc::clone(&name)));
        let id = match self.free.pop() {
            Some(id) => {
                if let Some(place) = self.places.get_mut(id.0 as usize) {
                    *place = host;
                }
                id
            }
            None => {
                self.places.push(host);
                HostId(u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX))
            }
        };
        self.by_name.insert(name, id);
        id
    }

    pub(super) fn get(&self, id: HostId) -> Option<&Host> {
        self.places.get(id.0 as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, id: HostId) -> Option<&mut Host> {
        self.places.get_mut(id.0 as usize)?.as_mut()
    }

    pub(super) fn remove(&mut self, id: HostId) -> Option<Host> {
        let host = self.places.get_mut(id.0 as usize)?.take()?;
        self.by_name.remove(&host.name);
        self.free.push(id);
        Some(host)
    }

    pub(super) fn len(&self) -> usize {
        self.by_name.len()
    }

    /// All hosts that a user wants something of.
    pub(super) fn wanted_by(&self, user: User) -> Vec<HostId> {
        let is_wanted = |id: &HostId| self.get(*id).is_some_and(|host| host.interests.of(user).waiting > 0);
        self.by_name.values().copied().filter(is_wanted).collect()
    }
}
