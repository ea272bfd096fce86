//! How an exchange ended: whole, cut short, or not at all.

use std::fmt;

use destination::Kind;
use warc::Truncated;

use crate::tls::Verdict;

/// How an exchange ended. Whatever arrived is kept in each case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The response came to its end.
    Complete,
    /// A status came, and not all of the head or of what should follow it.
    Truncated(Cut),
    /// There is no usable response.
    Failed(Failure),
}

/// Why a response is not whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cut {
    /// It is longer than the limit.
    Length,
    /// The exchange took longer than it may.
    Time,
    /// The server sent nothing for too long.
    Idle,
    /// The server closed the connection before the end that it had announced.
    Disconnect,
    /// The connection was reset.
    Reset,
    /// Our disk would not take more of it.
    Disk,
}

/// Why there is no usable response.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The URL cannot be fetched: another scheme, or no host.
    BadUrl,
    /// A header of the request cannot be sent.
    BadRequest,
    /// The address is one that may not be asked.
    AddressRefused(Kind),
    /// There is no such name.
    NoSuchName,
    /// The name is there and has no address.
    NoAddress,
    /// The name servers did not answer, or with an error.
    DnsFailed(String),
    /// Nothing listens there.
    ConnectRefused,
    /// The server did not answer the wish for a connection in time.
    ConnectTimeout,
    /// The connection was reset while it was made.
    ConnectReset,
    /// There is no way to the address.
    Unreachable(String),
    /// The TLS handshake failed.
    Tls(String),
    /// The handshake took too long.
    TlsTimeout,
    /// The server speaks only TLS 1.1 or older.
    OldTls,
    /// What answers on a port for TLS does not speak it.
    NotTls,
    /// The certificate is not valid, and the settings say to refuse it.
    Certificate(Verdict),
    /// The proxy cannot be reached, or will not do its work.
    Proxy(String),
    /// The proxy's own address is one that may not be asked.
    ProxyRefused(Kind),
    /// The request could not be sent.
    SendFailed(String),
    /// The connection was ready, and the server did not begin to answer in time.
    FirstByteTimeout,
    /// The exchange took longer than it may before there was a status.
    HeadTimeout,
    /// The server closed the connection without a word.
    EmptyReply,
    /// The server closed the connection before there was a status.
    EarlyClose,
    /// The connection was reset before there was a status.
    Reset,
    /// The head, or its number of lines, is over the limit.
    HeadTooLong,
    /// More interim answers than the limit.
    TooManyInterims,
    /// The answer is no HTTP of any version.
    NotHttp,
    /// What came could not be kept: our disk failed.
    Disk(String),
    /// This process, or the whole system, has no file descriptor left for a connection.
    NoDescriptors,
}

impl Outcome {
    /// Whether everything came.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        *self == Outcome::Complete
    }

    /// A short word for logs; it never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Truncated(cut) => cut.code(),
            Outcome::Failed(failure) => failure.code(),
        }
    }

    /// What stands in `WARC-Truncated` over the bytes that arrived; `None` if all did.
    #[must_use]
    pub fn truncated(&self) -> Option<Truncated> {
        Some(match self {
            Outcome::Complete => return None,
            Outcome::Truncated(Cut::Length) => Truncated::Length,
            Outcome::Truncated(Cut::Time | Cut::Idle) => Truncated::Time,
            Outcome::Truncated(Cut::Disconnect | Cut::Reset) => Truncated::Disconnect,
            Outcome::Truncated(Cut::Disk) => Truncated::Unspecified,
            Outcome::Failed(Failure::HeadTooLong | Failure::TooManyInterims) => Truncated::Length,
            Outcome::Failed(Failure::HeadTimeout | Failure::FirstByteTimeout) => Truncated::Time,
            Outcome::Failed(Failure::Reset | Failure::EmptyReply | Failure::EarlyClose) => {
                Truncated::Disconnect
            }
            Outcome::Failed(_) => Truncated::Unspecified,
        })
    }

    /// Heritrix's number for a failure, as its `crawl.log` has it in place of a status. `None` if it did not fail.
    #[must_use]
    pub fn heritrix(&self) -> Option<i32> {
        match self {
            Outcome::Failed(failure) => Some(failure.heritrix()),
            _ => None,
        }
    }
}

impl Cut {
    /// A short word for logs; it never changes.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Cut::Length => "truncated-length",
            Cut::Time => "truncated-time",
            Cut::Idle => "truncated-idle",
            Cut::Disconnect => "truncated-disconnect",
            Cut::Reset => "truncated-reset",
            Cut::Disk => "truncated-disk",
        }
    }
}

impl Failure {
    /// A short word for logs; it never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Failure::BadUrl => "bad-url",
            Failure::BadRequest => "bad-request",
            Failure::AddressRefused(_) => "address-refused",
            Failure::NoSuchName => "dns-no-such-name",
            Failure::NoAddress => "dns-no-address",
            Failure::DnsFailed(_) => "dns-failed",
            Failure::ConnectRefused => "connect-refused",
            Failure::ConnectTimeout => "connect-timeout",
            Failure::ConnectReset => "connect-reset",
            Failure::Unreachable(_) => "connect-unreachable",
            Failure::Tls(_) => "tls-failed",
            Failure::TlsTimeout => "tls-timeout",
            Failure::OldTls => "tls-old",
            Failure::NotTls => "tls-none",
            Failure::Certificate(_) => "tls-certificate",
            Failure::Proxy(_) => "proxy-failed",
            Failure::ProxyRefused(_) => "proxy-refused",
            Failure::SendFailed(_) => "send-failed",
            Failure::FirstByteTimeout => "first-byte-timeout",
            Failure::HeadTimeout => "head-timeout",
            Failure::EmptyReply => "empty-reply",
            Failure::EarlyClose => "early-close",
            Failure::Reset => "reset",
            Failure::HeadTooLong => "head-too-long",
            Failure::TooManyInterims => "too-many-interims",
            Failure::NotHttp => "not-http",
            Failure::Disk(_) => "disk-failed",
            Failure::NoDescriptors => "no-descriptors",
        }
    }

    /// Heritrix's number for it (its `FetchStatusCodes`): the nearest, where it knows fewer kinds than we do.
    #[must_use]
    pub fn heritrix(&self) -> i32 {
        match self {
            Failure::NoSuchName | Failure::NoAddress | Failure::DnsFailed(_) => -1,
            Failure::ConnectRefused
            | Failure::ConnectTimeout
            | Failure::ConnectReset
            | Failure::Unreachable(_)
            | Failure::Tls(_)
            | Failure::TlsTimeout
            | Failure::OldTls
            | Failure::NotTls
            | Failure::Certificate(_)
            | Failure::Proxy(_)
            | Failure::ProxyRefused(_) => -2,
            Failure::SendFailed(_)
            | Failure::EarlyClose
            | Failure::Reset
            | Failure::HeadTooLong
            | Failure::TooManyInterims
            | Failure::NotHttp => -3,
            Failure::FirstByteTimeout | Failure::HeadTimeout => -4,
            Failure::Disk(_) | Failure::NoDescriptors => -5,
            Failure::BadUrl | Failure::BadRequest => -7,
            Failure::EmptyReply => -404,
            Failure::AddressRefused(_) => -5001,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Complete => f.write_str("complete"),
            Outcome::Truncated(cut) => cut.fmt(f),
            Outcome::Failed(failure) => failure.fmt(f),
        }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cut::Length => "cut off: longer than the limit",
            Cut::Time => "cut off: took longer than it may",
            Cut::Idle => "cut off: the server sent nothing for too long",
            Cut::Disconnect => "cut off: the server closed the connection early",
            Cut::Reset => "cut off: the connection was reset",
            Cut::Disk => "cut off: the temporary file could not be written",
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Failure::BadUrl => "this URL cannot be fetched",
            Failure::BadRequest => "a header of the request cannot be sent",
            Failure::AddressRefused(kind) => return write!(f, "the address is not asked: {kind}"),
            Failure::NoSuchName => "there is no such host",
            Failure::NoAddress => "the host has no address",
            Failure::DnsFailed(why) => return write!(f, "the host's address could not be looked up: {why}"),
            Failure::ConnectRefused => "the connection was refused",
            Failure::ConnectTimeout => "no connection in time",
            Failure::ConnectReset => "the connection was reset while it was made",
            Failure::Unreachable(why) => return write!(f, "the server cannot be reached: {why}"),
            Failure::Tls(why) => return write!(f, "the TLS handshake failed: {why}"),
            Failure::TlsTimeout => "the TLS handshake took too long",
            Failure::OldTls => "the server speaks no TLS newer than 1.1",
            Failure::NotTls => "the server does not speak TLS on this port",
            Failure::Certificate(verdict) => return write!(f, "the certificate is not accepted: {verdict}"),
            Failure::Proxy(why) => return write!(f, "the proxy failed: {why}"),
            Failure::ProxyRefused(kind) => {
                return write!(
                    f,
                    "the proxy's address is not allowed: {kind}; `allow_private_proxy = true` or `--allow-private-proxy` allows it"
                );
            }
            Failure::SendFailed(why) => return write!(f, "the request could not be sent: {why}"),
            Failure::FirstByteTimeout => "the server did not begin to answer in time",
            Failure::HeadTimeout => "the head of the answer did not come in time",
            Failure::EmptyReply => "the server closed the connection without an answer",
            Failure::EarlyClose => "the server closed the connection in the middle of the status line",
            Failure::Reset => "the connection was reset before the head was there",
            Failure::HeadTooLong => "the head of the answer is over the limit",
            Failure::TooManyInterims => "the server sent interim answers without end",
            Failure::NotHttp => "the answer is not HTTP",
            Failure::Disk(why) => return write!(f, "the answer could not be kept: {why}"),
            Failure::NoDescriptors => "this process has no file descriptor left for a connection",
        };
        f.write_str(text)
    }
}
