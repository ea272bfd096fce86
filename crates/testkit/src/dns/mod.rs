//! A small name server: it knows what a test tells it, and counts what it is asked.
//!
//! It answers over UDP and, on the same port, over TCP. What its [`Zone`] does not hold is answered with NXDOMAIN and an
//! SOA record, from which a resolver learns how long it may remember that.

mod message;
mod zone;

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use message::Question;
pub use zone::{NEGATIVE_TTL, Zone};

/// The kinds of records that it can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An IPv4 address.
    A,
    /// An IPv6 address.
    Aaaa,
    /// Anything else, by its number.
    Other(u16),
}

/// The name server, running.
#[derive(Debug)]
pub struct NameServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    zone: Mutex<Zone>,
    asked: Mutex<HashMap<(String, Kind), usize>>,
    by_tcp: Mutex<usize>,
    stopped: AtomicBool,
}

impl NameServer {
    /// Starts it on the IPv4 loopback.
    ///
    /// # Panics
    /// When no port can be had.
    pub fn start(zone: Zone) -> NameServer {
        let (udp, tcp) = sockets().expect("loopback has a free port for UDP and TCP");
        let address = udp.local_addr().expect("a bound socket has an address");
        // So that its thread looks up now and then and sees that the server has stopped.
        udp.set_read_timeout(Some(Duration::from_millis(20))).expect("the time is not zero");
        let shared = Arc::new(Shared {
            zone: Mutex::new(zone),
            asked: Mutex::default(),
            by_tcp: Mutex::default(),
            stopped: AtomicBool::new(false),
        });
        let (by_udp, by_tcp) = (Arc::clone(&shared), Arc::clone(&shared));
        let threads = vec![
            thread::spawn(move || serve_udp(&udp, &by_udp)),
            thread::spawn(move || serve_tcp(&tcp, &by_tcp)),
        ];
        NameServer { address, shared, threads }
    }

    /// Where it listens, for UDP and TCP alike.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How often this was asked for.
    pub fn asked(&self, name: &str, kind: Kind) -> usize {
        let asked = self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(&(name.to_ascii_lowercase(), kind)).copied().unwrap_or(0)
    }

    /// How many questions came over TCP.
    pub fn asked_by_tcp(&self) -> usize {
        *self.shared.by_tcp.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what it knows.
    pub fn change(&self, change: impl FnOnce(Zone) -> Zone) {
        let mut zone = self.shared.zone.lock().unwrap_or_else(PoisonError::into_inner);
        *zone = change(std::mem::take(&mut zone));
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.address));
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

impl Shared {
    /// The reply to a message; `None` for silence.
    fn reply(&self, query: &[u8], by_tcp: bool) -> Option<Vec<u8>> {
        let question = Question::parse(query)?;
        let key = (question.name.clone(), question.kind);
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
        if by_tcp {
            *self.by_tcp.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        }
        self.zone.lock().unwrap_or_else(PoisonError::into_inner).reply(&question, by_tcp)
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }
}

/// A UDP and a TCP socket with the same port. Another program may hold the second; then another port is tried.
fn sockets() -> io::Result<(UdpSocket, TcpListener)> {
    let mut tries = 0;
    loop {
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        match TcpListener::bind(udp.local_addr()?) {
            Ok(tcp) => return Ok((udp, tcp)),
            Err(error) if tries == 100 => return Err(error),
            Err(_) => tries += 1,
        }
    }
}

fn serve_udp(udp: &UdpSocket, shared: &Shared) {
    let mut query = [0; 4096];
    while !shared.is_stopped() {
        let Ok((length, from)) = udp.recv_from(&mut query) else { continue };
        if let Some(reply) = shared.reply(query.get(..length).unwrap_or_default(), false) {
            drop(udp.send_to(&reply, from));
        }
    }
}

fn serve_tcp(tcp: &TcpListener, shared: &Shared) {
    while let Ok((mut stream, _)) = tcp.accept() {
        if shared.is_stopped() {
            return;
        }
        // One after another is enough, as long as none keeps the others waiting.
        drop(stream.set_read_timeout(Some(Duration::from_millis(200))));
        while let Ok(true) = serve_one(&mut stream, shared) {}
    }
}

/// One question over TCP, which has its length before it; whether there may be another.
fn serve_one(stream: &mut TcpStream, shared: &Shared) -> io::Result<bool> {
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut query = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut query)?;
    let Some(reply) = shared.reply(&query, true) else { return Ok(false) };
    let length = u16::try_from(reply.len()).map_err(io::Error::other)?;
    stream.write_all(&[&length.to_be_bytes(), reply.as_slice()].concat())?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERY: &[u8] = b"\x07\x07\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x04test\x00\x00\x01\x00\x01";

    #[test]
    fn what_is_cut_off_by_udp_comes_by_tcp() {
        let server = NameServer::start(Zone::new().addresses_by_tcp("a.test", 30, &["192.0.2.1"]));
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        udp.send_to(QUERY, server.address()).unwrap();
        let mut reply = [0; 512];
        let length = udp.recv(&mut reply).unwrap();
        assert_eq!((reply[2] & 2, reply[7]), (2, 0), "{:?}", &reply[..length]);
        let mut tcp = TcpStream::connect(server.address()).unwrap();
        tcp.write_all(&[&[0, QUERY.len() as u8], QUERY].concat()).unwrap();
        let mut length = [0; 2];
        tcp.read_exact(&mut length).unwrap();
        let mut reply = vec![0; usize::from(u16::from_be_bytes(length))];
        tcp.read_exact(&mut reply).unwrap();
        assert_eq!((reply[2] & 2, reply[7]), (0, 1));
        assert!(reply.ends_with(&[192, 0, 2, 1]));
        assert_eq!((server.asked("A.test", Kind::A), server.asked_by_tcp()), (2, 1));
    }
}
