//! Names to addresses, within a time: the system's own lookup may wait for name servers for minutes, or for ever.
//!
//! It waits on a thread of its own. Those that hang are few at most: beyond that nothing is looked up until one has ended.

use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Lookups that may wait at once.
const WAITING_MAX: usize = 16;

static WAITING: AtomicUsize = AtomicUsize::new(0);

/// The addresses of a host.
pub(crate) fn addresses(host: &str, port: u16, time: Duration) -> io::Result<Vec<SocketAddr>> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let name = host.to_owned();
    within(time, &WAITING, move || Ok((name.as_str(), port).to_socket_addrs()?.collect()))
}

/// Does something that may hang, and waits no longer than this time.
fn within<T: Send + 'static>(
    time: Duration,
    waiting: &'static AtomicUsize,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let late = |why: &str| io::Error::new(io::ErrorKind::TimedOut, why);
    if waiting.fetch_add(1, Ordering::SeqCst) >= WAITING_MAX {
        waiting.fetch_sub(1, Ordering::SeqCst);
        return Err(late("too many name lookups hang"));
    }
    let (sender, receiver) = mpsc::channel();
    let spawned = thread::Builder::new().name("lookup".to_owned()).spawn(move || {
        let done = work();
        waiting.fetch_sub(1, Ordering::SeqCst);
        // Nobody may wait any more.
        let _ = sender.send(done);
    });
    if let Err(error) = spawned {
        waiting.fetch_sub(1, Ordering::SeqCst);
        return Err(error);
    }
    match receiver.recv_timeout(time) {
        Ok(done) => done,
        Err(RecvTimeoutError::Timeout) => Err(late("its name was not looked up in time")),
        Err(RecvTimeoutError::Disconnected) => {
            Err(io::Error::other("the lookup has ended without an answer"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lookup_that_hangs_is_given_up_and_those_that_hang_are_bounded() {
        static HANGING: AtomicUsize = AtomicUsize::new(0);
        let mut ends = Vec::new();
        for number in 0..WAITING_MAX + 2 {
            let (end, wait) = mpsc::channel::<()>();
            let hung = within(Duration::from_millis(1), &HANGING, move || {
                let _ = wait.recv();
                Ok(())
            });
            assert_eq!(hung.unwrap_err().kind(), io::ErrorKind::TimedOut, "{number}");
            ends.push(end);
        }
        assert_eq!(HANGING.load(Ordering::SeqCst), WAITING_MAX);
        drop(ends);
        while HANGING.load(Ordering::SeqCst) > 0 {
            thread::yield_now();
        }
        assert_eq!(within(Duration::from_secs(60), &HANGING, || Ok(7)).unwrap(), 7);
    }

    #[test]
    fn an_address_needs_no_lookup() {
        for (host, shown) in [("192.0.2.1", "192.0.2.1:25"), ("::1", "[::1]:25")] {
            let found = addresses(host, 25, Duration::ZERO).unwrap();
            assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [shown]);
        }
    }
}
