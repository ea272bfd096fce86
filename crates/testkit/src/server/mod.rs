//! A server on loopback that does exactly what a test tells it, and remembers everything that passed.
//!
//! It runs on threads and blocking sockets, so that any test can use it, with or without a runtime of its own. Its port
//! is chosen by the system. Dropping it cuts every connection and waits for its threads: nothing outlives the test.

mod dead_end;
mod guestbook;
mod reply;
mod request;
mod wire;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rustls::ServerConfig;

pub use dead_end::DeadEnd;
pub use guestbook::{KEPT_BYTES_MAX, Seen};
pub use reply::{DATE, chunked, reply};
pub use request::Request;
pub use wire::Wire;

use guestbook::Guestbook;

/// A server that runs as long as this value lives.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    guestbook: Arc<Guestbook>,
    accepting: Option<JoinHandle<()>>,
}

/// Where to listen, and whether to speak TLS there.
#[derive(Clone, Debug)]
pub struct Place {
    /// The address to bind.
    pub ip: IpAddr,
    /// With this, every connection starts with a handshake.
    pub tls: Option<Arc<ServerConfig>>,
    /// What passes is not remembered: for servers that send gigabytes.
    pub is_forgetful: bool,
}

impl Default for Place {
    fn default() -> Self {
        Place { ip: Ipv4Addr::LOCALHOST.into(), tls: None, is_forgetful: false }
    }
}

impl Place {
    /// The IPv6 loopback, where this machine has one.
    pub fn v6() -> Option<Place> {
        let ip = IpAddr::from(Ipv6Addr::LOCALHOST);
        TcpListener::bind((ip, 0)).is_ok().then_some(Place { ip, ..Place::default() })
    }

    /// The IPv4 loopback, for a server that remembers nothing of what passes.
    pub fn forgetful() -> Place {
        Place { is_forgetful: true, ..Place::default() }
    }

    /// The IPv4 loopback, with TLS.
    pub fn tls(config: Arc<ServerConfig>) -> Place {
        Place { tls: Some(config), ..Place::default() }
    }
}

impl Server {
    /// Starts a server; `serve` has each connection from its first byte to its last, on a thread of its own. That it
    /// ends with an error is nothing special: clients go away.
    ///
    /// # Panics
    /// When no port can be had.
    #[track_caller]
    pub fn start(
        place: &Place,
        serve: impl Fn(&mut Wire) -> io::Result<()> + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind((place.ip, 0)).expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let guestbook = Arc::new(Guestbook::new(place.is_forgetful));
        let (theirs, tls) = (Arc::clone(&guestbook), place.tls.clone());
        let serve = Arc::new(serve);
        let accepting = thread::spawn(move || {
            let mut threads = Vec::new();
            while let Ok((tcp, _)) = listener.accept() {
                if theirs.is_stopped() {
                    break;
                }
                threads.retain(|thread: &JoinHandle<()>| !thread.is_finished());
                let (serve, guestbook, tls) = (Arc::clone(&serve), Arc::clone(&theirs), tls.clone());
                threads.push(thread::spawn(move || connection(tcp, &guestbook, tls, serve.as_ref())));
            }
            // A thread that panicked has said so on standard error already.
            threads.into_iter().for_each(|thread| drop(thread.join()));
        });
        Server { address, guestbook, accepting: Some(accepting) }
    }

    /// A server that reads each request and lets `answer` reply to it, for as long as the client keeps the connection
    /// and `answer` says `true`.
    #[track_caller]
    pub fn answering(
        place: &Place,
        answer: impl Fn(&mut Wire, &Request) -> io::Result<bool> + Send + Sync + 'static,
    ) -> Server {
        Server::start(place, move |wire| {
            while let Some(request) = wire.request()? {
                if !answer(wire, &request)? {
                    break;
                }
            }
            wire.finish()
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A URL on it, by its address.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How many connections were accepted so far.
    pub fn connections(&self) -> usize {
        self.guestbook.connections()
    }

    /// Every request so far with what was answered, in the order in which they arrived.
    pub fn seen(&self) -> Vec<Seen> {
        self.guestbook.seen()
    }

    /// The last request for this target, as it stands in the request line, with what was answered.
    ///
    /// # Panics
    /// When there was none.
    #[track_caller]
    pub fn last(&self, target: &str) -> Seen {
        self.last_where(|seen| seen.target() == target).unwrap_or_else(|| panic!("nobody asked for {target}"))
    }

    /// The last request of which this holds, if there was one.
    pub fn last_where(&self, is_wanted: impl Fn(&Seen) -> bool) -> Option<Seen> {
        self.guestbook.last(is_wanted)
    }

    /// Forgets what was seen, not how many connections there were.
    pub fn forget(&self) {
        self.guestbook.forget();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.guestbook.stop();
        // Whoever waits in `accept` wakes up by a connection only.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.accepting.take() {
            drop(thread.join());
        }
    }
}

/// One connection from accept to close. Errors end it: the client is gone, or the server stops.
fn connection(
    tcp: TcpStream,
    guestbook: &Arc<Guestbook>,
    tls: Option<Arc<ServerConfig>>,
    serve: &dyn Fn(&mut Wire) -> io::Result<()>,
) {
    let Ok(number) = guestbook.opened(&tcp) else { return };
    if let Ok(mut wire) = Wire::new(tcp, tls, Arc::clone(guestbook), number) {
        drop(serve(&mut wire));
    }
    guestbook.closed(number);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};

    fn ask(server: &Server, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    #[test]
    fn what_passed_is_remembered() {
        let server = Server::answering(&Place::default(), |wire, _| {
            wire.send(b"HTTP/1.1 204 No Content\r\n\r\n")?;
            Ok(false)
        });
        let answer = ask(&server, b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
        let seen = server.last("/a");
        assert_eq!(seen.request, b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(seen.reply, answer);
        assert_eq!(server.connections(), 1);
    }

    #[test]
    fn a_dropped_server_cuts_whoever_waits() {
        let server = Server::start(&Place::default(), Wire::hang);
        let mut stream = TcpStream::connect(server.address()).unwrap();
        // The connection is there once the server says so.
        crate::until("the server has the connection", || server.connections() > 0);
        drop(server);
        assert!(matches!(stream.read(&mut [0; 1]), Ok(0) | Err(_)));
    }

    #[test]
    fn a_reset_is_a_reset() {
        let server = Server::answering(&Place::default(), |wire, _| {
            wire.send(b"HTTP/1.1 200 OK\r\n")?;
            wire.reset()
        });
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let error = stream.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}
