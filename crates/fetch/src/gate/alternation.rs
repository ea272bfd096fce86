//! Claims and the queue take turns at a host, and at an address, when both wait.
//!
//! Each side goes in after the other has. The queue cannot keep its turn for ever, because nobody knows whether the user who wants
//! something will ask: a harvest may have no place left for a further request. So a claim lets the queue go first only until
//! [`PATIENCE`] has passed in which no user of the queue asked.

use super::address::Address;
use super::claim::Claim;
use super::host::{Host, HostId, Nanos, Place, Turn};
use super::interests::User;
use super::ledger::Ledger;

/// A crawler that can send a request asks within milliseconds.
pub(super) const PATIENCE: Nanos = 1_000_000_000;

/// Who goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Somebody who waits for one host.
    Claim,
    /// What a user wants of many.
    Queue,
}

/// Whose turn it is.
#[derive(Debug, Default)]
pub(super) struct Alternation {
    claim_was_last: bool,
    /// Since when a claim lets the queue go first.
    yielding_since: Option<Nanos>,
}

impl Alternation {
    /// Whether the queue goes before the claims.
    pub(super) fn is_for_queue(&self) -> bool {
        self.claim_was_last
    }

    /// A request of this side goes in.
    pub(super) fn grant(&mut self, side: Side) {
        *self = Alternation { claim_was_last: side == Side::Claim, yielding_since: None };
    }

    /// When a claim may go in although it is the queue's turn, if nobody asked for the queue after this time.
    fn yield_until(&mut self, now: Nanos, asked_at: Nanos) -> Option<Nanos> {
        let since = *self.yielding_since.get_or_insert(now);
        let until = since.max(asked_at).saturating_add(PATIENCE);
        (until > now).then_some(until)
    }
}

impl Ledger {
    /// Until when a claim lets the queue of its host go first.
    pub(super) fn yield_host(&mut self, claim: &Claim, now: Nanos) -> Option<Nanos> {
        let host = self.hosts.get(claim.host)?;
        if !host.alternation.is_for_queue() || !host.interests.has_waiting() {
            return None;
        }
        let is_blocked = matches!(host.place, Place::Blocked(_));
        if is_blocked && host.address.is_some_and(|address| self.room(address) == 0) {
            // The queue waits for the address, not for a user: its time has not begun.
            self.hosts.get_mut(claim.host)?.alternation.yielding_since = None;
            return Some(now.saturating_add(PATIENCE));
        }
        let asked_at = self.last_asked(host.interests.waiting_users());
        self.hosts.get_mut(claim.host)?.alternation.yield_until(now, asked_at)
    }

    /// Until when a claim lets the queue of an address go first. Where there is room for both, neither waits.
    pub(super) fn yield_address(&mut self, id: u32, now: Nanos) -> Option<Nanos> {
        if !self.addresses.get(id)?.alternation.is_for_queue() || self.room(id) > 1 {
            return None;
        }
        if self.promised_hosts(id).next().is_none() && !self.promote(id) {
            return None;
        }
        let promised = self.promised_hosts(id).flat_map(|host| host.interests.waiting_users());
        let blocked = self.addresses.get(id).into_iter().flat_map(|address| address.blocked.keys().copied());
        let asked_at = self.last_asked(promised.chain(blocked));
        self.addresses.get_mut(id)?.alternation.yield_until(now, asked_at)
    }

    /// Notes who has gone in. A claim that goes in makes room for the queue at its address, since the next turn is the queue's.
    pub(super) fn take_turn(&mut self, id: HostId, side: Side) {
        let Some(host) = self.hosts.get_mut(id) else { return };
        host.alternation.grant(side);
        if let Some(address) = host.address.and_then(|address| self.addresses.get_mut(address)) {
            address.alternation.grant(side);
        }
    }

    /// Hosts that were made ready because an address had room, and have not gone in yet.
    fn promised_hosts(&self, id: u32) -> impl Iterator<Item = &Host> {
        let turns: &[Turn] = self.addresses.get(id).map_or(&[], |address: &Address| &address.promised);
        turns.iter().filter_map(move |turn| {
            let host = self.hosts.get(turn.host)?;
            (host.place == Place::Ready(*turn) && host.address == Some(id)).then_some(host)
        })
    }

    /// When one of these users last asked for the next request.
    fn last_asked(&self, users: impl Iterator<Item = User>) -> Nanos {
        users.filter_map(|user| Some(self.lines.get(&user)?.asked_at)).max().unwrap_or_default()
    }
}
