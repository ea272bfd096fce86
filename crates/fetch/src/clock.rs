//! What time it is, as the caller says: the crate never asks the system.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

/// A source of times. Clones ask the same one.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// Asks this function.
    pub fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(now))
    }

    /// Always says the same, for tests.
    #[must_use]
    pub fn fixed(time: Timestamp) -> Clock {
        Clock::new(move || time)
    }

    /// The time now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
