//! What lies between two versions.

use crate::version::Version;

/// Two versions of a document. Their payloads are read by [`MonitoredResource::payload`](crate::MonitoredResource::payload); what differs
/// in them is said by whoever compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What it was.
    pub before: Version,
    /// What it is.
    pub after: Version,
    /// Whoever asked had never asked before, so that there is nothing to compare with: both versions are the same.
    pub is_first: bool,
}

impl Change {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before.digest == self.after.digest
    }
}
