//! How much there is of everything.

/// What the frontier holds and held. All of it is on disk and right after a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Entries that wait in the queues of their hosts; those in flight are not among them.
    pub queued: u64,
    /// Entries that were taken and neither settled nor given back. After an opening there are none.
    pub in_flight: u64,
    /// Entries that wait for a time.
    pub postponed: u64,
    /// Different URLs that were ever queued.
    pub seen: u64,
    /// Entries that were settled for good.
    pub done: u64,
    /// Entries that were dropped with their host.
    pub forgotten: u64,
    /// Wishes that found their distance full.
    pub over_width: u64,
    /// Hosts that have entries in their queues, in flight or not.
    pub hosts: u64,
}
