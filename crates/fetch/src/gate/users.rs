//! How polite each user of a gate is, and who is the strictest of those that have to do with a host.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::host::{Host, HostId};
use super::interests::{Interest, User};
use super::ledger::Ledger;
use super::settings::{Pace, Settings};

/// How polite one user is.
#[derive(Debug)]
struct Manners {
    settings: Settings,
    /// What the user has decided for single hosts, whether they are known or not.
    paces: HashMap<Arc<str>, Pace>,
    /// Whether the user is gone, and only requests that it has given up are left.
    is_gone: bool,
}

/// All users of a gate.
#[derive(Debug)]
pub(super) struct Users {
    each: HashMap<User, Manners, foldhash::fast::RandomState>,
    /// For whoever is not known, and for what concerns the gate's memory.
    base: Settings,
    last: u32,
}

impl Users {
    /// One user with these settings.
    pub(super) fn new(settings: Settings) -> (Users, User) {
        let mut users = Users { each: HashMap::default(), base: settings, last: 0 };
        let first = users.add(settings);
        (users, first)
    }

    /// A further user.
    pub(super) fn add(&mut self, settings: Settings) -> User {
        self.last = self.last.wrapping_add(1);
        let user = User(self.last);
        self.each.insert(user, Manners { settings, paces: HashMap::new(), is_gone: false });
        user
    }

    /// A user is gone; those that still have requests to settle are forgotten by [`Users::forget_gone`].
    pub(super) fn leave(&mut self, user: User, has_requests: bool) {
        if !has_requests {
            self.each.remove(&user);
        } else if let Some(manners) = self.each.get_mut(&user) {
            manners.is_gone = true;
        }
    }

    pub(super) fn forget_gone(&mut self) {
        self.each.retain(|_, manners| !manners.is_gone);
    }

    /// Whether a user is registered.
    pub(super) fn has(&self, user: User) -> bool {
        self.each.contains_key(&user)
    }

    pub(super) fn len(&self) -> usize {
        self.each.len()
    }

    pub(super) fn base(&self) -> &Settings {
        &self.base
    }

    pub(super) fn settings(&self, user: User) -> &Settings {
        self.each.get(&user).map_or(&self.base, |manners| &manners.settings)
    }

    pub(super) fn set_pace(&mut self, user: User, host: &str, pace: Option<Pace>) {
        let Some(manners) = self.each.get_mut(&user) else { return };
        match pace {
            Some(pace) => manners.paces.insert(host.into(), pace),
            None => manners.paces.remove(host),
        };
    }

    /// How a user treats a host.
    fn of(&self, user: User, host: &str) -> (&Settings, Pace) {
        let Some(manners) = self.each.get(&user) else { return (&self.base, Pace::default()) };
        // Nearly always there is none for anybody.
        let pace = if manners.paces.is_empty() { None } else { manners.paces.get(host).copied() };
        (&manners.settings, pace.unwrap_or_default())
    }

    /// Requests that a user lets a host have at a time.
    pub(super) fn at_once(&self, user: User, host: &str) -> u16 {
        let (settings, pace) = self.of(user, host);
        pace.at_once.unwrap_or(settings.per_host).max(1)
    }

    /// Requests that a user lets an address have at a time.
    pub(super) fn per_address(&self, user: User) -> u16 {
        self.settings(user).per_address.max(1)
    }

    /// How long a user leaves a host alone after its last request.
    pub(super) fn pause(&self, user: User, host: &Host) -> Duration {
        let (settings, pace) = self.of(user, &host.name);
        let pause = settings.pause(Duration::from_nanos(host.took), host.crawl_delay(), pace);
        pause.max(settings.backoff(host.failures))
    }

    /// The longest pause that any user, interested in the host or not, makes after its last request.
    pub(super) fn longest_pause(&self, host: &Host) -> Duration {
        self.each.keys().map(|user| self.pause(*user, host)).max().unwrap_or_default()
    }
}

impl Ledger {
    /// Requests that a host may have at a time, by the strictest of those that have to do with it.
    pub(super) fn at_once(&self, host: &Host) -> u16 {
        let each = host.interests.each().map(|interest| self.users.at_once(interest.user, &host.name));
        each.min().unwrap_or_else(|| self.users.base().per_host.max(1))
    }

    /// Changes what a user has to do with a host; `false` if the host is not known. Whoever comes to have something to do with it
    /// brings a pause along, which counts from the last request, whoever made that.
    pub(super) fn change_interest(
        &mut self,
        id: HostId,
        user: User,
        change: impl FnOnce(&mut Interest),
    ) -> bool {
        let Some(host) = self.hosts.get_mut(id) else { return false };
        let before = host.interests.of(user);
        let mut after = before;
        change(&mut after);
        host.interests.set(after);
        let address = host.address;
        if before.is_none() {
            self.apply_pause(id);
        }
        if let Some(address) = address {
            match (before.is_waiting(), after.is_waiting()) {
                (false, true) => self.addresses.add_limit(address, self.users.per_address(user)),
                (true, false) => self.drop_limit(address, user),
                _ => {}
            }
        }
        true
    }

    /// A user has nothing more to do with an address. Without its limit there may be room for those who are blocked.
    pub(super) fn drop_limit(&mut self, address: u32, user: User) {
        let before = self.room(address);
        self.addresses.remove_limit(address, self.users.per_address(user));
        self.promote_gained(address, before);
    }

    /// Makes as many hosts ready as an address has more room than before.
    pub(super) fn promote_gained(&mut self, address: u32, before: u16) {
        for _ in before..self.room(address) {
            if !self.promote(address) {
                break;
            }
        }
    }
}
