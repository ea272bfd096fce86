//! Whether somebody wants what takes long to end before its end.

use std::fmt;
use std::sync::Arc;

use crate::error::Error;

/// Asked now and then by whatever takes long: whether it is to end. What ends so leaves nothing behind.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// Ends when this says so.
    pub fn when(is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Some(Arc::new(is_wanted)))
    }

    /// Whether somebody wants it to end.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.0.as_ref().is_some_and(|is_wanted| is_wanted())
    }

    /// An error once somebody wants it to end.
    ///
    /// # Errors
    /// [`Error::Stopped`].
    pub fn check(&self) -> Result<(), Error> {
        if self.is_wanted() { Err(Error::Stopped) } else { Ok(()) }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}
