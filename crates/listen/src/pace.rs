//! How fast a client sends a request body or reads a response.
//!
//! Only the time that the server waits for the client counts, so that a transfer may take hours, and a handler may take its time.

use std::time::Duration;

use tokio::time::Instant;

use crate::Limits;

/// A client that was slow for long and became fast again is not judged by more than this.
const LAG_MAX: Duration = Duration::from_secs(30);

/// What the server waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// The client sends a request body.
    Upload,
    /// The client reads a response.
    Response,
}

/// The pace of one transfer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace {
    waiting_since: Option<Instant>,
    /// Bytes since the count for the lowest rate began, and how long the server waited for them.
    bytes: u64,
    waited: Duration,
    /// How much longer the server waited than for a client that moves `flow_rate` bytes per second.
    lag: Duration,
}

impl Pace {
    /// Notes that the server waits for the client. Returns when the client is below the lowest rate.
    pub(crate) fn wait(&mut self, transfer: Transfer, limits: &Limits) -> Instant {
        let since = *self.waiting_since.get_or_insert_with(Instant::now);
        since + transfer.lowest(limits).1.saturating_sub(self.waited)
    }

    /// Notes that the client moved bytes, and that the server no longer waits for it.
    pub(crate) fn move_bytes(&mut self, bytes: u64, transfer: Transfer, limits: &Limits) {
        let waited = self.waiting_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        let due = Duration::from_micros(bytes.saturating_mul(1_000_000) / limits.flow_rate.max(1));
        self.lag = (self.lag + waited).saturating_sub(due).min(LAG_MAX);
        self.waited += waited;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes >= transfer.lowest(limits).0 {
            (self.bytes, self.waited) = (0, Duration::ZERO);
        }
    }

    /// Since when the transfer has stalled, if the server waits for it and it does not flow.
    pub(crate) fn stalled_since(&self, limits: &Limits) -> Option<Instant> {
        let since = self.waiting_since?;
        let since = since.checked_sub(self.lag).unwrap_or(since);
        (since.elapsed() >= limits.stall_time).then_some(since)
    }
}

impl Transfer {
    /// The bytes that a client must move, and the time that the server waits for them.
    fn lowest(self, limits: &Limits) -> (u64, Duration) {
        match self {
            Transfer::Upload => (limits.body_bytes_min, limits.body_time),
            Transfer::Response => (limits.write_bytes_min, limits.write_time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves so many bytes after each of these waits, and says whether the client has then stalled one second into the next.
    async fn has_stalled(bytes: u64, waits: &[u64]) -> bool {
        let (limits, mut pace) = (Limits::default(), Pace::default());
        for wait in waits {
            pace.wait(Transfer::Upload, &limits);
            tokio::time::advance(Duration::from_secs(*wait)).await;
            pace.move_bytes(bytes, Transfer::Upload, &limits);
        }
        pace.wait(Transfer::Upload, &limits);
        tokio::time::advance(Duration::from_secs(1)).await;
        pace.stalled_since(&limits).is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn a_transfer_stalls_below_the_flow_rate_and_recovers_above_it() {
        assert!(!has_stalled(16 << 10, &[1; 100]).await);
        assert!(has_stalled(1700, &[1; 100]).await);
        assert!(!has_stalled(64 << 10, &[4, 1, 1]).await);
        assert!(!has_stalled(0, &[]).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_transfer_that_the_server_does_not_wait_for_never_stalls() {
        let (limits, mut pace) = (Limits::default(), Pace::default());
        pace.wait(Transfer::Response, &limits);
        pace.move_bytes(1, Transfer::Response, &limits);
        tokio::time::advance(Duration::from_secs(100)).await;
        assert_eq!(pace.stalled_since(&limits), None);
    }
}
