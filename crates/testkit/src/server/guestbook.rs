//! What the threads of one server share: who is connected, what passed, and whether it is time to stop.

use std::collections::HashMap;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many bytes of each request and of each reply are remembered; the rest is counted.
pub const KEPT_BYTES_MAX: usize = 4 << 20;

/// One request, and what was sent after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The number of the connection, from 0.
    pub connection: usize,
    /// The request as it came: head, and body if it has one.
    pub request: Vec<u8>,
    /// What was sent from there on until the next request, at most [`KEPT_BYTES_MAX`] of it.
    pub reply: Vec<u8>,
    /// How many bytes that were.
    pub reply_bytes: u64,
}

impl Seen {
    /// The second word of the request line.
    pub fn target(&self) -> String {
        let line = self.request.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let word = line.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
        String::from_utf8_lossy(word).into_owned()
    }

    /// The values of a header field of the request.
    pub fn fields(&self, name: &str) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.request);
        let head = text.split("\r\n\r\n").next().unwrap_or_default();
        let lines = head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines
            .filter(|(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim().to_owned())
            .collect()
    }
}

/// The state of one server.
#[derive(Debug, Default)]
pub(super) struct Guestbook {
    /// Nothing is written down, only counted: for servers that send gigabytes.
    is_forgetful: bool,
    state: Mutex<State>,
    /// Rung when the server stops, for those who wait.
    bell: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    connections: usize,
    open: HashMap<usize, TcpStream>,
    seen: Vec<Seen>,
    /// Which entry of `seen` belongs to what a connection sends now.
    current: HashMap<usize, usize>,
}

impl Guestbook {
    pub(super) fn new(is_forgetful: bool) -> Guestbook {
        Guestbook { is_forgetful, ..Guestbook::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked leaves nothing half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a new connection in and numbers it.
    pub(super) fn opened(&self, tcp: &TcpStream) -> io::Result<usize> {
        let copy = tcp.try_clone()?;
        let mut state = self.state();
        let number = state.connections;
        state.connections += 1;
        if state.stopped {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        state.open.insert(number, copy);
        Ok(number)
    }

    /// Lets a connection go. This drops the last handle of its socket, so it must come after the wire's own end.
    pub(super) fn closed(&self, number: usize) {
        let mut state = self.state();
        state.open.remove(&number);
        state.current.remove(&number);
    }

    /// From here on what this connection sends answers this request.
    pub(super) fn asked(&self, connection: usize, request: &[u8]) {
        if self.is_forgetful {
            return;
        }
        let mut state = self.state();
        let place = state.seen.len();
        let kept = request.get(..KEPT_BYTES_MAX).unwrap_or(request).to_vec();
        state.seen.push(Seen { connection, request: kept, ..Seen::default() });
        state.current.insert(connection, place);
    }

    /// Remembers what is about to be sent.
    pub(super) fn sends(&self, connection: usize, bytes: &[u8]) {
        if self.is_forgetful {
            return;
        }
        let mut state = self.state();
        let place = state.current.get(&connection).copied();
        let Some(seen) = place.and_then(|place| state.seen.get_mut(place)) else { return };
        seen.reply_bytes += bytes.len() as u64;
        let room = KEPT_BYTES_MAX.saturating_sub(seen.reply.len());
        seen.reply.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
    }

    /// Waits, but not longer than the server lives; then an error ends the connection.
    pub(super) fn pause(&self, time: Duration) -> io::Result<()> {
        let waited = self.bell.wait_timeout_while(self.state(), time, |state| !state.stopped);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.stopped { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }

    /// Wakes whoever waits and cuts every connection.
    pub(super) fn stop(&self) {
        let mut state = self.state();
        state.stopped = true;
        state.open.values().for_each(|tcp| drop(tcp.shutdown(Shutdown::Both)));
        self.bell.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    pub(super) fn connections(&self) -> usize {
        self.state().connections
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        self.state().seen.clone()
    }

    /// The last request of this kind. Only that one is copied: replies may be long, and many.
    pub(super) fn last(&self, is_wanted: impl Fn(&Seen) -> bool) -> Option<Seen> {
        self.state().seen.iter().rev().find(|seen| is_wanted(seen)).cloned()
    }

    pub(super) fn forget(&self) {
        let mut state = self.state();
        state.seen.clear();
        state.current.clear();
    }
}
