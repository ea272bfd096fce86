//! How fast files are read, and when it is enough: a bar that moves, a bound on bytes a second, and Ctrl-C.

use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupts::Interrupts;
use crate::progress::Progress;

/// Longer is not slept in one go, so that Ctrl-C is heard.
const NAP: Duration = Duration::from_millis(200);

/// Told how much was read.
pub(crate) struct Pace {
    interrupts: Interrupts,
    bar: Progress,
    /// The most bytes in a second, since when, and how many it were.
    rate: Option<(u64, Instant, u64)>,
}

impl Pace {
    #[allow(clippy::disallowed_methods)] // How long it takes is how long it takes.
    pub(crate) fn new(interrupts: &Interrupts, bar: Progress, rate: Option<u64>) -> Pace {
        let rate = rate.map(|rate| (rate.max(1), Instant::now(), 0));
        Pace { interrupts: interrupts.clone(), bar, rate }
    }

    /// So much was read: waits as long as the bound wants it, and says whether to go on.
    pub(crate) fn read(&mut self, bytes: u64) -> ControlFlow<()> {
        self.bar.inc(bytes);
        if let Some((rate, since, count)) = &mut self.rate {
            *count = count.saturating_add(bytes);
            let due = Duration::from_secs_f64(*count as f64 / *rate as f64);
            while let Some(early) = due.checked_sub(since.elapsed()).filter(|early| !early.is_zero()) {
                if self.interrupts.is_wanted() {
                    break;
                }
                thread::sleep(early.min(NAP));
            }
        }
        if self.interrupts.is_wanted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        self.bar.finish();
    }
}
