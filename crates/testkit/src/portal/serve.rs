//! The site on loopback, as slow as a test wants it, with a count of what was asked for.

// When it was asked for is measured, for benches.
#![allow(clippy::disallowed_methods)]

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Portal, What};
use crate::server::{Place, Request, Server, Wire, chunked, reply};

/// The site, running.
#[derive(Debug)]
pub struct Serving {
    server: Server,
    register: Arc<Register>,
}

/// How often each path was asked for.
#[derive(Debug, Default)]
struct Register {
    asked: Mutex<HashMap<String, u64>>,
    /// The first request and the last.
    span: Mutex<Option<(Instant, Instant)>>,
    bell: Condvar,
}

impl Register {
    fn asked(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, target: &str) {
        let now = Instant::now();
        let mut span = self.span.lock().unwrap_or_else(PoisonError::into_inner);
        *span = Some((span.map_or(now, |(first, _)| first), now));
        *self.asked().entry(target.to_owned()).or_default() += 1;
        self.bell.notify_all();
    }
}

impl Portal {
    /// Serves it on the IPv4 loopback, under whatever name one asks for. Each answer waits for `pause` first.
    pub fn serve(&self, pause: Duration) -> Serving {
        let places: HashMap<String, What> = self.everything().map(|what| (self.path(what), what)).collect();
        let register = Arc::new(Register::default());
        let (portal, theirs) = (self.clone(), Arc::clone(&register));
        let server = Server::answering(&Place::forgetful(), move |wire, request| {
            theirs.note(&request.target);
            wire.pause(pause)?;
            answer(&portal, places.get(&request.target).copied(), wire, request)
        });
        Serving { server, register }
    }
}

impl Serving {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// A URL on it, under this name.
    pub fn url(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.address().port())
    }

    /// How often each path was asked for, `/robots.txt` aside.
    pub fn asked(&self) -> HashMap<String, u64> {
        let mut asked = self.register.asked().clone();
        asked.remove("/robots.txt");
        asked
    }

    /// Waits until so many different paths have been asked for, `/robots.txt` among them. False: it took too long.
    pub fn wait_for(&self, paths: usize, at_most: Duration) -> bool {
        let waiting = |asked: &mut HashMap<String, u64>| asked.len() < paths;
        let waited = self.register.bell.wait_timeout_while(self.register.asked(), at_most, waiting);
        let (asked, _) = waited.unwrap_or_else(PoisonError::into_inner);
        asked.len() >= paths
    }

    /// How much time lay between the first request and the last.
    pub fn span(&self) -> Duration {
        let span = self.register.span.lock().unwrap_or_else(PoisonError::into_inner);
        span.map_or(Duration::ZERO, |(first, last)| last.duration_since(first))
    }

    /// Starts counting anew.
    pub fn forget(&self) {
        *self.register.span.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.register.asked().clear();
    }
}

/// Answers one request; whether the connection stays open.
fn answer(portal: &Portal, what: Option<What>, wire: &mut Wire, request: &Request) -> io::Result<bool> {
    let found = what.and_then(|what| Some((what, portal.body(what)?)));
    let bytes = match (found, what.and_then(|what| portal.target(what))) {
        // Some come in chunks, as from programs that do not know the end when they begin.
        (Some((What::Page(number), body)), _) if number % 3 == 1 => {
            let pieces: Vec<&[u8]> = body.chunks(4096).collect();
            chunked("200 OK", &[("Content-Type", "text/html; charset=utf-8")], &pieces)
        }
        (Some((what, body)), _) => reply("200 OK", &[("Content-Type", media_type(what))], &body),
        (None, Some(target)) => reply("301 Moved Permanently", &[("Location", &target)], b"moved"),
        (None, None) if request.target == "/robots.txt" => {
            reply("200 OK", &[("Content-Type", "text/plain")], b"User-agent: *\nDisallow:\n")
        }
        (None, None) => reply("404 Not Found", &[("Content-Type", "text/plain")], b"not here"),
    };
    wire.send(&bytes)?;
    Ok(!request.field("connection").is_some_and(|value| value.eq_ignore_ascii_case("close")))
}

fn media_type(what: What) -> &'static str {
    match what {
        What::Page(_) | What::Print(_) | What::Query(_) => "text/html; charset=utf-8",
        What::Image(_) => "image/jpeg",
        What::Background(_) => "image/png",
        What::Style(_) => "text/css",
        What::Script(_) => "application/javascript",
        What::Data(_) => "application/json",
        What::Film => "video/mp4",
        What::Missing(_) | What::Redirect(_) => "text/plain",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    fn ask(serving: &Serving, path: &str) -> String {
        let mut stream = TcpStream::connect(serving.address()).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n").unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        String::from_utf8_lossy(&reply).into_owned()
    }

    #[test]
    fn it_is_served_as_it_is_and_counted() {
        let portal = Portal::new(100);
        let serving = portal.serve(Duration::ZERO);
        let front = String::from_utf8(portal.body(What::Page(0)).unwrap()).unwrap();
        assert!(ask(&serving, "/").ends_with(&front));
        assert!(ask(&serving, &portal.path(What::Page(1))).contains("\r\nTransfer-Encoding: chunked\r\n"));
        assert!(ask(&serving, &portal.path(What::Redirect(5))).starts_with("HTTP/1.1 301 "));
        assert!(ask(&serving, "/robots.txt").starts_with("HTTP/1.1 200 "));
        assert!(ask(&serving, "/").starts_with("HTTP/1.1 200 "));
        assert!(serving.wait_for(4, Duration::ZERO) && !serving.wait_for(5, Duration::ZERO));
        assert_eq!((serving.asked()["/"], serving.asked().len()), (2, 3));
    }
}
