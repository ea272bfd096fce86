//! The addresses behind the hosts: how many requests each has, and which hosts wait for it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;

use super::alternation::Alternation;
use super::host::Turn;
use super::interests::User;

/// One address.
#[derive(Debug)]
pub(super) struct Address {
    pub(super) ip: IpAddr,
    /// Requests that are under way.
    pub(super) active: u16,
    /// Requests that wait outside the queue.
    pub(super) claims: u16,
    /// Whether the queue or a claim goes in next.
    pub(super) alternation: Alternation,
    /// Hosts that have it now; requests under way count too, as their host may have moved.
    users: u32,
    /// How many requests at a time those allow who wait for a host here or have a request under way, each with how many do.
    limits: Vec<(u16, u32)>,
    /// Hosts whose time has come and that wait for room here, for each user that wants them.
    pub(super) blocked: BTreeMap<User, BTreeSet<Turn>>,
    /// Turns of the hosts that became ready when there was last room here.
    pub(super) promised: Vec<Turn>,
}

impl Address {
    /// How many requests at a time the strictest allows of those that have to do with it.
    pub(super) fn limit(&self) -> Option<u16> {
        self.limits.iter().map(|(limit, _)| *limit).min()
    }
}

/// All addresses of known hosts. Those that nobody uses are forgotten at once.
#[derive(Debug, Default)]
pub(super) struct Addresses {
    by_ip: HashMap<IpAddr, u32>,
    places: Vec<Option<Address>>,
    free: Vec<u32>,
}

impl Addresses {
    /// The place of an address, which has one more user now.
    pub(super) fn take(&mut self, ip: IpAddr) -> u32 {
        let id = match self.by_ip.get(&ip) {
            Some(id) => *id,
            None => self.add(ip),
        };
        if let Some(address) = self.get_mut(id) {
            address.users += 1;
        }
        id
    }

    /// One user less.
    pub(super) fn release(&mut self, id: u32) {
        let Some(address) = self.get_mut(id) else { return };
        address.users = address.users.saturating_sub(1);
        if address.users == 0 {
            let ip = address.ip;
            self.by_ip.remove(&ip);
            if let Some(place) = self.places.get_mut(id as usize) {
                *place = None;
            }
            self.free.push(id);
        }
    }

    pub(super) fn get(&self, id: u32) -> Option<&Address> {
        self.places.get(id as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, id: u32) -> Option<&mut Address> {
        self.places.get_mut(id as usize)?.as_mut()
    }

    /// Somebody begins to have to do with an address, and allows so many requests at a time.
    pub(super) fn add_limit(&mut self, id: u32, limit: u16) {
        let Some(address) = self.get_mut(id) else { return };
        match address.limits.iter_mut().find(|(known, _)| *known == limit) {
            Some((_, count)) => *count += 1,
            None => address.limits.push((limit, 1)),
        }
    }

    /// Somebody ceases to.
    pub(super) fn remove_limit(&mut self, id: u32, limit: u16) {
        let Some(address) = self.get_mut(id) else { return };
        if let Some((_, count)) = address.limits.iter_mut().find(|(known, _)| *known == limit) {
            *count = count.saturating_sub(1);
        }
        address.limits.retain(|(_, count)| *count > 0);
    }

    pub(super) fn len(&self) -> usize {
        self.by_ip.len()
    }

    fn add(&mut self, ip: IpAddr) -> u32 {
        let address = Some(Address {
            ip,
            active: 0,
            claims: 0,
            alternation: Alternation::default(),
            users: 0,
            limits: Vec::new(),
            blocked: BTreeMap::new(),
            promised: Vec::new(),
        });
        let id = match self.free.pop() {
            Some(id) => {
                if let Some(place) = self.places.get_mut(id as usize) {
                    *place = address;
                }
                id
            }
            None => {
                self.places.push(address);
                u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX)
            }
        };
        self.by_ip.insert(ip, id);
        id
    }
}
