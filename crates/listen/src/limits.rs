//! How many connections a listener has, and how long each phase of one takes.

use std::time::Duration;

/// Connections of a listener, however many descriptors there are: each costs memory for its buffers.
const CONNECTIONS_MAX: usize = 2048;

/// Connections of a listener, however few descriptors there are.
const CONNECTIONS_MIN: usize = 16;

/// Limits of one listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Connections of the listener.
    pub connections: usize,
    /// Connections of one client address on this listener.
    pub per_address: usize,
    /// Bytes of a request head.
    pub head_bytes: usize,
    /// Time from the first byte of a request head to its last.
    pub head_time: Duration,
    /// Time that a connection stays open without a request.
    pub idle_time: Duration,
    /// Time that a client may make the server wait for the next `body_bytes_min` bytes of a request body.
    pub body_time: Duration,
    /// Bytes of a body that a client must send within `body_time`.
    pub body_bytes_min: u64,
    /// Time that a client may make the server wait until it has read the next `write_bytes_min` bytes of a response.
    pub write_time: Duration,
    /// Bytes of a response that a client must read within `write_time`.
    pub write_bytes_min: u64,
    /// Bytes per second of a transfer that flows. Slower ones may be closed for newcomers.
    pub flow_rate: u64,
    /// How far a transfer may fall behind `flow_rate` before it may be closed for a newcomer.
    pub stall_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: CONNECTIONS_MAX,
            per_address: CONNECTIONS_MAX / 2,
            head_bytes: 64 << 10,
            head_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(60),
            body_time: Duration::from_secs(30),
            body_bytes_min: 4 << 10,
            write_time: Duration::from_secs(60),
            write_bytes_min: 64 << 10,
            flow_rate: 16 << 10,
            stall_time: Duration::from_secs(2),
        }
    }
}

impl Limits {
    /// Limits for each of several listeners of a process that may have this many file descriptors. All listeners together get half of
    /// them; the rest is for harvests and the archive.
    #[must_use]
    pub fn for_descriptors(descriptors: u64, listeners: usize) -> Limits {
        let descriptors = usize::try_from(descriptors).unwrap_or(usize::MAX);
        let share = descriptors / 2 / listeners.max(1);
        let connections = share.clamp(CONNECTIONS_MIN, CONNECTIONS_MAX);
        Limits { connections, per_address: connections / 2, ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(descriptors: u64, listeners: usize, connections: usize) {
        let limits = Limits::for_descriptors(descriptors, listeners);
        assert_eq!((limits.connections, limits.per_address), (connections, connections / 2), "{descriptors}");
    }

    #[test]
    fn listeners_share_half_of_the_descriptors() {
        check(1024, 3, 170);
        check(1024, 2, 256);
        check(20_000, 3, 2048);
        check(u64::MAX, 1, 2048);
        check(0, 0, 16);
    }
}
