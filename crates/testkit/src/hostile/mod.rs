//! A site that wants a crawler to stay for ever: endless calendars, names, redirects, links and bodies.
//!
//! [`TRAPS`] lists what is in it, so that a suite can walk it and none is forgotten; the front page leads into each. Its
//! hosts are [`HOST`] and whatever stands before that name, all of which mean this machine (RFC 6761, 6.3), so no name
//! server is needed. Nothing is remembered of what passes but how often each trap was stepped into.
//!
//! What single servers get wrong is in [`misbehave`](crate::misbehave); what is here is well-formed and has no end.

mod traps;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::server::{Place, Server};

/// The name of its front page's host.
pub const HOST: &str = "hostile.localhost";

/// How many links a crowded page has.
pub const LINKS: u64 = 100_000;

/// How many slow hosts there are, and as many silent ones.
pub const SLOW_HOSTS: u64 = 10;

/// One trap.
#[derive(Clone, Copy, Debug)]
pub struct Trap {
    /// The first part of its paths, or of its host names.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// Whether it is a host of its own, before [`HOST`].
    pub is_host: bool,
}

const fn path(name: &'static str, what: &'static str) -> Trap {
    Trap { name, what, is_host: false }
}

const fn host(name: &'static str, what: &'static str) -> Trap {
    Trap { name, what, is_host: true }
}

/// Everything that is in wait.
pub const TRAPS: [Trap; 12] = [
    path("calendar", "months and days for ever, both ways"),
    path("crowded", "pages of a hundred thousand links to more of the same"),
    path("maze", "redirects to further redirects, never twice the same"),
    path("loop", "redirects in a circle"),
    path("bomb", "ten gigabytes under ten megabytes of gzip"),
    path("longer", "each link is longer than the one before"),
    path("session", "the same few pages, with a new session in each link"),
    path("soft", "whatever one asks for is said to be missing, with status 200 and more links"),
    path("endless", "a body without end"),
    host("more", "each host leads to three new ones"),
    host("slow", "a byte a second"),
    host("silent", "takes the request and says nothing"),
];

/// The site, running.
#[derive(Debug)]
pub struct Hostile {
    server: Server,
    asked: Arc<Mutex<BTreeMap<&'static str, u64>>>,
}

impl Hostile {
    /// Starts it on the IPv4 loopback.
    pub fn start() -> Hostile {
        let asked: Arc<Mutex<BTreeMap<&'static str, u64>>> = Arc::default();
        let theirs = Arc::clone(&asked);
        let server = Server::answering(&Place::forgetful(), move |wire, request| {
            let trap = traps::of(request);
            *theirs.lock().unwrap_or_else(PoisonError::into_inner).entry(trap).or_default() += 1;
            traps::spring(trap, wire, request)
        });
        Hostile { server, asked }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The front page.
    pub fn url(&self) -> String {
        format!("http://{HOST}:{}/", self.address().port())
    }

    /// How often each trap was stepped into; `robots.txt` and the front page have their own names.
    pub fn asked(&self) -> BTreeMap<&'static str, u64> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    /// The first bytes of an answer: some have no end.
    fn ask(site: &Hostile, host: &str, path: &str, bytes: usize) -> String {
        let stream = TcpStream::connect(site.address()).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}:80\r\nConnection: close\r\n\r\n");
        (&stream).write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        stream.take(bytes as u64).read_to_end(&mut reply).unwrap();
        String::from_utf8_lossy(&reply).into_owned()
    }

    /// In the order in which they stand there.
    fn links(page: &str) -> Vec<&str> {
        page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
    }

    #[test]
    fn the_front_page_leads_into_every_trap() {
        let site = Hostile::start();
        let front = ask(&site, HOST, "/", usize::MAX);
        for trap in TRAPS {
            let start =
                if trap.is_host { format!("http://{}-", trap.name) } else { format!("/{}/", trap.name) };
            assert!(links(&front).iter().any(|link| link.starts_with(&start)), "{}", trap.name);
        }
        assert_eq!(site.asked(), BTreeMap::from([("front", 1)]));
    }

    #[test]
    fn a_trap_leads_deeper_into_itself() {
        let site = Hostile::start();
        for (start, name) in [
            ("/calendar/2026/11", "/calendar/"),
            ("/longer/a", "/longer/"),
            ("/session/1?sid=1", "/session/"),
            ("/soft/a", "/soft/"),
        ] {
            let first = ask(&site, HOST, start, usize::MAX);
            let next = *links(&first).iter().find(|link| link.starts_with(name)).unwrap();
            let second = ask(&site, HOST, next, usize::MAX);
            let new = links(&second).into_iter().filter(|link| !links(&first).contains(link)).count();
            assert!(new > 0, "{start} has an end");
        }
        let crowded = ask(&site, HOST, "/crowded/1", usize::MAX);
        assert_eq!(links(&crowded).into_iter().collect::<HashSet<_>>().len() as u64, LINKS);
        let more = ask(&site, "more-5.hostile.localhost", "/", usize::MAX);
        assert!(more.contains("href=\"http://more-16.hostile.localhost:80/\""), "{more}");
    }

    #[test]
    fn what_has_no_end_goes_on_and_circles_close() {
        let site = Hostile::start();
        assert_eq!(ask(&site, HOST, "/endless/1", 1 << 20).len(), 1 << 20);
        assert!(ask(&site, HOST, "/bomb/1", 300).contains("Content-Encoding: gzip"));
        assert!(ask(&site, HOST, "/loop/1", usize::MAX).contains("Location: /loop/2\r\n"));
        assert!(ask(&site, HOST, "/loop/3", usize::MAX).contains("Location: /loop/1\r\n"));
        let maze = ask(&site, HOST, "/maze/1", usize::MAX);
        assert!(maze.contains("Location: /maze/") && !maze.contains("/maze/1\r\n"), "{maze}");
    }
}
