//! How much may be fetched of something, and how much has been.

use std::time::Duration;

/// How much may be fetched. What is `None` has no bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    /// Answers.
    pub objects: Option<u64>,
    /// Bytes of them, as sent.
    pub bytes: Option<u64>,
    /// Of a job since it was begun or resumed, of a domain or host since the first request to it.
    pub time: Option<Duration>,
}

/// Which bound was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// That of objects.
    Objects,
    /// That of bytes.
    Bytes,
    /// That of time.
    Time,
}

impl Budget {
    /// The bounds of another where it has some, and these where it has none.
    #[must_use]
    pub fn changed_by(self, other: Budget) -> Budget {
        Budget {
            objects: other.objects.or(self.objects),
            bytes: other.bytes.or(self.bytes),
            time: other.time.or(self.time),
        }
    }

    /// Which bound is met by what has been fetched, if one is.
    #[must_use]
    pub fn spent(&self, objects: u64, bytes: u64, time: Duration) -> Option<Spent> {
        let is_met = |bound: Option<u64>, used: u64| bound.is_some_and(|bound| used >= bound);
        if is_met(self.objects, objects) {
            Some(Spent::Objects)
        } else if is_met(self.bytes, bytes) {
            Some(Spent::Bytes)
        } else if self.time.is_some_and(|bound| time >= bound) {
            Some(Spent::Time)
        } else {
            None
        }
    }
}
