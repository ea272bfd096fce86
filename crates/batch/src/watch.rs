//! Says of one file whether there is still time for it, and whether the whole run is still wanted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::settings::Stopwatch;

/// How often somebody who waits looks up.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Why work on a file was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// Its time was up.
    Time,
    /// The run was cancelled.
    Stopped,
}

/// Looked at by everybody who works on one file.
pub(crate) struct Watch {
    stopwatch: Stopwatch,
    until: Duration,
    stop: Arc<AtomicBool>,
    over: OnceLock<Over>,
}

impl Watch {
    pub(crate) fn new(stopwatch: &Stopwatch, timeout: Duration, stop: &Arc<AtomicBool>) -> Watch {
        let until = stopwatch().saturating_add(timeout);
        Watch { stopwatch: stopwatch.clone(), until, stop: stop.clone(), over: OnceLock::new() }
    }

    /// Whether it is over, and why. What was said once stays so.
    pub(crate) fn over(&self) -> Option<Over> {
        if let Some(over) = self.was_over() {
            return Some(over);
        }
        let over = if self.stop.load(Ordering::Relaxed) {
            Over::Stopped
        } else if (self.stopwatch)() >= self.until {
            Over::Time
        } else {
            return None;
        };
        Some(*self.over.get_or_init(|| over))
    }

    /// Whether anybody was told that it is over: what came after that is not to be trusted.
    pub(crate) fn was_over(&self) -> Option<Over> {
        self.over.get().copied()
    }
}
