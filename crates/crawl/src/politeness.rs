//! One gate for all crawls of a process, with the clock that it counts by.

use std::time::Duration;

use fetch::gate::{Door, Gate, Settings};
use tokio::time::Instant;

/// A gate and its clock. Clones are the same gate.
#[derive(Debug, Clone)]
pub struct Politeness {
    pub(crate) gate: Gate,
    epoch: Instant,
}

impl Politeness {
    /// A gate that has seen nobody yet.
    #[must_use]
    pub fn new(settings: Settings) -> Politeness {
        Politeness { gate: Gate::new(settings), epoch: Instant::now() }
    }

    /// The same gate for another crawl.
    #[must_use]
    pub(crate) fn for_another(&self) -> Politeness {
        Politeness { gate: self.gate.for_another(), epoch: self.epoch }
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
