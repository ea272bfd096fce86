//! Waiting one's turn in front of one host, on tokio's clock.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::Instant;

use super::claim::Claim;
use super::ledger::Answer;
use super::waiters::{Aim, Stand};
use super::{Gate, Permit, Went};

/// A [`Gate`] with a clock, for those who want one thing of one host and simply wait until they may have it.
///
/// They go in in the order in which they came. They and what waits in the gate's queue for the same host or address take turns.
#[derive(Debug, Clone)]
pub struct Door {
    gate: Gate,
    epoch: Instant,
}

impl Door {
    /// `epoch` is the instant that the gate's times are counted from; all that share a gate must share it.
    #[must_use]
    pub fn new(gate: Gate, epoch: Instant) -> Door {
        Door { gate, epoch }
    }

    /// The time now, as the gate counts it.
    #[must_use]
    pub fn now(&self) -> Duration {
        Instant::now().saturating_duration_since(self.epoch)
    }

    /// Waits until a host may be asked. Whoever loses patience drops the future, and the next in line moves up.
    pub async fn enter(&self, host: &str, address: Option<IpAddr>) -> Pass {
        let at_host = self.gate.stand(Aim::Host(host.into()));
        let _first_in_line = at_host.line().await;
        let mut waiting =
            Waiting { gate: &self.gate, claim: Some(self.gate.claim(host, address, self.now())) };
        let mut at_address: Option<Stand> = None;
        loop {
            // The host may have moved while we waited.
            let aim = waiting.address().map(Aim::Address);
            if at_address.as_ref().map(Stand::aim) != aim.as_ref() {
                at_address = aim.map(|aim| self.gate.stand(aim));
            }
            // Listening begins before asking, so that no ring is missed in between.
            let host_rung = at_host.rung();
            let address_rung = at_address.as_ref().map(Stand::rung);
            let until = match waiting.ask(self.now()) {
                Some(Answer::Go(grant)) => {
                    return Pass { permit: Permit::new(self.gate.clone(), grant), door: self.clone() };
                }
                Some(Answer::WaitUntil(at)) => Some(self.epoch + Duration::from_nanos(at)),
                Some(Answer::Busy | Answer::Idle) | None => None,
            };
            // The one who goes first, or keeps the host busy, may be done earlier.
            tokio::select! {
                () = host_rung => {}
                () = async { match address_rung { Some(rung) => rung.await, None => std::future::pending().await } } => {}
                () = async { match until { Some(at) => tokio::time::sleep_until(at).await, None => std::future::pending().await } } => {}
            }
        }
    }
}

/// A permit that knows the clock.
#[derive(Debug)]
#[must_use = "dropping it means that the request was given up"]
pub struct Pass {
    permit: Permit,
    door: Door,
}

impl Pass {
    /// The request is about to be sent: see [`Permit::sending`].
    pub fn sending(&mut self) {
        self.permit.sending();
    }

    /// Says how it went, as of now.
    pub fn done(self, went: Went) {
        let now = self.door.now();
        self.permit.done(went, now);
    }

    /// The permit itself, for those who carry the time about with them.
    pub fn into_permit(self) -> Permit {
        self.permit
    }
}

/// Takes the claim back however the waiting ends.
struct Waiting<'g> {
    gate: &'g Gate,
    claim: Option<Claim>,
}

impl Waiting<'_> {
    fn address(&self) -> Option<IpAddr> {
        self.claim.as_ref().and_then(|claim| self.gate.address_of(claim))
    }

    fn ask(&mut self, now: Duration) -> Option<Answer> {
        self.claim.as_mut().map(|claim| self.gate.ask(claim, now))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(claim) = self.claim.take() {
            self.gate.unclaim(claim);
        }
    }
}
