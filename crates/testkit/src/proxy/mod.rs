//! Proxies that take note of what passes: HTTP (whole URLs and `CONNECT`) and SOCKS5.
//!
//! Names are looked up in a map that the test gives, never outside: what is not in it cannot be reached.

mod http;
mod relay;
mod socks;

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use crate::server::{Place, Seen, Server};

/// How a proxy behaves.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Names and addresses, as clients spell them, and where they really lead. Each may stand with a port, `host:port`.
    pub hosts: HashMap<String, SocketAddr>,
    /// Without this user and password nobody passes.
    pub credentials: Option<(String, String)>,
    /// Everything is refused.
    pub refuses: bool,
}

impl Rules {
    /// Leads every one of these hosts to one address.
    pub fn to(address: SocketAddr, hosts: &[&str]) -> Rules {
        Rules { hosts: hosts.iter().map(|host| ((*host).to_owned(), address)).collect(), ..Rules::default() }
    }

    /// Where a host leads.
    fn connect(&self, host: &str, port: u16) -> io::Result<TcpStream> {
        let exact = self.hosts.get(&format!("{host}:{port}"));
        let address = exact.or_else(|| self.hosts.get(host)).ok_or(io::ErrorKind::NotFound)?;
        TcpStream::connect(address)
    }
}

/// What was asked of a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// `GET`, `CONNECT`, … or `SOCKS5`.
    pub method: String,
    /// The host as the client spelled it.
    pub host: String,
    /// And the port.
    pub port: u16,
    /// Whether it got through.
    pub passed: bool,
}

/// A proxy, running.
#[derive(Debug)]
pub struct Proxy {
    server: Server,
    passages: Arc<Mutex<Vec<Passage>>>,
}

/// The list of what passed, as those see it who add to it.
#[derive(Clone, Debug)]
struct Book(Arc<Mutex<Vec<Passage>>>);

impl Book {
    fn note(&self, method: &str, host: &str, port: u16, passed: bool) {
        let passage = Passage { method: method.to_owned(), host: host.to_owned(), port, passed };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(passage);
    }
}

impl Proxy {
    /// An HTTP proxy.
    pub fn http(rules: Rules) -> Proxy {
        let passages = Arc::default();
        let book = Book(Arc::clone(&passages));
        Proxy {
            server: Server::start(&Place::default(), move |wire| http::serve(wire, &rules, &book)),
            passages,
        }
    }

    /// A SOCKS5 proxy.
    pub fn socks5(rules: Rules) -> Proxy {
        let passages = Arc::default();
        let book = Book(Arc::clone(&passages));
        Proxy {
            server: Server::start(&Place::default(), move |wire| socks::serve(wire, &rules, &book)),
            passages,
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// What was asked of it, in order.
    pub fn passages(&self) -> Vec<Passage> {
        self.passages.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The requests as they came; a SOCKS proxy reads none.
    pub fn seen(&self) -> Vec<Seen> {
        self.server.seen()
    }

    /// How many connections were accepted.
    pub fn connections(&self) -> usize {
        self.server.connections()
    }
}

/// `host:port` taken apart; the host of an IPv6 address keeps no brackets.
fn host_and_port(text: &str, default: u16) -> (String, u16) {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().unwrap_or(default)),
        _ => (text, default),
    };
    (host.trim_start_matches('[').trim_end_matches(']').to_owned(), port)
}

/// The address of a host that is one.
fn literal(bytes: &[u8]) -> Option<IpAddr> {
    match bytes.len() {
        4 => <[u8; 4]>::try_from(bytes).ok().map(IpAddr::from),
        16 => <[u8; 16]>::try_from(bytes).ok().map(IpAddr::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::Site;
    use std::io::{Read as _, Write as _};

    #[test]
    fn an_http_proxy_passes_requests_on() {
        let site = Site::start();
        let proxy = Proxy::http(Rules::to(site.address(), &["www.varve.test"]));
        let mut stream = TcpStream::connect(proxy.address()).unwrap();
        let request = b"GET http://www.varve.test/data.json HTTP/1.1\r\nHost: www.varve.test\r\n\r\n";
        stream.write_all(request).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.contains("/articles/2"), "{reply}");
        assert_eq!(site.last("/data.json").fields("host"), ["www.varve.test"]);
        let passage = Passage { method: "GET".into(), host: "www.varve.test".into(), port: 80, passed: true };
        assert_eq!(proxy.passages(), [passage]);
    }

    #[test]
    fn a_tunnel_carries_anything() {
        let site = Site::start();
        let proxy = Proxy::http(Rules::to(site.address(), &["www.varve.test"]));
        let mut stream = TcpStream::connect(proxy.address()).unwrap();
        stream.write_all(b"CONNECT www.varve.test:443 HTTP/1.1\r\nHost: www.varve.test:443\r\n\r\n").unwrap();
        let mut reply = [0; 39];
        stream.read_exact(&mut reply).unwrap();
        assert_eq!(&reply, b"HTTP/1.1 200 Connection established\r\n\r\n");
        stream
            .write_all(b"GET /empty HTTP/1.1\r\nHost: www.varve.test\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
        assert!(rest.starts_with("HTTP/1.1 200 OK\r\n"), "{rest}");
    }

    #[test]
    fn hosts_and_ports_come_apart() {
        assert_eq!(host_and_port("a.test:8080", 80), ("a.test".into(), 8080));
        assert_eq!(host_and_port("a.test", 80), ("a.test".into(), 80));
        assert_eq!(host_and_port("[::1]:8080", 80), ("::1".into(), 8080));
        assert_eq!(host_and_port("[::1]", 80), ("::1".into(), 80));
    }
}
