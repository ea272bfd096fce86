//! Where a response sends its reader, and following it there.

use std::borrow::Cow;
use std::collections::HashSet;

use bytes::Bytes;
use url::Url;
use urlkey::Login;
use warc::HttpHead;

use crate::cookies::Jar;
use crate::exchange::Exchange;
use crate::fetcher::Fetcher;
use crate::request::{Request, without_password};

/// A chain of exchanges, each but the last redirecting to the next.
#[derive(Debug)]
pub struct Trail {
    /// In their order; at least one.
    pub exchanges: Vec<Exchange>,
    /// Why there is no further one.
    pub end: TrailEnd,
}

/// Why a chain of redirects ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TrailEnd {
    /// The last response redirects nowhere, or there is none.
    Arrived,
    /// More redirects than the limit.
    TooMany,
    /// The same request had been made before.
    Loop,
    /// The redirect leads to something that is not fetched, such as `mailto:`.
    OtherScheme,
}

impl Trail {
    /// The last exchange.
    #[must_use]
    pub fn last(&self) -> Option<&Exchange> {
        self.exchanges.last()
    }
}

/// A chain that is followed step by step, for those who must ask leave before each request.
#[derive(Debug)]
pub struct Walk {
    fetcher: Fetcher,
    jar: Jar,
    next: Option<Request>,
    /// What was asked: of all exchanges only the requests are kept.
    made: HashSet<(Url, Bytes)>,
    steps: usize,
    end: TrailEnd,
}

impl Fetcher {
    /// Makes an exchange and follows its redirects. Cookies are kept along the way, also where the settings have none.
    pub async fn follow(&self, request: Request) -> Trail {
        let mut walk = self.walk(request);
        let mut exchanges = Vec::new();
        while let Some(exchange) = walk.step().await {
            exchanges.push(exchange);
        }
        Trail { exchanges, end: walk.end() }
    }

    /// Begins a chain; nothing is asked yet.
    #[must_use]
    pub fn walk(&self, request: Request) -> Walk {
        let jar = self.settings().cookies.clone().unwrap_or_default();
        let (made, end) = (HashSet::new(), TrailEnd::Arrived);
        Walk { fetcher: self.clone(), jar, next: Some(request), made, steps: 0, end }
    }
}

impl Walk {
    /// What will be asked next; `None` at the end.
    #[must_use]
    pub fn next_url(&self) -> Option<&Url> {
        self.next.as_ref().map(|request| &request.url)
    }

    /// Makes the next exchange and hands it out. `None` at the end.
    pub async fn step(&mut self) -> Option<Exchange> {
        let request = self.next.take()?;
        let exchange = self.fetcher.fetch_with(&request, Some(&self.jar)).await;
        self.steps += 1;
        self.made.insert((exchange.url.clone(), exchange.request.clone()));
        if let Some(url) = exchange.redirect.clone() {
            let request = redirected(request, url, exchange.status().unwrap_or_default());
            match self.obstacle(&request) {
                Some(end) => self.end = end,
                None => self.next = Some(request),
            }
        }
        Some(exchange)
    }

    /// Why there is no further exchange, once there is none.
    #[must_use]
    pub fn end(&self) -> TrailEnd {
        self.end
    }

    /// Why this request is not made.
    fn obstacle(&self, request: &Request) -> Option<TrailEnd> {
        let settings = self.fetcher.settings();
        if !matches!(request.url.scheme(), "http" | "https") {
            return Some(TrailEnd::OtherScheme);
        }
        if self.was_made(request) {
            return Some(TrailEnd::Loop);
        }
        (self.steps > settings.limits.redirects).then_some(TrailEnd::TooMany)
    }

    /// Whether the very same bytes were sent to the same place before. A page that sets a cookie and sends the reader to itself
    /// is no loop: the next request has the cookie.
    fn was_made(&self, request: &Request) -> bool {
        let settings = self.fetcher.settings();
        let (proxy, cookie) = (settings.proxies.for_url(&request.url), self.jar.header(&request.url));
        let Ok(written) = crate::wire::write(settings, request, proxy, cookie.as_deref()) else {
            return false;
        };
        self.made.contains(&(without_password(&request.url), written.kept))
    }
}

/// The request that follows a redirect (the fetch standard, "HTTP-redirect fetch").
fn redirected(mut request: Request, mut url: Url, status: u16) -> Request {
    let becomes_get = match status {
        303 => !matches!(request.method.as_str(), "GET" | "HEAD"),
        301 | 302 => request.method == "POST",
        _ => false,
    };
    if becomes_get {
        request.method = "GET".to_owned();
        request.body = None;
        request.headers.retain(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
    }
    if url.origin() != request.url.origin() {
        // What was meant for one server is none of another's business.
        let is_secret = |name: &str| {
            ["authorization", "cookie", "host", "proxy-authorization"]
                .iter()
                .any(|secret| name.eq_ignore_ascii_case(secret))
        };
        request.headers.retain(|(name, _)| !is_secret(name));
    } else if !Login::is_in(&url) {
        let _ = url.set_username(request.url.username());
        let _ = url.set_password(request.url.password());
    }
    // The condition was about another document.
    request.condition = crate::request::Condition::default();
    request.url = url;
    request
}

/// Where this response sends its reader. A user name and password in the address are dropped: a server does not choose them for us.
pub(crate) fn target(url: &Url, head: &HttpHead) -> Option<Url> {
    if !matches!(head.status(), Some(301 | 302 | 303 | 307 | 308)) {
        return None;
    }
    let value = head.get("location").filter(|value| !value.is_empty())?;
    let mut target = without_password(&url.join(&text(value)).ok()?);
    if target.fragment().is_none() && matches!(target.scheme(), "http" | "https") {
        target.set_fragment(url.fragment());
    }
    Some(target)
}

/// Bytes that are no UTF-8 as the escapes that a browser would send.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &[u8], expected: Option<&str>) {
        let (head, _) = HttpHead::parse(head).unwrap();
        let found = target(&Url::parse("http://example.org/a/b?c#d").unwrap(), &head);
        assert_eq!(found.as_ref().map(Url::as_str), expected);
    }

    #[test]
    fn locations_are_understood() {
        check(b"HTTP/1.1 302 Found\r\nLocation: x\r\n\r\n", Some("http://example.org/a/x#d"));
        check(b"HTTP/1.1 301 Moved\r\nLocation: //other/#e\r\n\r\n", Some("http://other/#e"));
        check(b"HTTP/1.1 308\r\nlocation: /caf\xe9\r\n\r\n", Some("http://example.org/caf%E9#d"));
        check(b"HTTP/1.1 307 X\r\nLocation: mailto:a@b\r\n\r\n", Some("mailto:a@b"));
        check(b"HTTP/1.1 302 Found\r\nLocation:\r\n\r\n", None);
        check(b"HTTP/1.1 302 Found\r\n\r\n", None);
        check(b"HTTP/1.1 200 OK\r\nLocation: x\r\n\r\n", None);
        check(b"HTTP/1.1 302 Found\r\nLocation: http://me:pw@other/\r\n\r\n", Some("http://other/#d"));
        check(b"HTTP/1.1 304 X\r\nLocation: x\r\n\r\n", None);
    }

    #[test]
    fn methods_and_secrets_change_on_the_way() {
        let url = |text: &str| Url::parse(text).unwrap();
        let post = || {
            Request::new("POST", url("http://a.example/"))
                .header("Authorization", "x")
                .header("Content-Type", "text/plain")
                .header("X", "y")
                .body("b")
        };
        let same = redirected(post(), url("http://a.example/b"), 307);
        assert_eq!((same.method.as_str(), same.body.is_some(), same.headers.len()), ("POST", true, 3));
        let other = redirected(post(), url("http://b.example/"), 302);
        assert_eq!((other.method.as_str(), other.body.is_some()), ("GET", false));
        assert_eq!(other.headers, [("X".to_owned(), "y".to_owned())]);
    }
}
