//! That a record was not had from where it should have been.

use std::fmt;
use std::sync::Arc;

/// A record that could not be had from a place as it should be, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadFault {
    /// `<job>/<file>`
    pub file: String,
    /// Where in it the record begins.
    pub offset: u64,
    /// The place that failed: 0 is the archive's own store, 1 the first of the others as they were given, and so on.
    pub place: usize,
    /// Why, in words.
    pub why: String,
    /// The place that gave it in the end; `None`, if nobody had it. It is [`ReadFault::place`] itself, if the record is as it was
    /// accepted, with a digest that was wrong from the start. That is so whenever the record is read, and no sign of damage: whoever has
    /// files looked at because of faults passes over it.
    pub served: Option<usize>,
}

/// Is told of every fault, on whatever thread reads. It must not take long.
pub type OnFault = Arc<dyn Fn(&ReadFault) + Send + Sync>;

impl fmt::Display for ReadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}, in place {}: {}; ", self.file, self.offset, self.place, self.why)?;
        match self.served {
            Some(place) if place == self.place => {
                f.write_str("given all the same, because it was accepted so")
            }
            Some(place) => write!(f, "given from place {place}"),
            None => f.write_str("not given"),
        }
    }
}
