//! What to ask for.

use bytes::Bytes;
use url::Url;

/// One thing to ask a server for. What is not said here comes from the [`Settings`](crate::Settings).
#[derive(Debug, Clone)]
pub struct Request {
    /// What to fetch; `http` or `https`. The fragment is not sent, user and password become an `Authorization` header. Without
    /// them, [`Settings::credentials`](crate::Settings::credentials) has those of the origin.
    pub url: Url,
    /// `GET`, `HEAD`, `POST`, … as it is sent.
    pub method: String,
    /// Further headers, sent in this spelling and order. One that the settings also have takes its place.
    pub headers: Vec<(String, String)>,
    /// What follows the head; its length is announced.
    pub body: Option<Bytes>,
    /// Ask for the document only if it has changed.
    pub condition: Condition,
    /// The page that led here, sent as `Referer` without its fragment and password.
    pub referrer: Option<Url>,
    /// Cut the body off behind so many bytes; the limit of the settings holds as well.
    pub body_bytes_max: Option<u64>,
}

/// A URL as others may see it: without the name and password that may stand in it.
#[must_use]
pub fn without_password(url: &Url) -> Url {
    let mut url = url.clone();
    // Only URLs without a host cannot lose them, and have none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// What an earlier response said of itself, as it said it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Condition {
    /// Its `ETag`, sent as `If-None-Match`.
    pub etag: Option<String>,
    /// Its `Last-Modified`, sent as `If-Modified-Since`.
    pub last_modified: Option<String>,
}

impl Request {
    /// A plain `GET`.
    #[must_use]
    pub fn get(url: Url) -> Request {
        Request::new("GET", url)
    }

    /// A request with this method.
    #[must_use]
    pub fn new(method: &str, url: Url) -> Request {
        Request {
            url,
            method: method.to_owned(),
            headers: Vec::new(),
            body: None,
            condition: Condition::default(),
            referrer: None,
            body_bytes_max: None,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Request {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Request {
        self.body = Some(body.into());
        self
    }

    /// Whether asking twice does no more than asking once (RFC 9110, 9.2.2).
    pub(crate) fn is_idempotent(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE" | "PUT" | "DELETE")
    }
}
