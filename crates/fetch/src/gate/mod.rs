//! The gate: politeness towards every host and address, for all that fetch in this process.
//!
//! At most one request to a host at a time, a pause after each that depends on how long it took, longer ones where
//! robots.txt or the server ask for it, and longer and longer ones while it fails. A [`Gate`] does not wait and knows no
//! clock: whoever asks says what time it is, as a [`Duration`] since an epoch of their own. Clones are the same gate.
//!
//! There are two ways in. A crawler says what it wants of which host ([`Gate::want`]) and asks whose turn it is
//! ([`Gate::next`]): the host that has been ready for longest, found in time that hardly grows with their number. Who wants
//! a single thing of one host waits for it at a [`Door`].

mod address;
mod claim;
mod door;
mod host;
mod ledger;
mod moves;
mod retry_after;
mod settings;
mod waiters;

#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use door::{Door, Pass};
pub use retry_after::retry_after;
pub use settings::{Pace, Settings};

use claim::Claim;
use host::nanos;
use ledger::{Answer, Grant, Ledger};
use waiters::{Aim, Stand, Waiters};

/// The politeness of one process. Clones are the same gate.
#[derive(Debug, Clone)]
pub struct Gate {
    ledger: Arc<Mutex<Ledger>>,
    waiters: Arc<Waiters>,
}

/// Whose turn it is.
#[derive(Debug)]
pub enum Next {
    /// This host may be asked once, now.
    Go(Permit),
    /// Nobody before this time, unless more is wanted or a permit comes back.
    WaitUntil(Duration),
    /// Nobody until a permit comes back or more is wanted: all that could go are under way.
    Busy,
    /// Nothing is wanted of anybody.
    Idle,
}

/// When a host may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Now.
    Now,
    /// Not before this time.
    At(Duration),
    /// When a request that is under way has ended.
    Busy,
}

/// How a request went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Went {
    /// The server answered.
    Answered {
        /// The status; 429 and 503 count as failures.
        status: u16,
        /// What it asked for by `Retry-After`: see [`retry_after()`].
        retry_after: Option<Duration>,
    },
    /// There was no answer.
    Failed,
    /// The host was not asked after all, so there is nothing to pause for.
    Unused,
}

/// How much the gate has to do with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Hosts that it knows.
    pub hosts: usize,
    /// Addresses of theirs.
    pub addresses: usize,
    /// Hosts that something is wanted of.
    pub wanting: usize,
    /// Requests under way.
    pub active: usize,
    /// Hosts that nothing is wanted of, and of which something is remembered.
    pub remembered: usize,
}

impl Gate {
    /// A gate that has seen nobody yet.
    #[must_use]
    pub fn new(settings: Settings) -> Gate {
        Gate { ledger: Arc::new(Mutex::new(Ledger::new(settings))), waiters: Arc::default() }
    }

    /// So many more requests are wanted of a host. Its address, once known, is remembered with it.
    pub fn want(&self, host: &str, address: Option<IpAddr>, count: u32, now: Duration) {
        let has_moved = self.lock().want(host, address, count, nanos(now));
        if has_moved {
            self.waiters.ring(&Aim::Host(host.into()));
        }
    }

    /// Nothing is wanted of a host any more. Says how many requests were.
    pub fn leave(&self, host: &str, now: Duration) -> u32 {
        self.lock().leave(host, nanos(now))
    }

    /// Whose turn it is: the host that has been ready for longest, once.
    #[must_use]
    pub fn next(&self, now: Duration) -> Next {
        // The guard is gone before a permit exists, whose drop would lock again.
        let answer = self.lock().next(nanos(now));
        match answer {
            Answer::Go(grant) => Next::Go(Permit::new(self.clone(), grant)),
            Answer::WaitUntil(at) => Next::WaitUntil(Duration::from_nanos(at)),
            Answer::Busy => Next::Busy,
            Answer::Idle => Next::Idle,
        }
    }

    /// When a host may be asked, if nobody else asks before.
    #[must_use]
    pub fn when(&self, host: &str, now: Duration) -> When {
        self.lock().when(host, nanos(now))
    }

    /// What robots.txt asks for, from the last request on. It is remembered for a while when nothing more is wanted.
    pub fn set_crawl_delay(&self, host: &str, delay: Option<Duration>, now: Duration) {
        self.lock().set_crawl_delay(host, delay, nanos(now));
    }

    /// What somebody has decided for a host, until they decide otherwise.
    pub fn set_pace(&self, host: &str, pace: Option<Pace>, now: Duration) {
        self.lock().set_pace(host, pace, nanos(now));
        self.waiters.ring(&Aim::Host(host.into()));
    }

    /// How much there is.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.lock().counts()
    }

    fn stand(&self, aim: Aim) -> Stand {
        self.waiters.stand(aim)
    }

    fn claim(&self, host: &str, address: Option<IpAddr>, now: Duration) -> Claim {
        self.lock().claim(host, address, nanos(now))
    }

    fn address_of(&self, claim: &Claim) -> Option<IpAddr> {
        self.lock().address_of(claim)
    }

    fn ask(&self, claim: &mut Claim, now: Duration) -> Answer {
        self.lock().ask(claim, nanos(now))
    }

    fn unclaim(&self, claim: Claim) {
        self.lock().unclaim(claim);
    }

    fn ring(&self, aims: [Option<Aim>; 2]) {
        for aim in aims.iter().flatten() {
            self.waiters.ring(aim);
        }
    }

    /// A panic elsewhere leaves the ledger as it was between two steps, which is sound.
    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Leave to make one request to one host.
#[derive(Debug)]
#[must_use = "dropping it means that the request was made and nobody knows how it went"]
pub struct Permit {
    gate: Gate,
    grant: Option<Grant>,
}

impl Permit {
    fn new(gate: Gate, grant: Grant) -> Permit {
        Permit { gate, grant: Some(grant) }
    }

    /// The host that may be asked.
    #[must_use]
    pub fn host(&self) -> &str {
        self.grant.as_ref().map_or("", |grant| &grant.name)
    }

    /// The address that the request counts against.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        self.grant.as_ref().and_then(|grant| grant.address).map(|(_, ip)| ip)
    }

    /// Says how it went.
    pub fn done(mut self, went: Went, now: Duration) {
        if let Some(grant) = self.grant.take() {
            let aims = aims_of(&grant);
            self.gate.lock().finish(grant, went, nanos(now));
            self.gate.ring(aims);
        }
    }
}

/// A permit that is lost frees its place; the pause counts from when the gate next hears what time it is.
impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(grant) = self.grant.take() {
            let aims = aims_of(&grant);
            self.gate.lock().lost(grant);
            self.gate.ring(aims);
        }
    }
}

/// Who may have waited for the end of a request.
fn aims_of(grant: &Grant) -> [Option<Aim>; 2] {
    [Some(Aim::Host(Arc::clone(&grant.name))), grant.address.map(|(_, ip)| Aim::Address(ip))]
}
