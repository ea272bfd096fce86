//! How many workers a verb uses.

use std::num::NonZeroUsize;
use std::thread;

/// The option of every verb that works in parallel.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Jobs {
    /// How many workers to use [default: one per core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

impl Jobs {
    /// The number of workers.
    pub(crate) fn count(self) -> usize {
        self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
}
