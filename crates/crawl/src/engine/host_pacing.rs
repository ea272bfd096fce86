//! How a running crawl waits for hosts at the gate: which ones, at which pace, and whether it waits at all.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;

use fetch::Exchange;
use fetch::gate::{Gate, Pace};
use tokio::time::Instant;

use super::host_knowledge::NAMES_MAX;
use super::locks::lock;
use crate::politeness::Politeness;

/// The politeness of one crawl.
pub(super) struct HostPacing {
    pub(super) politeness: Politeness,
    /// Hosts whose pace a sheet has set.
    pub(super) paced: Mutex<HashMap<String, Pace>>,
    /// Where hosts are, as of the last exchange with each, for the politeness that hosts with one address share.
    addresses: Mutex<HashMap<String, IpAddr>>,
    /// Whether the job waits for no host at the gate because it is held.
    has_left_gate: Mutex<bool>,
}

impl HostPacing {
    pub(super) fn new(politeness: Politeness) -> HostPacing {
        HostPacing {
            politeness,
            paced: Mutex::default(),
            addresses: Mutex::default(),
            has_left_gate: Mutex::default(),
        }
    }

    pub(super) fn gate(&self) -> &Gate {
        &self.politeness.gate
    }

    /// The time as the gate counts it.
    pub(super) fn now(&self) -> Duration {
        self.politeness.now()
    }

    /// The instant of a time of the gate.
    pub(super) fn instant(&self, at: Duration) -> Instant {
        self.politeness.instant(at)
    }

    /// Waits at the gate for URLs that were queued. A held job waits for all of them when it resumes.
    pub(super) fn want(&self, hosts: &[(String, u32)]) {
        let now = self.now();
        let has_left = lock(&self.has_left_gate);
        if *has_left {
            return;
        }
        for (host, count) in hosts {
            self.gate().want(host, None, *count, now);
        }
    }

    /// Stops waiting for every host, so that a held job slows no other user of the gate.
    pub(super) fn leave_gate(&self) {
        let mut has_left = lock(&self.has_left_gate);
        if !std::mem::replace(&mut *has_left, true) {
            self.gate().leave_all(self.now());
        }
    }

    /// Whether the job had left the gate; it waits there again from now on.
    pub(super) fn reenter_gate(&self) -> bool {
        std::mem::take(&mut *lock(&self.has_left_gate))
    }

    /// How many hosts the job waits for at the gate; `None` if it has left the gate.
    pub(super) fn wanting(&self) -> Option<u64> {
        let has_left = lock(&self.has_left_gate);
        (!*has_left).then(|| self.gate().wanting() as u64)
    }

    /// Tells the gate where a host is.
    pub(super) fn note_address(&self, host: &str, exchange: &Exchange) {
        let Some(peer) = exchange.peer.filter(|_| !exchange.by_proxy) else { return };
        let mut addresses = lock(&self.addresses);
        if addresses.get(host) == Some(&peer.ip()) {
            return;
        }
        if addresses.len() >= NAMES_MAX {
            addresses.clear();
        }
        addresses.insert(host.to_owned(), peer.ip());
        drop(addresses);
        self.gate().want(host, Some(peer.ip()), 0, self.now());
    }
}
