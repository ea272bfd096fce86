//! How hosts move between the places of the [`Ledger`]: the steps that its questions are made of.

use std::net::IpAddr;
use std::sync::Arc;

use super::Went;
use super::alternation::Side;
use super::host::{HostId, Nanos, Place, Turn, nanos};
use super::interests::User;
use super::ledger::{Grant, Ledger};

/// Hosts whose pause is over, and hosts that are forgotten, whenever something happens: more than can come to be at once.
const FORGET_AT_ONCE: usize = 2;

impl Ledger {
    /// What became due since the last question: dropped grants, hosts to be forgotten.
    pub(super) fn catch_up(&mut self, now: Nanos) {
        self.now = self.now.max(now);
        if !self.dropped.is_empty() {
            for grant in std::mem::take(&mut self.dropped) {
                self.end(&grant, Went::GivenUp, now);
            }
            self.users.forget_gone();
        }
        for _ in 0..FORGET_AT_ONCE {
            match self.resting.first().copied() {
                Some((at, id)) if at <= now => self.retire(id, now),
                _ => break,
            }
        }
        for _ in 0..FORGET_AT_ONCE {
            match self.remembered.first().copied() {
                Some((at, id)) if at <= now => self.forget(id),
                _ => break,
            }
        }
    }

    /// A host that is known and not due to be forgotten.
    pub(super) fn find(&mut self, name: &str, now: Nanos) -> Option<HostId> {
        self.catch_up(now);
        let id = self.hosts.find(name)?;
        match self.hosts.get(id)?.place {
            Place::Resting { until: at, memory } | Place::Remembered(at @ memory)
                if at.max(memory) <= now =>
            {
                self.forget(id);
                None
            }
            _ => Some(id),
        }
    }

    pub(super) fn find_or_add(&mut self, name: &str, now: Nanos) -> HostId {
        self.find(name, now).unwrap_or_else(|| self.hosts.find_or_add(name))
    }

    /// Puts a host where it belongs, after anything about it has changed.
    pub(super) fn settle(&mut self, id: HostId, now: Nanos) {
        let Some(host) = self.hosts.get(id) else { return };
        let is_wanted = host.interests.has_waiting();
        let is_queues_turn = host.claims == 0 || host.alternation.is_for_queue();
        let wants_turn = is_wanted && is_queues_turn && host.active < self.at_once(host);
        let is_idle = !is_wanted && host.claims == 0 && host.active == 0;
        let ready_at = host.ready_at;
        if let Place::Ready(turn) | Place::Blocked(turn) = host.place
            && wants_turn
            && turn.at >= ready_at
        {
            return;
        }
        self.take_away(id);
        if wants_turn {
            self.order += 1;
            let turn = Turn { at: ready_at.max(now), order: self.order, host: id };
            self.line_up(turn);
        } else if is_idle {
            self.retire(id, now);
        }
    }

    /// Lets one request in. The host is to be settled afterwards.
    pub(super) fn grant(&mut self, id: HostId, user: User, side: Side, now: Nanos) -> Option<Grant> {
        self.take_turn(id, side);
        let host = self.hosts.get_mut(id)?;
        host.active = host.active.saturating_add(1);
        let (name, address) = (Arc::clone(&host.name), host.address);
        self.change_interest(id, user, |interest| interest.active = interest.active.saturating_add(1));
        let address = address.and_then(|id| {
            let address = self.addresses.get_mut(id)?;
            address.active = address.active.saturating_add(1);
            let ip = address.ip;
            self.addresses.add_limit(id, self.users.per_address(user));
            Some((self.addresses.take(ip), ip))
        });
        self.active += 1;
        Some(Grant { host: id, user, name, address, started: now })
    }

    /// One request has ended.
    pub(super) fn end(&mut self, grant: &Grant, went: Went, now: Nanos) {
        self.active = self.active.saturating_sub(1);
        if let Some(host) = self.hosts.get_mut(grant.host) {
            host.active = host.active.saturating_sub(1);
        }
        if went != Went::Unused {
            self.learn(grant, went, now);
        }
        self.change_interest(grant.host, grant.user, |interest| {
            interest.active = interest.active.saturating_sub(1);
        });
        if let Some((id, _)) = grant.address {
            if let Some(address) = self.addresses.get_mut(id) {
                address.active = address.active.saturating_sub(1);
            }
            self.drop_limit(id, grant.user);
        }
        self.settle(grant.host, now);
        if let Some((id, _)) = grant.address {
            self.promote(id);
            self.addresses.release(id);
        }
    }

    /// What a request says of its host. One that was given up says nothing of how the host is: it was perhaps sent, so the host has its
    /// pause, and failures stay what they are.
    fn learn(&mut self, grant: &Grant, went: Went, now: Nanos) {
        let Some(host) = self.hosts.get_mut(grant.host) else { return };
        let took = now.saturating_sub(grant.started);
        host.ended_at = Some(now);
        host.took = if went == Went::GivenUp { host.took.max(took) } else { took };
        match went {
            Went::Answered { status: 429 | 503, .. } | Went::Failed => {
                host.failures = host.failures.saturating_add(1);
            }
            Went::Answered { .. } => host.failures = host.failures.saturating_sub(1),
            Went::GivenUp | Went::Unused => {}
        }
        if let Went::Answered { retry_after: Some(wait), .. } = went {
            let each =
                host.interests.each().map(|interest| self.users.settings(interest.user).retry_after_max);
            let wait = nanos(wait.min(each.max().unwrap_or_default()));
            host.ready_at = host.ready_at.max(now.saturating_add(wait));
        }
        self.apply_pause(grant.host);
    }

    /// Leaves a host alone for as long as its last request, its failures and the strictest of those that have to do with it ask for.
    pub(super) fn apply_pause(&mut self, id: HostId) {
        let Some(host) = self.hosts.get_mut(id) else { return };
        let Some(ended_at) = host.ended_at else { return };
        let pause = host.interests.each().map(|interest| self.users.pause(interest.user, host)).max();
        let ready_at = ended_at.saturating_add(nanos(pause.unwrap_or_default()));
        host.ready_at = host.ready_at.max(ready_at);
    }

    /// There may be room at an address: the host that has been blocked for longest is ready again, for each user one,
    /// because nobody knows which of them will ask. So whoever has hosts blocked at an address has as many ready there as there
    /// is room, and is never told to wait for a turn that is only another's.
    ///
    /// Says whether one is.
    pub(super) fn promote(&mut self, address: u32) -> bool {
        if self.room(address) == 0 {
            return false;
        }
        let Some(found) = self.addresses.get(address) else { return false };
        let turns: Vec<Turn> = found.blocked.values().filter_map(|turns| turns.first().copied()).collect();
        let is_any = !turns.is_empty();
        for turn in turns.iter().copied() {
            // Two users may wait for the same host.
            if self.hosts.get(turn.host).is_some_and(|host| host.place == Place::Blocked(turn)) {
                self.unblock(turn, address);
                self.line_up(turn);
            }
        }
        if let Some(address) = self.addresses.get_mut(address).filter(|_| is_any) {
            address.promised = turns;
        }
        is_any
    }

    /// A host is ready when its turn comes, for all that want it.
    fn line_up(&mut self, turn: Turn) {
        self.place(turn.host, Place::Ready(turn));
        let users = self.hosts.get(turn.host).into_iter().flat_map(|host| host.interests.waiting_users());
        for user in users {
            self.lines.entry(user).or_default().ready.insert(turn);
        }
    }

    /// Takes a turn out of all lines.
    pub(super) fn step_out(&mut self, turn: Turn) {
        let users = self.hosts.get(turn.host).into_iter().flat_map(|host| host.interests.waiting_users());
        for user in users {
            if let Some(line) = self.lines.get_mut(&user) {
                line.ready.remove(&turn);
            }
        }
    }

    /// A host's time has come, and its address is busy.
    pub(super) fn block(&mut self, turn: Turn, address: u32) {
        self.place(turn.host, Place::Blocked(turn));
        let users = self.hosts.get(turn.host).into_iter().flat_map(|host| host.interests.waiting_users());
        if let Some(address) = self.addresses.get_mut(address) {
            for user in users {
                address.blocked.entry(user).or_default().insert(turn);
            }
        }
    }

    fn unblock(&mut self, turn: Turn, address: u32) {
        let users = self.hosts.get(turn.host).into_iter().flat_map(|host| host.interests.waiting_users());
        if let Some(address) = self.addresses.get_mut(address) {
            for user in users {
                if let Some(turns) = address.blocked.get_mut(&user) {
                    turns.remove(&turn);
                    if turns.is_empty() {
                        address.blocked.remove(&user);
                    }
                }
            }
        }
    }

    /// A host is at this address now; `None` says nothing new. Says whether it is another one than before.
    pub(super) fn move_to(&mut self, id: HostId, ip: Option<IpAddr>) -> bool {
        let Some((ip, host)) = ip.and_then(|ip| Some((ip, self.hosts.get(id)?))) else { return false };
        let before = host.address;
        if before.and_then(|id| self.addresses.get(id)).is_some_and(|address| address.ip == ip) {
            return false;
        }
        let waiting = host.interests.each().filter(|interest| interest.is_waiting());
        let users: Vec<User> = waiting.map(|interest| interest.user).collect();
        self.take_away(id);
        let address = self.addresses.take(ip);
        if let Some(host) = self.hosts.get_mut(id) {
            host.address = Some(address);
        }
        for user in &users {
            self.addresses.add_limit(address, self.users.per_address(*user));
        }
        if let Some(before) = before {
            users.iter().for_each(|user| self.drop_limit(before, *user));
            self.addresses.release(before);
        }
        before.is_some()
    }

    /// Changes how many requests of a user wait for a host. Says how many did before.
    pub(super) fn set_waiting(&mut self, id: HostId, user: User, change: impl FnOnce(u32) -> u32) -> u32 {
        let Some(host) = self.hosts.get(id) else { return 0 };
        let before = host.interests.of(user).waiting;
        let after = change(before);
        if (before > 0) == (after > 0) {
            self.change_interest(id, user, |interest| interest.waiting = after);
            return before;
        }
        // Who begins or ceases to want a host begins or ceases to stand in line for it.
        let (place, address, was_wanted) = (host.place, host.address, host.interests.has_waiting());
        match (place, address) {
            (Place::Ready(turn), _) => self.step_out(turn),
            (Place::Blocked(turn), Some(address)) => self.unblock(turn, address),
            _ => {}
        }
        self.change_interest(id, user, |interest| interest.waiting = after);
        let is_wanted = self.hosts.get(id).is_some_and(|host| host.interests.has_waiting());
        match (place, address) {
            (Place::Ready(turn), _) => {
                self.line_up(turn);
                // For who ceases to want it, it may have been the one that was to use the room at its address.
                if let Some(address) = address.filter(|_| after == 0) {
                    self.promote(address);
                }
            }
            // The room is kept for a host that who begins to want this one may not want.
            (Place::Blocked(turn), Some(address)) if self.room(address) > 0 => self.line_up(turn),
            (Place::Blocked(turn), Some(address)) => self.block(turn, address),
            _ => {}
        }
        self.count(user, after > 0);
        match (was_wanted, is_wanted) {
            (false, true) => self.wanting += 1,
            (true, false) => self.wanting = self.wanting.saturating_sub(1),
            _ => {}
        }
        before
    }

    /// A user wants something of one host more, or of one less.
    fn count(&mut self, user: User, more: bool) {
        let line = self.lines.entry(user).or_default();
        line.wanting = if more { line.wanting + 1 } else { line.wanting.saturating_sub(1) };
        if line.wanting == 0 {
            self.lines.remove(&user);
        }
    }

    pub(super) fn place(&mut self, id: HostId, place: Place) {
        if let Some(host) = self.hosts.get_mut(id) {
            host.place = place;
        }
    }

    /// How many more requests from the queue an address may have: those that wait outside it go first unless it is the queue's turn.
    pub(super) fn room(&self, address: u32) -> u16 {
        self.addresses.get(address).map_or(u16::MAX, |address| {
            let limit = address.limit().unwrap_or(self.users.base().per_address.max(1));
            let claims = if address.alternation.is_for_queue() { 0 } else { address.claims };
            limit.saturating_sub(address.active.saturating_add(claims))
        })
    }

    /// Whether an address may have one more request, whoever waits for it.
    pub(super) fn has_room(&self, address: u32) -> bool {
        self.addresses.get(address).is_none_or(|address| {
            address.active < address.limit().unwrap_or(self.users.base().per_address.max(1))
        })
    }

    /// Takes a host out of whatever place it is in. Another that shares its address may be ready instead.
    fn take_away(&mut self, id: HostId) {
        let Some(host) = self.hosts.get_mut(id) else { return };
        let (place, address) = (std::mem::replace(&mut host.place, Place::Away), host.address);
        match place {
            Place::Away => {}
            Place::Ready(turn) => {
                self.step_out(turn);
                if let Some(address) = address {
                    self.promote(address);
                }
            }
            Place::Blocked(turn) => {
                if let Some(address) = address {
                    self.unblock(turn, address);
                }
            }
            Place::Resting { until, .. } => {
                self.resting.remove(&(until, id));
            }
            Place::Remembered(at) => {
                self.remembered.remove(&(at, id));
            }
        }
    }

    /// Keeps a host that no user waits for: always until its own pause is over, then until the longest pause of all users is over, so that a
    /// stricter user who asks next finds the time of the last request. Failures and `Crawl-delay` are kept for longer. The last two are
    /// limited to `remembered_max` hosts each.
    fn retire(&mut self, id: HostId, now: Nanos) {
        let Some(host) = self.hosts.get(id) else { return };
        let matters = host.failures > 0 || !host.crawl_delays.is_empty();
        let memory = match host.place {
            Place::Resting { memory, .. } => memory,
            _ if matters => now.saturating_add(nanos(self.users.base().remember)),
            _ => 0,
        };
        let longest_pause_end = host
            .ended_at
            .filter(|_| self.resting.len() < self.users.base().remembered_max)
            .map_or(0, |ended_at| ended_at.saturating_add(nanos(self.users.longest_pause(host))));
        let until = host.ready_at.max(longest_pause_end);
        self.take_away(id);
        if until > now {
            self.resting.insert((until, id));
            self.place(id, Place::Resting { until, memory });
        } else if memory > now {
            self.remembered.insert((memory, id));
            self.place(id, Place::Remembered(memory));
        } else {
            self.forget(id);
        }
        while self.remembered.len() > self.users.base().remembered_max {
            let Some((_, id)) = self.remembered.first().copied() else { break };
            self.forget(id);
        }
    }

    fn forget(&mut self, id: HostId) {
        self.take_away(id);
        if let Some(address) = self.hosts.remove(id).and_then(|host| host.address) {
            self.addresses.release(address);
        }
    }
}
