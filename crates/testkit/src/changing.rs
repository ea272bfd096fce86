//! A site whose pages change when a test says so, and whose server lies if it is told to.
//!
//! An ordinary page has an `ETag` of its content and answers "not modified" to whoever has it. Anything else is a function of the request and of
//! how often the page was asked for before.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::server::{Place, Request, Seen, Server, Wire, reply};

/// Makes the bytes of an answer.
pub type Answer = Arc<dyn Fn(&Request, u64) -> Vec<u8> + Send + Sync>;

/// The site, running.
#[derive(Debug)]
pub struct Changing {
    server: Server,
    pages: Arc<Pages>,
}

#[derive(Default)]
struct Pages(Mutex<HashMap<String, (Answer, u64)>>);

impl std::fmt::Debug for Pages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} pages", self.lock().len())
    }
}

impl Pages {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Answer, u64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What answers for this path, and how often it did before.
    fn ask(&self, path: &str) -> Option<(Answer, u64)> {
        let mut pages = self.lock();
        let (answer, count) = pages.get_mut(path)?;
        *count += 1;
        Some((Arc::clone(answer), *count - 1))
    }
}

impl Changing {
    /// Starts it on the IPv4 loopback, without pages.
    pub fn start() -> Changing {
        Changing::start_at(&Place::default())
    }

    /// Starts it elsewhere, or such that it remembers nothing.
    pub fn start_at(place: &Place) -> Changing {
        let pages = Arc::new(Pages::default());
        let served = Arc::clone(&pages);
        let server = Server::answering(place, move |wire, request| serve(&served, wire, request));
        Changing { server, pages }
    }

    /// A URL on it.
    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// An ordinary page with this text from now on.
    pub fn page(&self, path: &str, text: &str) {
        let (text, etag) = (text.as_bytes().to_vec(), format!("\"{:x}\"", fingerprint(text.as_bytes())));
        self.answer(path, move |request, _| {
            let fields = [("Content-Type", "text/html; charset=utf-8"), ("ETag", etag.as_str())];
            if request.field("if-none-match") == Some(&etag) {
                return not_modified(&fields);
            }
            reply("200 OK", &fields, &text)
        });
    }

    /// A page with these header fields and no tag, from now on.
    pub fn plain(&self, path: &str, status: &'static str, fields: &[(&'static str, &str)], body: &[u8]) {
        let (body, fields) = (body.to_vec(), owned(fields));
        self.answer(path, move |_, _| {
            let fields: Vec<(&str, &str)> =
                fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            reply(status, &fields, &body)
        });
    }

    /// A redirect from now on.
    pub fn redirect(&self, path: &str, status: &'static str, to: &str) {
        self.plain(path, status, &[("Location", to)], b"");
    }

    /// Whatever this function makes of the request, from now on; it is told how often the page was asked for before. An answer that says
    /// `Connection: close` is the last on its connection.
    pub fn answer(&self, path: &str, answer: impl Fn(&Request, u64) -> Vec<u8> + Send + Sync + 'static) {
        self.pages.lock().insert(path.to_owned(), (Arc::new(answer), 0));
    }

    /// There is no such page from now on.
    pub fn remove(&self, path: &str) {
        self.pages.lock().remove(path);
    }

    /// Every request so far, with what was answered.
    pub fn seen(&self) -> Vec<Seen> {
        self.server.seen()
    }

    /// How often a target was asked for, by any method.
    pub fn count(&self, target: &str) -> usize {
        self.server.seen().iter().filter(|seen| seen.target() == target).count()
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

/// An answer without a body.
#[must_use]
pub fn not_modified(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut text = String::from("HTTP/1.1 304 Not Modified\r\n");
    for (name, value) in fields {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    text.into_bytes()
}

fn owned<'n>(fields: &[(&'n str, &str)]) -> Vec<(&'n str, String)> {
    fields.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
}

/// Answers one request; whether the connection stays open.
fn serve(pages: &Pages, wire: &mut Wire, request: &Request) -> io::Result<bool> {
    let mut bytes = match pages.ask(request.path()) {
        Some((answer, count)) => answer(request, count),
        None => reply("404 Not Found", &[("Content-Type", "text/plain")], b"there is no such page"),
    };
    if bytes.is_empty() {
        // No answer at all.
        return wire.reset();
    }
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(bytes.len(), |at| at + 4);
    if request.method == "HEAD" {
        bytes.truncate(head);
    }
    wire.send(&bytes)?;
    let head = String::from_utf8_lossy(bytes.get(..head).unwrap_or(&bytes)).to_ascii_lowercase();
    Ok(!head.contains("\r\nconnection: close"))
}

/// FNV-1a: another text, another number.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    fn ask(site: &Changing, request: &str) -> String {
        let address = site.url("").trim_start_matches("http://").to_owned();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn a_page_changes_and_knows_its_tag() {
        let site = Changing::start();
        site.page("/a", "one");
        let first = ask(&site, "GET /a HTTP/1.1\r\n\r\n");
        assert!(first.starts_with("HTTP/1.1 200 OK") && first.ends_with("one"), "{first}");
        let tag = first.split("ETag: ").nth(1).unwrap().split("\r\n").next().unwrap();
        let asked = format!("GET /a HTTP/1.1\r\nIf-None-Match: {tag}\r\n\r\n");
        assert!(ask(&site, &asked).starts_with("HTTP/1.1 304"));
        site.page("/a", "two");
        assert!(ask(&site, &asked).ends_with("two"));
        site.remove("/a");
        assert!(ask(&site, "HEAD /a HTTP/1.1\r\n\r\n").ends_with("\r\n\r\n"));
        assert_eq!(site.count("/a"), 4);
    }
}
