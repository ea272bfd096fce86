//! The gate's memory and its rules, without a lock, a clock or a wait: every question comes with the time.
//!
//! A host that something is wanted of stands in one of three places. *Ready*: in order of the time from which it may be
//! asked, so that the one ready for longest is first. *Blocked*: its time has come, but its address has all the requests it
//! may have; when one ends, the one blocked for longest is ready again. *Away*: it has all the requests it may have itself;
//! when one ends, it is ready after its pause. So a host with a million requests waits its pause like any other and stands
//! behind those that became ready meanwhile. A host that several users want something of stands there for each of them.
//!
//! Each user has settings of its own. For a host, and for an address, the strictest hold of those users that have to do with it: that
//! wait for it or have a request under way.
//!
//! Claims and the queue take turns: see [`super::alternation`].

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use super::address::Addresses;
use super::alternation::Side;
use super::host::{HostId, Hosts, Nanos, Place};
use super::interests::{Line, User};
use super::settings::{Pace, Settings};
use super::users::Users;
use super::{Counts, Went, When};

/// Leave to make one request.
#[derive(Debug)]
pub(super) struct Grant {
    pub(super) host: HostId,
    pub(super) user: User,
    pub(super) name: Arc<str>,
    pub(super) address: Option<(u32, IpAddr)>,
    pub(super) started: Nanos,
}

/// What [`Ledger::next`] says.
#[derive(Debug)]
pub(super) enum Answer {
    Go(Grant),
    WaitUntil(Nanos),
    Busy,
    Idle,
}

/// Everything that is known.
#[derive(Debug)]
pub(super) struct Ledger {
    pub(super) users: Users,
    pub(super) hosts: Hosts,
    pub(super) addresses: Addresses,
    pub(super) lines: HashMap<User, Line, foldhash::fast::RandomState>,
    /// Hosts of which nothing is wanted, and that are in their pause.
    pub(super) resting: BTreeSet<(Nanos, HostId)>,
    /// Hosts of which nothing is wanted, and that could be asked.
    pub(super) remembered: BTreeSet<(Nanos, HostId)>,
    /// Grants that were dropped. Nobody knew the time then; the next to ask does.
    pub(super) dropped: Vec<Grant>,
    /// The latest time that anybody has told.
    pub(super) now: Nanos,
    pub(super) order: u64,
    /// Hosts that something is wanted of.
    pub(super) wanting: usize,
    pub(super) active: usize,
}

impl Ledger {
    /// A ledger for one user.
    pub(super) fn new(settings: Settings) -> (Ledger, User) {
        let (users, first) = Users::new(settings);
        let ledger = Ledger {
            users,
            hosts: Hosts::default(),
            addresses: Addresses::default(),
            lines: HashMap::default(),
            resting: BTreeSet::new(),
            remembered: BTreeSet::new(),
            dropped: Vec::new(),
            now: 0,
            order: 0,
            wanting: 0,
            active: 0,
        };
        (ledger, first)
    }

    /// So many more requests are wanted of a host. Says whether it is at another address than before.
    pub(super) fn want(
        &mut self,
        user: User,
        name: &str,
        ip: Option<IpAddr>,
        count: u32,
        now: Nanos,
    ) -> bool {
        let id = self.find_or_add(name, now);
        let has_moved = self.move_to(id, ip);
        self.set_waiting(id, user, |waiting| waiting.saturating_add(count));
        self.settle(id, now);
        has_moved
    }

    /// A user wants nothing of a host any more. Says how many requests it did.
    pub(super) fn leave(&mut self, user: User, name: &str, now: Nanos) -> u32 {
        let Some(id) = self.find(name, now) else { return 0 };
        let before = self.set_waiting(id, user, |_| 0);
        self.settle(id, now);
        before
    }

    /// A user waits for no host any more.
    pub(super) fn leave_all(&mut self, user: User, now: Nanos) {
        self.catch_up(now);
        for id in self.hosts.wanted_by(user) {
            self.set_waiting(id, user, |_| 0);
            self.settle(id, self.now);
        }
    }

    /// A user is gone, and whatever it wanted.
    pub(super) fn abandon(&mut self, user: User) {
        for id in self.hosts.wanted_by(user) {
            self.set_waiting(id, user, |_| 0);
            self.settle(id, self.now);
        }
        let has_requests = self.dropped.iter().any(|grant| grant.user == user);
        self.users.leave(user, has_requests);
    }

    /// How many hosts a user wants something of.
    pub(super) fn wanting(&self, user: User) -> usize {
        self.lines.get(&user).map_or(0, |line| line.wanting)
    }

    /// Lets the next request of a user in, or says when to ask again.
    pub(super) fn next(&mut self, user: User, now: Nanos) -> Answer {
        self.catch_up(now);
        if let Some(line) = self.lines.get_mut(&user) {
            line.asked_at = now;
        }
        while let Some(turn) = self.lines.get(&user).and_then(|line| line.ready.first().copied()) {
            if turn.at > now {
                return Answer::WaitUntil(turn.at);
            }
            self.step_out(turn);
            let address = self.hosts.get(turn.host).and_then(|host| host.address);
            if let Some(address) = address.filter(|id| self.room(*id) == 0) {
                self.block(turn, address);
                continue;
            }
            self.place(turn.host, Place::Away);
            let grant = self.grant(turn.host, user, Side::Queue, now);
            self.set_waiting(turn.host, user, |waiting| waiting.saturating_sub(1));
            self.settle(turn.host, now);
            if let Some(grant) = grant {
                return Answer::Go(grant);
            }
        }
        // A line is gone when nothing is wanted any more.
        if self.lines.contains_key(&user) { Answer::Busy } else { Answer::Idle }
    }

    /// A request has ended.
    pub(super) fn finish(&mut self, grant: Grant, went: Went, now: Nanos) {
        self.catch_up(now);
        self.end(&grant, went, now);
    }

    /// A grant went away without a word.
    pub(super) fn lost(&mut self, grant: Grant, is_sent: bool) {
        if is_sent {
            self.dropped.push(grant);
        } else {
            self.end(&grant, Went::Unused, self.now);
        }
    }

    /// Says whether a host could be asked now by those that have to do with it, and by this user.
    pub(super) fn when(&self, user: User, name: &str, now: Nanos) -> When {
        let Some(host) = self.hosts.find(name).and_then(|id| self.hosts.get(id)) else {
            return When::Now;
        };
        if host.active >= self.at_once(host).min(self.users.at_once(user, name)) {
            When::Busy
        } else if host.ready_at > now {
            When::At(Duration::from_nanos(host.ready_at))
        } else if host.address.is_some_and(|address| !self.has_room(address)) {
            When::Busy
        } else {
            When::Now
        }
    }

    /// Sets the `Crawl-delay` that a user has read in robots.txt. The longest one holds: each user changes only its own, and those of users who
    /// are gone hold until another user has read the file.
    pub(super) fn set_crawl_delay(&mut self, user: User, name: &str, delay: Option<Duration>, now: Nanos) {
        let known = self.find(name, now);
        let Some(id) = known.or_else(|| delay.map(|_| self.hosts.find_or_add(name))) else { return };
        let ms = delay.map(|delay| (user, u32::try_from(delay.as_millis()).unwrap_or(u32::MAX)));
        if let Some(host) = self.hosts.get_mut(id) {
            host.crawl_delays.retain(|(reader, _)| *reader != user && self.users.has(*reader));
            host.crawl_delays.extend(ms);
        }
        self.apply_pause(id);
        self.settle(id, now);
    }

    /// Somebody has decided how this host is to be treated.
    pub(super) fn set_pace(&mut self, user: User, name: &str, pace: Option<Pace>, now: Nanos) {
        // Looked up first: the new pause does not bring back a host whose time to be forgotten has come.
        let known = self.find(name, now);
        self.users.set_pace(user, name, pace);
        if let Some(id) = known {
            self.apply_pause(id);
            self.settle(id, now);
        }
    }

    pub(super) fn counts(&self) -> Counts {
        Counts {
            users: self.users.len(),
            hosts: self.hosts.len(),
            addresses: self.addresses.len(),
            wanting: self.wanting,
            active: self.active,
            remembered: self.resting.len() + self.remembered.len(),
        }
    }
}
