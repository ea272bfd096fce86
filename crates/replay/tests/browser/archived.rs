//! Pages of the testkit, packed into an archive by asking their live server for every file.

use std::io::{Read, Write};
use std::net::TcpStream;

use testkit::difficult::{Body, File, Page, Site};

use crate::world::{Server, World, record};

/// When pages were captured. What they are made of came after them, each file in another second, as in a real crawl.
pub(crate) const TIME: &str = "20261116080000";

/// An archive of pages, served.
pub(crate) struct Archived {
    pub(crate) server: Server,
    _world: World,
}

impl Archived {
    pub(crate) fn of(site: &Site, pages: &[Page]) -> Archived {
        Archived::with(site, pages, false)
    }

    /// With time and chance as at the capture.
    pub(crate) fn pinned(site: &Site, pages: &[Page]) -> Archived {
        Archived::with(site, pages, true)
    }

    fn with(site: &Site, pages: &[Page], is_pinned: bool) -> Archived {
        let mut records = Vec::new();
        for page in pages {
            for (number, file) in page.files.iter().enumerate() {
                records.extend(packed(site, page, file, &format!("202611160800{:02}", number % 60)));
            }
        }
        let world = World::of(&records);
        let settings = replay::Settings { is_pinned, ..world.settings() };
        Archived { server: Server::start(settings), _world: world }
    }

    /// Replay's own origin.
    pub(crate) fn origin(&self) -> String {
        format!("http://localhost:{}", self.server.address.port())
    }

    /// Where a URL is shown.
    pub(crate) fn shown(&self, modifier: &str, url: &str) -> String {
        format!("{}/web/{TIME}{modifier}/{url}", self.origin())
    }
}

/// The records of one file: the answer, and the request with it where that matters.
fn packed(site: &Site, page: &Page, file: &File, time: &str) -> Vec<Vec<u8>> {
    let url = file.url(page.name, site.port());
    let (method, body) = match file.body {
        Body::Reply(asked, _) => ("POST", asked),
        _ => ("GET", ""),
    };
    let kind = if body.starts_with('{') { "application/json" } else { "application/x-www-form-urlencoded" };
    let host = url.trim_start_matches("http://").split('/').next().unwrap();
    let mut request = format!("{method} {} HTTP/1.1\r\nHost: {host}\r\n", file.path);
    if method == "POST" {
        request += &format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
    }
    request += &format!("\r\n{body}");
    let answer = asked(site, &request);
    let response = record("response", "application/http; msgtype=response", &url, time, "", &answer);
    if method == "GET" {
        return vec![response];
    }
    let head = String::from_utf8_lossy(&response);
    let id = head.lines().find_map(|line| line.strip_prefix("WARC-Record-ID: ")).unwrap().to_owned();
    let together = format!("WARC-Concurrent-To: {id}\r\n");
    let request =
        record("request", "application/http; msgtype=request", &url, time, &together, request.as_bytes());
    vec![response, request]
}

/// What the live server says to a request.
fn asked(site: &Site, request: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(site.server().address()).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}
