//! Time, which nobody here can tell: whoever asks for an extraction says when it is up.

use std::fmt;
use std::sync::Arc;

/// Answers whether time is up, or whether somebody has given up waiting. Once it has said yes it should go on doing so.
///
/// Readers ask every few kilobytes, and what they have found by then is the result.
#[derive(Clone)]
pub struct Stop(Arc<dyn Fn() -> bool + Send + Sync>);

impl Stop {
    /// Stops when `is_up` says so.
    #[must_use]
    pub fn when(is_up: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Arc::new(is_up))
    }

    /// Whether time is up.
    #[must_use]
    pub fn is_up(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

impl PartialEq for Stop {
    fn eq(&self, other: &Stop) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stop {}

/// Steps between two questions. A step is a token or a string, so that these are some kilobytes.
const STEPS: u32 = 256;

/// Asks now and then, and remembers the answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watch {
    stop: Option<Stop>,
    steps: u32,
    is_up: bool,
}

impl Watch {
    pub(crate) fn new(stop: Option<&Stop>) -> Watch {
        Watch { stop: stop.cloned(), steps: 0, is_up: false }
    }

    /// Another step was made. Whether it was the last.
    #[inline]
    pub(crate) fn step(&mut self) -> bool {
        self.steps += 1;
        if self.steps >= STEPS {
            self.ask();
        }
        self.is_up
    }

    /// Asks at once, as one does between long pieces.
    pub(crate) fn ask(&mut self) -> bool {
        self.steps = 0;
        self.is_up = self.is_up || self.stop.as_ref().is_some_and(Stop::is_up);
        self.is_up
    }

    /// The last answer.
    pub(crate) fn is_up(&self) -> bool {
        self.is_up
    }

    /// Says that time is up because another watch said so.
    pub(crate) fn hear(&mut self, other: &Watch) {
        self.is_up |= other.is_up;
    }
}
