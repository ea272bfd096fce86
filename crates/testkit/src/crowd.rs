//! Many small sites on one server, which writes down when each was asked and when it answered.
//!
//! Their names mean this machine (RFC 6761, 6.3), so no name server is needed. A visit is taken to end when its answer
//! begins to be sent and to begin when its request has been read: the client cannot have had the one earlier, nor have sent
//! the other later. So a pause that seems too short is too short, however the machine schedules the server's threads.

// Arrivals are measured: that is what it is for.
#![allow(clippy::disallowed_methods)]

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::server::{Place, Server, reply};

/// The sites, running.
#[derive(Debug)]
pub struct Crowd {
    server: Server,
    hosts: u64,
    visits: Arc<Mutex<Vec<Visit>>>,
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The host that was asked for.
    pub host: String,
    /// Path and query.
    pub target: String,
    /// When the request had been read, since the server's start.
    pub came: Duration,
    /// When the answer was about to be sent.
    pub answered: Duration,
}

impl Crowd {
    /// So many hosts with so many pages each, all of them linked from the first.
    pub fn start(hosts: u64, pages: u64) -> Crowd {
        let visits: Arc<Mutex<Vec<Visit>>> = Arc::default();
        let theirs = Arc::clone(&visits);
        let epoch = Instant::now();
        let server = Server::answering(&Place::forgetful(), move |wire, request| {
            let came = epoch.elapsed();
            let bytes = answer(request.host(), &request.target, pages);
            let (host, target) = (request.host().to_owned(), request.target.clone());
            let visit = Visit { host, target, came, answered: epoch.elapsed() };
            theirs.lock().unwrap_or_else(PoisonError::into_inner).push(visit);
            wire.send(&bytes)?;
            Ok(true)
        });
        Crowd { server, hosts, visits }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The front pages, one a line.
    pub fn seeds(&self) -> String {
        let port = self.address().port();
        (0..self.hosts).map(|host| format!("http://host-{host}.localhost:{port}/\n")).collect()
    }

    /// Everything that was asked for, in the order in which it came.
    pub fn visits(&self) -> Vec<Visit> {
        let mut visits = self.visits.lock().unwrap_or_else(PoisonError::into_inner).clone();
        visits.sort_by_key(|visit| visit.came);
        visits
    }
}

/// The shortest time between the end of a visit to a host and the start of the next, and where that was.
pub fn closest(visits: &[Visit]) -> Option<(&Visit, Duration)> {
    let mut last: HashMap<&str, Duration> = HashMap::new();
    let gaps = visits.iter().filter_map(|visit| {
        let before = last.insert(&visit.host, visit.answered)?;
        Some((visit, visit.came.saturating_sub(before)))
    });
    gaps.min_by_key(|(_, gap)| *gap)
}

/// How many visits began within this time after the first.
pub fn within(visits: &[Visit], from: Duration, to: Duration) -> usize {
    let first = visits.first().map_or(Duration::ZERO, |visit| visit.came);
    visits.iter().filter(|visit| (from..to).contains(&visit.came.saturating_sub(first))).count()
}

fn answer(host: &str, target: &str, pages: u64) -> Vec<u8> {
    let html = [("Content-Type", "text/html; charset=utf-8")];
    match target {
        "/robots.txt" => reply("200 OK", &[("Content-Type", "text/plain")], b"User-agent: *\nDisallow:\n"),
        "/" => {
            let links: String =
                (1..pages).map(|page| format!("<li><a href=\"/page-{page}\">{page}</a></li>\n")).collect();
            reply("200 OK", &html, format!("<title>{host}</title>\n<ul>\n{links}</ul>\n").as_bytes())
        }
        _ => {
            let text = format!("<title>{host}{target}</title>\n<p>{}</p>\n", target.repeat(100));
            reply("200 OK", &html, text.as_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(host: &str, came: u64, answered: u64) -> Visit {
        let time = Duration::from_millis;
        Visit { host: host.to_owned(), target: "/".to_owned(), came: time(came), answered: time(answered) }
    }

    #[test]
    fn the_closest_visits_are_of_the_same_host() {
        let visits = [visit("a", 0, 5), visit("b", 6, 7), visit("a", 1005, 1006), visit("b", 1006, 1010)];
        let (found, gap) = closest(&visits).unwrap();
        assert_eq!((found.host.as_str(), gap), ("b", Duration::from_millis(999)));
        assert_eq!(closest(&visits[..2]), None);
        assert_eq!(within(&visits, Duration::ZERO, Duration::from_secs(1)), 2);
    }
}
