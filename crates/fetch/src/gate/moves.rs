//! How hosts move between the places of the [`Ledger`]: the steps that its questions are made of.

use std::net::IpAddr;
use std::sync::Arc;

use super::Went;
use super::host::{HostId, Nanos, Place, Turn, nanos};
use super::ledger::{Grant, Ledger};
use super::wants::User;

/// Hosts whose pause is over, and hosts that are forgotten, whenever something happens: more than can come to be at once.
const FORGET_AT_ONCE: usize = 2;

impl Ledger {
    /// What became due since the last question: dropped grants, hosts to be forgotten.
    pub(super) fn catch_up(&mut self, now: Nanos) {
        self.now = self.now.max(now);
        for grant in std::mem::take(&mut self.dropped) {
            self.end(&grant, None, now);
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
        let wants_turn = !host.wants.is_empty() && host.claims == 0 && host.active < self.at_once(&host.name);
        let is_idle = host.wants.is_empty() && host.claims == 0 && host.active == 0;
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

    /// Lets one request in.
    pub(super) fn grant(&mut self, id: HostId, now: Nanos) -> Option<Grant> {
        let host = self.hosts.get_mut(id)?;
        host.active = host.active.saturating_add(1);
        let (name, address) = (Arc::clone(&host.name), host.address);
        let address = address.and_then(|id| {
            let address = self.addresses.get_mut(id)?;
            address.active = address.active.saturating_add(1);
            let ip = address.ip;
            Some((self.addresses.take(ip), ip))
        });
        self.active += 1;
        self.settle(id, now);
        Some(Grant { host: id, name, address, started: now })
    }

    /// One request has ended; `None` where nobody knows how.
    pub(super) fn end(&mut self, grant: &Grant, went: Option<Went>, now: Nanos) {
        self.active = self.active.saturating_sub(1);
        if let Some(host) = self.hosts.get_mut(grant.host) {
            host.active = host.active.saturating_sub(1);
            if went != Some(Went::Unused) {
                host.ended_at = Some(now);
                host.took = now.saturating_sub(grant.started);
            }
            match went {
                Some(Went::Answered { status: 429 | 503, .. } | Went::Failed) => {
                    host.failures = host.failures.saturating_add(1);
                }
                Some(Went::Answered { .. }) => host.failures = host.failures.saturating_sub(1),
                Some(Went::Unused) | None => {}
            }
            if let Some(Went::Answered { retry_after: Some(wait), .. }) = went {
                let wait = nanos(wait.min(self.settings.retry_after_max));
                host.ready_at = host.ready_at.max(now.saturating_add(wait));
            }
        }
        if went != Some(Went::Unused) {
            self.apply_pause(grant.host);
        }
        if let Some(address) = grant.address.and_then(|(id, _)| self.addresses.get_mut(id)) {
            address.active = address.active.saturating_sub(1);
        }
        self.settle(grant.host, now);
        if let Some((id, _)) = grant.address {
            self.promote(id);
            self.addresses.release(id);
        }
    }

    /// Leaves a host alone for as long as its last request, its failures and its wishes ask for.
    pub(super) fn apply_pause(&mut self, id: HostId) {
        let Some(host) = self.hosts.get(id) else { return };
        let Some(ended_at) = host.ended_at else { return };
        let took = std::time::Duration::from_nanos(host.took);
        let pause = self.settings.pause(took, host.crawl_delay(), self.hosts.pace(&host.name));
        let pause = nanos(pause.max(self.settings.backoff(host.failures)));
        if let Some(host) = self.hosts.get_mut(id) {
            host.ready_at = host.ready_at.max(ended_at.saturating_add(pause));
        }
    }

    /// There may be room at an address: the host that has been blocked for longest is ready again, for each user one,
    /// because nobody knows which of them will ask. So whoever has hosts blocked at an address has as many ready there as there
    /// is room, and is never told to wait for a turn that is only another's.
    pub(super) fn promote(&mut self, address: u32) {
        if !self.has_room(address, true) {
            return;
        }
        let Some(found) = self.addresses.get(address) else { return };
        let turns: Vec<Turn> = found.blocked.values().filter_map(|turns| turns.first().copied()).collect();
        for turn in turns {
            // Two users may wait for the same host.
            if self.hosts.get(turn.host).is_some_and(|host| host.place == Place::Blocked(turn)) {
                self.unblock(turn, address);
                self.line_up(turn);
            }
        }
    }

    /// A host is ready when its turn comes, for all that want it.
    fn line_up(&mut self, turn: Turn) {
        self.place(turn.host, Place::Ready(turn));
        let users = self.hosts.get(turn.host).into_iter().flat_map(|host| host.wants.users());
        for user in users {
            self.lines.entry(user).or_default().ready.insert(turn);
        }
    }

    /// Takes a turn out of all lines.
    pub(super) fn step_out(&mut self, turn: Turn) {
        let users = self.hosts.get(turn.host).into_iter().flat_map(|host| host.wants.users());
        for user in users {
            if let Some(line) = self.lines.get_mut(&user) {
                line.ready.remove(&turn);
            }
        }
    }

    /// A host's time has come, and its address is busy.
    pub(super) fn block(&mut self, turn: Turn, address: u32) {
        self.place(turn.host, Place::Blocked(turn));
        let users = self.hosts.get(turn.host).into_iter().flat_map(|host| host.wants.users());
        if let Some(address) = self.addresses.get_mut(address) {
            for user in users {
                address.blocked.entry(user).or_default().insert(turn);
            }
        }
    }

    fn unblock(&mut self, turn: Turn, address: u32) {
        let users = self.hosts.get(turn.host).into_iter().flat_map(|host| host.wants.users());
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
        self.take_away(id);
        let address = self.addresses.take(ip);
        if let Some(host) = self.hosts.get_mut(id) {
            host.address = Some(address);
        }
        if let Some(before) = before {
            self.addresses.release(before);
        }
        before.is_some()
    }

    /// Changes how many requests of a user wait for a host. Says how many did before.
    pub(super) fn set_waiting(&mut self, id: HostId, user: User, change: impl FnOnce(u32) -> u32) -> u32 {
        let Some(host) = self.hosts.get(id) else { return 0 };
        let before = host.wants.of(user);
        let after = change(before);
        if (before > 0) == (after > 0) {
            if let Some(host) = self.hosts.get_mut(id) {
                host.wants.set(user, after);
            }
            return before;
        }
        // Who begins or ceases to want a host begins or ceases to stand in line for it.
        let (place, address, was_wanted) = (host.place, host.address, !host.wants.is_empty());
        match (place, address) {
            (Place::Ready(turn), _) => self.step_out(turn),
            (Place::Blocked(turn), Some(address)) => self.unblock(turn, address),
            _ => {}
        }
        let is_wanted = self.hosts.get_mut(id).is_some_and(|host| {
            host.wants.set(user, after);
            !host.wants.is_empty()
        });
        match (place, address) {
            (Place::Ready(turn), _) => {
                self.line_up(turn);
                // For who ceases to want it, it may have been the one that was to use the room at its address.
                if let Some(address) = address.filter(|_| after == 0) {
                    self.promote(address);
                }
            }
            // The room is kept for a host that who begins to want this one may not want.
            (Place::Blocked(turn), Some(address)) if self.has_room(address, true) => self.line_up(turn),
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

    /// Requests that a host may have at a time.
    pub(super) fn at_once(&self, name: &str) -> u16 {
        self.hosts.pace(name).at_once.unwrap_or(self.settings.per_host).max(1)
    }

    /// Whether an address may have one more request; from the queue only if nobody waits outside it.
    pub(super) fn has_room(&self, address: u32, from_queue: bool) -> bool {
        self.addresses.get(address).is_none_or(|address| {
            let claims = if from_queue { address.claims } else { 0 };
            address.active.saturating_add(claims) < self.settings.per_address.max(1)
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

    /// Nothing more is wanted of a host: it is kept until its pause is over, come what may, and then for as long as what we
    /// know of it may matter and there is room.
    fn retire(&mut self, id: HostId, now: Nanos) {
        let Some(host) = self.hosts.get(id) else { return };
        let matters = host.failures > 0 || host.crawl_delay_ms.is_some();
        let (until, memory) = match host.place {
            Place::Resting { until, memory } => (until, memory),
            _ if matters => (host.ready_at, now.saturating_add(nanos(self.settings.remember))),
            _ => (host.ready_at, 0),
        };
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
        while self.remembered.len() > self.settings.remembered_max {
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
