//! The frontier: what is still to be fetched, and from whom.

use std::path::Path;

use jiff::Timestamp;

use crate::counts::Counts;
use crate::error::Error;
use crate::settings::Settings;
use crate::wish::{Offered, Settled, Turn, Wish};

/// The queues of all hosts and the set of everything that was ever queued, on disk.
#[derive(Debug)]
pub struct Frontier {}

/// The entries of [`Frontier::queued`], one after another.
#[derive(Debug)]
pub struct Queued {}

impl Frontier {
    /// Opens the frontier in a folder as it was left, or begins a new one.
    ///
    /// What was in flight when it was left is at the front of its queue again.
    ///
    /// # Errors
    ///
    /// Another process has it open, its files are damaged, a newer program wrote them, or the disk fails.
    pub fn open(_folder: &Path, _settings: &Settings) -> Result<Frontier, Error> {
        Err(Error::Poisoned)
    }

    /// Queues the wishes that are new.
    ///
    /// # Errors
    ///
    /// The disk fails; then none of them is queued.
    pub fn offer(&self, _wishes: Vec<Wish>) -> Result<Offered, Error> {
        Err(Error::Poisoned)
    }

    /// The next entry of a host: that of lowest precedence, and of these the oldest.
    ///
    /// It stays on disk until it is settled, so a crash repeats it.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn take(&self, _host: &str) -> Result<Option<Turn>, Error> {
        Err(Error::Poisoned)
    }

    /// Puts back what was taken and not asked for; it is the next of its precedence again.
    pub fn give_back(&self, _turn: Turn) {}

    /// Ends turns, queues what was found in them, and keeps the mark: all of it or nothing.
    ///
    /// # Errors
    ///
    /// A turn is not in flight, or the disk fails; then nothing has changed.
    pub fn settle(&self, _settled: Vec<Settled>, _mark: &[u8]) -> Result<Offered, Error> {
        Err(Error::Poisoned)
    }

    /// Puts postponed entries whose time has come back into their queues. Says which hosts have how many, and when to
    /// ask again: `None` if nothing is postponed.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn due(&self, _now: Timestamp) -> Result<(Vec<(String, u32)>, Option<Timestamp>), Error> {
        Err(Error::Poisoned)
    }

    /// Hosts with entries that can be taken, and how many.
    #[must_use]
    pub fn waiting(&self) -> Vec<(String, u32)> {
        Vec::new()
    }

    /// Whether this URL was ever queued.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn has_seen(&self, _url: &str) -> Result<bool, Error> {
        Err(Error::Poisoned)
    }

    /// Whether this URL is known to have been queued, without asking the disk or waiting for anybody. `false` says
    /// nothing.
    #[must_use]
    pub fn has_seen_lately(&self, _url: &str) -> bool {
        false
    }

    /// Drops what is queued or postponed of a host, and says how much it was. What is in flight goes on; what was
    /// dropped stays seen.
    ///
    /// # Errors
    ///
    /// The disk fails or its files are damaged.
    pub fn forget_host(&self, _host: &str) -> Result<u64, Error> {
        Err(Error::Poisoned)
    }

    /// How much there is of everything.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::default()
    }

    /// The mark that was settled last.
    #[must_use]
    pub fn mark(&self) -> Option<Vec<u8>> {
        None
    }

    /// Has everything written through to the disk, so that it survives a power loss. A killed process loses nothing even
    /// without.
    ///
    /// # Errors
    ///
    /// The disk fails; then the frontier must be opened again.
    pub fn persist(&self) -> Result<(), Error> {
        Err(Error::Poisoned)
    }

    /// What is in the queues of all hosts or of one, those in flight included, host by host in the order in which they would be
    /// taken.
    #[must_use]
    pub fn queued(&self, _host: Option<&str>) -> Queued {
        Queued {}
    }
}

impl Iterator for Queued {
    type Item = Result<Wish, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}
