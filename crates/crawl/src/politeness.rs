//! One gate for all that fetch in a process, with the clock that it counts by.

use std::time::Duration;

use fetch::gate::{Door, Gate, Settings};
use tokio::time::Instant;

/// A gate and its clock, as one user of the gate has them. Clones are the same user's.
#[derive(Debug, Clone)]
pub struct Politeness {
    pub(crate) gate: Gate,
    epoch: Instant,
}

impl Politeness {
    /// A gate that has seen nobody yet. A process makes one, and everybody else is a user of it.
    #[must_use]
    pub fn new(settings: Settings) -> Politeness {
        Politeness { gate: Gate::new(settings), epoch: Instant::now() }
    }

    /// The same gate for another user with these settings. The strictest user holds for a host.
    #[must_use]
    pub fn for_another(&self, settings: Settings) -> Politeness {
        Politeness { gate: self.gate.for_another(settings), epoch: self.epoch }
    }

    pub(crate) fn now(&self) -> Duration {
        Instant::now().saturating_duration_since(self.epoch)
    }

    pub(crate) fn instant(&self, at: Duration) -> Instant {
        self.epoch + at
    }

    /// A way in for single requests, which wait there for their turn.
    #[must_use]
    pub fn door(&self) -> Door {
        Door::new(self.gate.clone(), self.epoch)
    }
}
