//! Those who wait for one host by themselves, one after another: they and the queue take turns.

use std::net::IpAddr;

use super::alternation::Side;
use super::host::{HostId, Nanos};
use super::interests::User;
use super::ledger::{Answer, Ledger};

/// Somebody waits for a host.
#[derive(Debug)]
pub(super) struct Claim {
    pub(super) host: HostId,
    user: User,
    /// The address that it waits for, once nothing else is in the way.
    address: Option<u32>,
}

impl Ledger {
    /// Somebody waits for this host from now on.
    pub(super) fn claim(&mut self, user: User, name: &str, ip: Option<IpAddr>, now: Nanos) -> Claim {
        let host = self.find_or_add(name, now);
        self.move_to(host, ip);
        self.set_claims(host, user, |claims| claims.saturating_add(1));
        self.settle(host, now);
        Claim { host, user, address: None }
    }

    /// The address of the host that is waited for.
    pub(super) fn address_of(&self, claim: &Claim) -> Option<IpAddr> {
        let id = self.hosts.get(claim.host)?.address?;
        Some(self.addresses.get(id)?.ip)
    }

    /// May the one who waits go in?
    pub(super) fn ask(&mut self, claim: &mut Claim, now: Nanos) -> Answer {
        self.catch_up(now);
        let Some(host) = self.hosts.get(claim.host) else { return Answer::Idle };
        let (ready_at, address) = (host.ready_at, host.address);
        if host.active >= self.at_once(host) {
            self.give_up_address(claim);
            return Answer::Busy;
        }
        if ready_at > now {
            // While it waits for its time, others may use the address.
            self.give_up_address(claim);
            return Answer::WaitUntil(ready_at);
        }
        if let Some(until) = self.yield_host(claim, now) {
            self.give_up_address(claim);
            return Answer::WaitUntil(until);
        }
        if let Some(id) = address.filter(|id| !self.has_room(*id)) {
            self.claim_address(claim, id);
            return Answer::Busy;
        }
        if let Some((id, until)) = address.and_then(|id| Some((id, self.yield_address(id, now)?))) {
            self.claim_address(claim, id);
            return Answer::WaitUntil(until);
        }
        self.give_up_address(claim);
        let before = address.map_or(0, |id| self.room(id));
        let grant = self.grant(claim.host, claim.user, Side::Claim, now);
        self.settle(claim.host, now);
        if let Some(id) = address {
            self.promote_gained(id, before);
        }
        grant.map_or(Answer::Idle, Answer::Go)
    }

    /// Nobody waits any more: they went in, or away.
    pub(super) fn unclaim(&mut self, mut claim: Claim) {
        self.give_up_address(&mut claim);
        self.set_claims(claim.host, claim.user, |claims| claims.saturating_sub(1));
        self.settle(claim.host, self.now);
    }

    fn set_claims(&mut self, id: HostId, user: User, change: impl Fn(u16) -> u16) {
        if let Some(host) = self.hosts.get_mut(id) {
            host.claims = change(host.claims);
        }
        self.change_interest(id, user, |interest| interest.claims = change(interest.claims));
    }

    fn claim_address(&mut self, claim: &mut Claim, id: u32) {
        if claim.address == Some(id) {
            return;
        }
        self.give_up_address(claim);
        if let Some(address) = self.addresses.get_mut(id) {
            address.claims = address.claims.saturating_add(1);
            let ip = address.ip;
            claim.address = Some(self.addresses.take(ip));
        }
    }

    fn give_up_address(&mut self, claim: &mut Claim) {
        if let Some(id) = claim.address.take() {
            if let Some(address) = self.addresses.get_mut(id) {
                address.claims = address.claims.saturating_sub(1);
            }
            self.promote(id);
            self.addresses.release(id);
        }
    }
}
