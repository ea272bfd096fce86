//! What no rule can tell from one URL alone: that there are too many of a kind.
//!
//! All three counters count different things of a kind, roughly (within a tenth), in memory that does not grow: told the same
//! thing twice they count it once, so they may be told of every link. They are shared by all threads and forgotten with the
//! process, so a job that goes on after a crash begins to count anew.

mod distinct;
mod hosts;
mod same_body;
mod shape;
mod shapes;

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use hosts::{Hosts, HostsReport};
pub use same_body::{BodyReport, SameBody};
pub use shape::ShapeKind;
pub use shapes::{ShapeReport, Shapes};

/// There are too many of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caution {
    /// What there are too many of, as a plural.
    pub what: &'static str,
    /// About how many were seen.
    pub about: u32,
    /// How many are usual at most.
    pub most: u32,
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "about {} {}, and {} are the most that is usual", self.about, self.what, self.most)
    }
}

/// A few things that a report wants to name, told once each.
#[derive(Debug)]
struct Named<T> {
    list: Mutex<Vec<(u64, T)>>,
}

/// How many of them are kept.
const NAMED_MAX: usize = 1000;

impl<T: Clone> Named<T> {
    fn new() -> Named<T> {
        Named { list: Mutex::new(Vec::new()) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(u64, T)>> {
        // A thread that died while it held the lock left whole values behind.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, key: u64, make: impl FnOnce() -> T) {
        let mut list = self.lock();
        if list.len() < NAMED_MAX && !list.iter().any(|(known, _)| *known == key) {
            list.push((key, make()));
        }
    }

    fn list(&self) -> Vec<(u64, T)> {
        self.lock().clone()
    }
}
