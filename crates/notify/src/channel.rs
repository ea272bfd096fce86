//! A way to tell somebody.

use std::fmt;

use crate::error::Error;
use crate::message::Message;

/// A way to tell somebody.
pub trait Channel: fmt::Debug + Send + Sync {
    /// Its name, which stays the same from one start of the program to the next, and holds no secret.
    fn name(&self) -> String;

    /// Tells it. Returns when it is told or cannot be, within bounded time.
    ///
    /// # Errors
    /// Why it could not be, or not to all; [`Error::is_sent`] says which, and [`Error::is_final`] whether to try again.
    fn send(&self, message: &Message) -> Result<(), Error>;

    /// Whether what waits for it is worth keeping when the program ends.
    fn is_lasting(&self) -> bool {
        true
    }
}
