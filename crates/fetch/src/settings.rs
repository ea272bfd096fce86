//! Everything about fetching that is decided beforehand.

use std::path::PathBuf;
use std::time::Duration;

use destination::Allowed;
use warc::Algorithm;

use crate::clock::Clock;
use crate::cookies::Jar;
use crate::credentials::Credentials;
use crate::dns::DnsSettings;
use crate::limits::Limits;
use crate::proxy::Proxies;
use crate::tls::TlsSettings;

/// How a fetcher behaves. Every value is fine but for headers that cannot be sent.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where times come from.
    pub clock: Clock,
    /// `User-Agent`; should name a page or address where the operator of the crawler can be reached.
    pub user_agent: String,
    /// `From`: the operator's mail address.
    pub from: Option<String>,
    /// `Accept`; empty is not sent.
    pub accept: String,
    /// `Accept-Language`; empty is not sent.
    pub accept_language: String,
    /// `Accept-Encoding`; empty is not sent.
    pub accept_encoding: String,
    /// How long to wait for what.
    pub timeouts: Timeouts,
    /// How much to take of anything.
    pub limits: Limits,
    /// Which proxies to use.
    pub proxies: Proxies,
    /// How to encrypt.
    pub tls: TlsSettings,
    /// How names are looked up.
    pub dns: DnsSettings,
    /// Which addresses may be asked beside public ones.
    pub allowed: Allowed,
    /// Where a proxy may be, beside those addresses.
    pub proxy_allowed: Allowed,
    /// Cookies that are sent and kept; `None` does neither.
    pub cookies: Option<Jar>,
    /// User names and passwords of servers.
    pub credentials: Credentials,
    /// Bytes of a response that are held in memory; longer ones go to a temporary file.
    pub memory_per_response: usize,
    /// Where these temporary files are; `None` is where the system has its own.
    pub spill_folder: Option<PathBuf>,
    /// Connections kept open for further requests.
    pub pool: Pool,
    /// Which digests are computed while a response arrives.
    pub digests: Wanted,
}

/// How long to wait for what, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection: lookup, TCP, proxy and TLS together.
    pub connect: Duration,
    /// From then to the first byte of the answer.
    pub first_byte: Duration,
    /// Between two pieces of the answer.
    pub idle: Duration,
    /// For the whole exchange.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            connect: Duration::from_secs(20),
            first_byte: Duration::from_secs(60),
            idle: Duration::from_secs(30),
            whole: Duration::from_secs(20 * 60),
        }
    }
}

/// Connections kept open for further requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pool {
    /// To one host.
    pub per_host: usize,
    /// In all.
    pub total: usize,
    /// How long one may wait unused.
    pub unused: Duration,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool { per_host: 6, total: 512, unused: Duration::from_secs(30) }
    }
}

/// Which digests are computed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of the body as sent.
    pub payload: Vec<Algorithm>,
    /// Of the body without chunk framing; costs nothing more where there is none and `payload` has the same.
    pub entity: Vec<Algorithm>,
    /// Of the whole response.
    pub block: Vec<Algorithm>,
}

impl Settings {
    /// The usual settings: SHA-256 of the body, no cookies, no proxies, public addresses only.
    #[must_use]
    pub fn new(clock: Clock) -> Settings {
        Settings {
            clock,
            user_agent: concat!(
                "varve/",
                env!("CARGO_PKG_VERSION"),
                " (web archive; contact address not set)"
            )
            .to_owned(),
            from: None,
            accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8".to_owned(),
            accept_language: "en,*;q=0.5".to_owned(),
            accept_encoding: "gzip, deflate, br, zstd".to_owned(),
            timeouts: Timeouts::default(),
            limits: Limits::default(),
            proxies: Proxies::default(),
            tls: TlsSettings::default(),
            dns: DnsSettings::default(),
            allowed: Allowed::default(),
            proxy_allowed: Allowed::default(),
            cookies: None,
            credentials: Credentials::default(),
            memory_per_response: 1 << 20,
            spill_folder: None,
            pool: Pool::default(),
            digests: Wanted { payload: vec![Algorithm::Sha256], ..Wanted::default() },
        }
    }
}
