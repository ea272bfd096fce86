//! An ordinary little web site: what a crawler meets on a good day.
//!
//! Everything it holds is made in code, so a test can say what it expects. The pages link to each other: from the front
//! page a crawler that follows every link and embed finds all of [`PAGES`] but those that only a test asks for. It
//! answers to several names ([`HOSTS`]); a client that is told to find them at [`Site::address`] sees a small web.

mod answer;
mod coded;
mod content;
mod pages;

use std::io;
use std::net::SocketAddr;

use crate::server::{Place, Request, Seen, Server, Wire};

pub use content::{image, large, page_of, utf16_page};
pub use pages::{HOSTS, PAGES, Page};

/// The site, running.
#[derive(Debug)]
pub struct Site {
    server: Server,
}

impl Site {
    /// Starts it on the IPv4 loopback.
    pub fn start() -> Site {
        Site::start_at(&Place::default())
    }

    /// Starts it elsewhere, or with TLS.
    pub fn start_at(place: &Place) -> Site {
        Site { server: Server::answering(place, serve) }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// A URL on its first host, `www.varve.test`, with the port it listens on.
    pub fn url(&self, path: &str) -> String {
        let [host, ..] = HOSTS;
        self.url_on(host, path)
    }

    /// A URL on one of its hosts.
    pub fn url_on(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.address().port())
    }

    /// How many connections were accepted.
    pub fn connections(&self) -> usize {
        self.server.connections()
    }

    /// Every request so far, with what was answered.
    pub fn seen(&self) -> Vec<Seen> {
        self.server.seen()
    }

    /// The last request for this target.
    ///
    /// # Panics
    /// When there was none.
    #[track_caller]
    pub fn last(&self, target: &str) -> Seen {
        self.server.last(target)
    }
}

/// Answers one request; whether the connection stays open.
fn serve(wire: &mut Wire, request: &Request) -> io::Result<bool> {
    let mut bytes = answer::to(request);
    if request.method == "HEAD" {
        let head = bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(bytes.len(), |at| at + 4);
        bytes.truncate(head);
    }
    wire.send(&bytes)?;
    // What is sent without a length ends with its connection.
    let head =
        String::from_utf8_lossy(bytes.get(..bytes.len().min(1024)).unwrap_or_default()).to_ascii_lowercase();
    let head = head.split("\r\n\r\n").next().unwrap_or_default();
    let closes = head.contains("\r\nconnection: close") || head.starts_with("http/1.0");
    let asked_to = request.field("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    Ok(!closes && !asked_to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    fn ask(site: &Site, path: &str) -> String {
        let mut stream = TcpStream::connect(site.address()).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: www.varve.test\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn every_page_has_its_status_and_type() {
        let site = Site::start();
        for page in PAGES {
            let answer = ask(&site, page.path);
            let status: u16 = answer.split(' ').nth(1).unwrap().parse().unwrap();
            assert_eq!(status, page.status, "{}", page.path);
            let head = answer.split("\r\n\r\n").next().unwrap().to_ascii_lowercase().replace(": ", ":");
            let has_type = head.contains(&format!("\r\ncontent-type:{}", page.media_type));
            assert!(page.media_type.is_empty() || has_type, "{}", page.path);
        }
    }

    #[test]
    fn no_path_stands_in_the_table_twice() {
        let paths: HashSet<&str> = PAGES.iter().map(|page| page.path).collect();
        assert_eq!(paths.len(), PAGES.len());
    }

    #[test]
    fn the_front_page_leads_to_everything_that_is_linked() {
        let site = Site::start();
        let everything = ask(&site, "/") + &ask(&site, "/sitemap.xml");
        for page in PAGES.iter().filter(|page| page.is_linked && page.path != "/") {
            assert!(everything.contains(&format!("{}\"", page.path)), "{}", page.path);
            assert!(everything.contains(&format!("{}<", page.path)), "{}", page.path);
        }
    }

    #[test]
    fn what_is_not_there_says_so_with_a_page() {
        let answer = ask(&Site::start(), "/nothing/here");
        assert!(answer.starts_with("HTTP/1.1 404 Not Found\r\n") && answer.contains("<h1>"));
    }
}
