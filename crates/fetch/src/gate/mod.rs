//! The gate: politeness towards every host and address, for all that fetch in this process.
//!
//! At most one request to a host at a time, a pause after each that depends on how long it took, longer ones where
//! robots.txt or the server ask for it, and longer and longer ones while it fails. A [`Gate`] does not wait and knows no
//! clock: whoever asks says what time it is, as a [`Duration`] since an epoch of their own. Clones are the same gate.
//!
//! There are two ways in. A crawler says what it wants of which host ([`Gate::want`]) and asks whose turn it is
//! ([`Gate::next`]): the host that has been ready for longest, found in time that hardly grows with their number. Who wants
//! a single thing of one host waits for it at a [`Door`]. Several crawlers share a gate by [`Gate::for_another`]: each has
//! its own settings, wishes and turns. All of them together are as polite to a host as the strictest of those that have to do
//! with it. Where requests of both ways wait for a host or an address, they take turns.

mod address;
mod alternation;
mod claim;
mod door;
mod host;
mod interests;
mod ledger;
mod moves;
mod retry_after;
mod settings;
mod users;
mod waiters;

#[cfg(test)]
mod tests;

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use door::{Door, Pass};
pub use retry_after::retry_after;
pub use settings::{Pace, Settings};

use claim::Claim;
use host::nanos;
use interests::User;
use ledger::{Answer, Grant, Ledger};
use tokio::sync::Notify;
use waiters::{Aim, Stand, Waiters};

/// The politeness of one process, as one of its users has it. Clones are the same user's; what it wants is forgotten when the
/// last of them, and of its permits, is gone.
#[derive(Clone)]
pub struct Gate(Arc<Seat>);

/// A user's place at the gate.
struct Seat {
    user: User,
    shared: Arc<Shared>,
}

/// What all users share.
struct Shared {
    ledger: Mutex<Ledger>,
    waiters: Arc<Waiters>,
    /// Rung whenever an answer may have changed.
    bell: Notify,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.shared.lock().abandon(self.user);
        self.shared.bell.notify_waiters();
    }
}

impl Shared {
    /// A panic elsewhere leaves the ledger as it was between two steps, which is sound.
    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Not all hosts: there may be hundreds of thousands.
impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("user", &self.0.user.0).field("counts", &self.counts()).finish()
    }
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
    /// We did not wait for the answer. The host has its pause, because the request was perhaps sent; nobody knows how the host is.
    GivenUp,
    /// The host was not asked after all, so there is nothing to pause for.
    Unused,
}

/// How much the gate has to do with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Users that share it.
    pub users: usize,
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
    /// A gate that has seen nobody yet, as its first user has it. The bounds of its memory are those of these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Gate {
        let (ledger, user) = Ledger::new(settings);
        let shared = Shared { ledger: Mutex::new(ledger), waiters: Arc::default(), bell: Notify::new() };
        Gate(Arc::new(Seat { user, shared: Arc::new(shared) }))
    }

    /// The same gate for another user, with settings, wishes and turns of its own.
    #[must_use]
    pub fn for_another(&self, settings: Settings) -> Gate {
        let user = self.lock().users.add(settings);
        Gate(Arc::new(Seat { user, shared: Arc::clone(&self.0.shared) }))
    }

    /// So many more requests are wanted of a host. Its address, once known, is remembered with it.
    pub fn want(&self, host: &str, address: Option<IpAddr>, count: u32, now: Duration) {
        let has_moved = self.lock().want(self.0.user, host, address, count, nanos(now));
        if has_moved {
            self.0.shared.waiters.ring(&Aim::Host(host.into()));
        }
        self.0.shared.bell.notify_waiters();
    }

    /// Nothing is wanted of a host any more by this user. Says how many requests were.
    pub fn leave(&self, host: &str, now: Duration) -> u32 {
        let before = self.lock().leave(self.0.user, host, nanos(now));
        self.0.shared.bell.notify_waiters();
        before
    }

    /// Stops waiting for every host of this user: a paused job slows no other.
    pub fn leave_all(&self, now: Duration) {
        self.lock().leave_all(self.0.user, nanos(now));
        self.0.shared.bell.notify_waiters();
    }

    /// Waits until the answer of [`Gate::next`] may be another one than it was, be it by this user's doing or another's. It
    /// listens from this call on: call it, ask, and then wait for it or for the time that was said.
    pub fn changed(&self) -> impl Future<Output = ()> {
        self.0.shared.bell.notified()
    }

    /// Whose turn it is: of the hosts that this user wants something of the one that has been ready for longest, once.
    #[must_use]
    pub fn next(&self, now: Duration) -> Next {
        // The guard is gone before a permit exists, whose drop would lock again.
        let answer = self.lock().next(self.0.user, nanos(now));
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
        self.lock().when(self.0.user, host, nanos(now))
    }

    /// What robots.txt asks for, from the last request on. It is remembered for a while when nothing more is wanted.
    pub fn set_crawl_delay(&self, host: &str, delay: Option<Duration>, now: Duration) {
        self.lock().set_crawl_delay(self.0.user, host, delay, nanos(now));
        self.0.shared.bell.notify_waiters();
    }

    /// What this user has decided for a host, until it decides otherwise.
    pub fn set_pace(&self, host: &str, pace: Option<Pace>, now: Duration) {
        self.lock().set_pace(self.0.user, host, pace, nanos(now));
        self.ring([Some(Aim::Host(host.into())), None]);
    }

    /// How many hosts this user wants something of.
    #[must_use]
    pub fn wanting(&self) -> usize {
        self.lock().wanting(self.0.user)
    }

    /// How much there is, for all users together.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.lock().counts()
    }

    fn stand(&self, aim: Aim) -> Stand {
        self.0.shared.waiters.stand(aim)
    }

    fn claim(&self, host: &str, address: Option<IpAddr>, now: Duration) -> Claim {
        self.lock().claim(self.0.user, host, address, nanos(now))
    }

    fn address_of(&self, claim: &Claim) -> Option<IpAddr> {
        self.lock().address_of(claim)
    }

    fn ask(&self, claim: &mut Claim, now: Duration) -> Answer {
        let answer = self.lock().ask(claim, nanos(now));
        // A claim that gives up an address, or goes in, may make it the queue's turn.
        self.0.shared.bell.notify_waiters();
        answer
    }

    fn unclaim(&self, claim: Claim) {
        self.lock().unclaim(claim);
        self.0.shared.bell.notify_waiters();
    }

    fn ring(&self, aims: [Option<Aim>; 2]) {
        for aim in aims.iter().flatten() {
            self.0.shared.waiters.ring(aim);
        }
        self.0.shared.bell.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.0.shared.lock()
    }
}

/// Leave to make one request to one host. Whoever uses it says so by [`Permit::sending`], and how it went by [`Permit::done`].
#[must_use = "dropping it means that the request was given up"]
pub struct Permit {
    gate: Gate,
    grant: Option<Grant>,
    is_sent: bool,
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").field("host", &self.host()).field("address", &self.address()).finish()
    }
}

impl Permit {
    fn new(gate: Gate, grant: Grant) -> Permit {
        Permit { gate, grant: Some(grant), is_sent: false }
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

    /// The request is about to be sent: a permit that is dropped from here on owes the host its pause.
    pub fn sending(&mut self) {
        self.is_sent = true;
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

/// A permit that is dropped frees its place. If its request was perhaps sent, it counts as given up, and the pause counts from when the
/// gate next hears what time it is.
impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(grant) = self.grant.take() {
            let aims = aims_of(&grant);
            self.gate.lock().lost(grant, self.is_sent);
            self.gate.ring(aims);
        }
    }
}

/// Who may have waited for the end of a request.
fn aims_of(grant: &Grant) -> [Option<Aim>; 2] {
    [Some(Aim::Host(Arc::clone(&grant.name))), grant.address.map(|(_, ip)| Aim::Address(ip))]
}
