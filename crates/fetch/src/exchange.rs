//! One question and its answer, with everything that is known about them.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use jiff::Timestamp;
use url::Url;
use warc::{Dechunk, Digest, HttpHead};

use crate::dns::Answer;
use crate::gate::{Went, retry_after};
use crate::http1::{Oddity, Version};
use crate::kept::{Kept, KeptReader};
use crate::outcome::{Failure, Outcome};
use crate::tls::TlsFacts;

/// One exchange with a server.
#[derive(Debug)]
pub struct Exchange {
    /// What was asked for, without user name and password.
    pub url: Url,
    /// The method it was asked with.
    pub method: String,
    /// The request as it was sent, without `Authorization` and `Proxy-Authorization`; empty if it never came to that.
    pub request: Bytes,
    /// The response as it came: head, framing, body. Without interim answers and without what came behind its end.
    pub response: Kept,
    /// How many bytes of the response are its head.
    pub head_bytes: u64,
    /// The head, parsed; `None` if none came, or the server answered as before HTTP/1.0.
    pub head: Option<HttpHead>,
    /// Whether the head came to its end. Redirects and cookies are taken from whole heads alone.
    pub is_head_whole: bool,
    /// Interim answers (100, 103, …) that came before, as sent.
    pub interims: Vec<Bytes>,
    /// What the server did that the standard does not foresee.
    pub oddities: Vec<Oddity>,
    /// Who answered: the server, or the proxy if there was one in between.
    pub peer: Option<SocketAddr>,
    /// Whether a proxy stood in between.
    pub by_proxy: bool,
    /// Whether the connection had served an earlier exchange.
    pub is_reused: bool,
    /// The answer of the name servers that led to the peer, be it from now or remembered.
    pub dns: Option<Arc<Answer>>,
    /// When it happened.
    pub times: Times,
    /// The version in the status line.
    pub version: Option<Version>,
    /// What is known of the encryption, if there was any.
    pub tls: Option<Arc<TlsFacts>>,
    /// Where the response sends the reader, if it does and that can be understood; without user name and password.
    pub redirect: Option<Url>,
    /// How it ended.
    pub outcome: Outcome,
    /// The digests that the settings ask for.
    pub digests: Digests,
}

/// When an exchange happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// The exchange began: before any lookup and connection.
    pub start: Timestamp,
    /// From the start until the connection was ready.
    pub connected: Option<Duration>,
    /// From the start to the first byte of the answer.
    pub first_byte: Option<Duration>,
    /// From the start to the end.
    pub total: Duration,
}

impl Times {
    /// When the first byte came.
    #[must_use]
    pub fn first_byte_at(&self) -> Option<Timestamp> {
        self.first_byte.and_then(|after| self.start.checked_add(after).ok())
    }

    /// When it ended.
    #[must_use]
    pub fn end(&self) -> Timestamp {
        self.start.checked_add(self.total).unwrap_or(self.start)
    }
}

/// Digests of a response, in the order of the settings' algorithms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digests {
    /// Of the body as sent, chunk framing included: what most tools write as `WARC-Payload-Digest`.
    pub payload: Vec<Digest>,
    /// Of the body without chunk framing: equal for equal documents, however the server cut them.
    pub entity: Vec<Digest>,
    /// Of everything kept, the head included.
    pub block: Vec<Digest>,
}

impl Exchange {
    /// The response's status.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.head.as_ref().and_then(HttpHead::status)
    }

    /// How it went, for the gate; `now` is the time that a date in `Retry-After` is held against.
    #[must_use]
    pub fn went(&self, now: Timestamp) -> Went {
        use Failure::{AddressRefused, BadRequest, BadUrl, Disk, NoDescriptors, Proxy, ProxyRefused};
        match (&self.outcome, self.status()) {
            // The server had no part in it.
            (
                Outcome::Failed(
                    BadUrl | BadRequest | AddressRefused(_) | Proxy(_) | ProxyRefused(_) | Disk(_)
                    | NoDescriptors,
                ),
                _,
            ) => Went::Unused,
            (Outcome::Failed(_), _) => Went::Failed,
            (_, None) => Went::Answered { status: 200, retry_after: None },
            (_, Some(status)) => {
                let head = self.head.as_ref().filter(|_| self.is_head_whole);
                let value = head.and_then(|head| head.text("retry-after"));
                Went::Answered { status, retry_after: value.and_then(|value| retry_after(&value, now)) }
            }
        }
    }

    /// Media type without parameters, in lower case.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        self.head.as_ref().and_then(HttpHead::media_type)
    }

    /// Bytes of the body as sent.
    #[must_use]
    pub fn body_bytes(&self) -> u64 {
        self.response.len().saturating_sub(self.head_bytes)
    }

    /// The body as sent, chunk framing and content coding included.
    #[must_use]
    pub fn body(&self) -> KeptReader {
        self.response.reader_from(self.head_bytes)
    }

    /// The body without chunk framing; its content coding is still there.
    #[must_use]
    pub fn entity(&self) -> Box<dyn BufRead + Send> {
        let body = BufReader::with_capacity(32 << 10, self.body());
        if self.head.as_ref().is_some_and(HttpHead::is_chunked) {
            Box::new(Dechunk::new(body))
        } else {
            Box::new(body)
        }
    }

    /// The document, if it lies in memory just as it was sent: neither in chunks nor in a content coding.
    #[must_use]
    pub fn plain_document(&self) -> Option<Bytes> {
        let is_plain =
            |head: &HttpHead| !head.is_chunked() && head.get("content-encoding").is_none_or(<[u8]>::is_empty);
        if !self.head.as_ref().is_none_or(is_plain) {
            return None;
        }
        let head_bytes = usize::try_from(self.head_bytes).ok()?;
        self.response
            .in_memory()
            .filter(|bytes| head_bytes <= bytes.len())
            .map(|bytes| bytes.slice(head_bytes..))
    }

    /// The document: the body without chunk framing and without content codings, unless one is not known; then with all of
    /// them. Reading more than `limit` bytes of what a coding unfolds to is an error.
    pub fn document(&self, limit: u64) -> std::io::Result<Box<dyn Read + Send>> {
        let value = self.head.as_ref().and_then(|head| head.text("content-encoding"));
        let codings = value.and_then(|value| warc::Coding::list(&value)).unwrap_or_default();
        warc::decoder(self.entity(), &codings, limit)
    }
}
