//! Proxies, and for which hosts they are not used.
//!
//! A proxy looks names up itself, so the address check sees only URLs that spell an address: whoever sets a proxy trusts it
//! with the rest.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64;
use destination::Network;
use url::{Host, Url};

use crate::error::Error;

/// One proxy.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    /// How it is spoken to.
    pub kind: ProxyKind,
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// User and password, if it wants them.
    pub credentials: Option<(String, String)>,
}

/// How a proxy is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProxyKind {
    /// By HTTP: whole URLs for `http`, `CONNECT` for `https`.
    Http,
    /// By SOCKS 5; names are looked up by the proxy.
    Socks5,
}

impl FromStr for Proxy {
    type Err = Error;

    fn from_str(text: &str) -> Result<Proxy, Error> {
        let bad = || Error::Proxy { text: urlkey::hide_login(text).into_owned() };
        let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let url = Url::parse(&whole).map_err(|_| bad())?;
        let (kind, usual_port) = match url.scheme() {
            "http" => (ProxyKind::Http, 80),
            "socks5" | "socks5h" => (ProxyKind::Socks5, 1080),
            _ => return Err(bad()),
        };
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(bad)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let plain = |text: &str| {
            let bytes = urlkey::percent::decode(text.as_bytes());
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let credentials = (!url.username().is_empty())
            .then(|| (plain(url.username()), plain(url.password().unwrap_or_default())));
        Ok(Proxy { kind, host, port: url.port().unwrap_or(usual_port), credentials })
    }
}

impl Proxy {
    /// The value of `Proxy-Authorization`.
    pub(crate) fn authorization(&self) -> Option<String> {
        let (user, password) = self.credentials.as_ref()?;
        Some(format!("Basic {}", BASE64.encode(format!("{user}:{password}").as_bytes())))
    }
}

/// The password is nobody's business.
impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} proxy {}:{}", self.kind, self.host, self.port)
    }
}

/// Which proxy is used for what.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    /// For `http`.
    pub http: Option<Proxy>,
    /// For `https`.
    pub https: Option<Proxy>,
    /// For these, none.
    pub except: Vec<Exception>,
}

/// Hosts for which no proxy is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exception {
    /// This host alone.
    Host(String),
    /// This domain and everything below it.
    Domain(String),
    /// URLs that spell an address of this network.
    Network(Network),
    /// All.
    Everything,
}

impl FromStr for Exception {
    type Err = Error;

    /// As in `NO_PROXY`: `example.org` and `.example.org` are a domain, `=example.org` is that host alone, `10.0.0.0/8` a network,
    /// `*` everything.
    fn from_str(text: &str) -> Result<Exception, Error> {
        let text = text.trim();
        if text == "*" {
            return Ok(Exception::Everything);
        }
        if text.contains('/') {
            return Ok(Exception::Network(text.parse()?));
        }
        if let Ok(network) = text.trim_start_matches('[').trim_end_matches(']').parse() {
            return Ok(Exception::Network(network));
        }
        let name = |name: &str| name.trim_start_matches("*.").trim_matches('.').to_ascii_lowercase();
        match text.strip_prefix('=') {
            Some(host) => Ok(Exception::Host(name(host))),
            None if name(text).is_empty() => Err(Error::Proxy { text: text.to_owned() }),
            None => Ok(Exception::Domain(name(text))),
        }
    }
}

impl Exception {
    fn covers(&self, host: &Host<&str>) -> bool {
        let address = match host {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some((*address).into()),
            Host::Ipv6(address) => Some((*address).into()),
        };
        let name = match host {
            Host::Domain(name) => name.trim_end_matches('.'),
            _ => "",
        };
        match self {
            Exception::Everything => true,
            Exception::Network(network) => address.is_some_and(|address| network.contains(address)),
            Exception::Host(host) => name == host,
            Exception::Domain(domain) => name
                .strip_suffix(domain.as_str())
                .is_some_and(|front| front.is_empty() || front.ends_with('.')),
        }
    }
}

impl Proxies {
    /// The same proxy for everything.
    #[must_use]
    pub fn all(proxy: Proxy) -> Proxies {
        Proxies { http: Some(proxy.clone()), https: Some(proxy), except: Vec::new() }
    }

    /// The proxy for this URL.
    #[must_use]
    pub fn for_url(&self, url: &Url) -> Option<&Proxy> {
        let proxy = if url.scheme() == "https" { &self.https } else { &self.http };
        let proxy = proxy.as_ref()?;
        let host = url.host()?;
        if self.except.iter().any(|exception| exception.covers(&host)) { None } else { Some(proxy) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: ProxyKind, host: &str, port: u16) {
        let proxy: Proxy = text.parse().unwrap();
        assert_eq!((proxy.kind, proxy.host.as_str(), proxy.port), (kind, host, port), "{text}");
    }

    #[test]
    fn proxies_are_read() {
        check("http://proxy.example:3128", ProxyKind::Http, "proxy.example", 3128);
        check("proxy.example:3128", ProxyKind::Http, "proxy.example", 3128);
        check("socks5://127.0.0.1", ProxyKind::Socks5, "127.0.0.1", 1080);
        check("socks5h://[::1]:9050", ProxyKind::Socks5, "::1", 9050);
        for text in ["", "ftp://proxy", "http://", "https://proxy:1"] {
            assert!(text.parse::<Proxy>().is_err(), "{text}");
        }
    }

    #[test]
    fn credentials_are_sent_and_not_shown() {
        let proxy: Proxy = "http://me:p%40ss@proxy:1".parse().unwrap();
        assert_eq!(proxy.authorization().as_deref(), Some("Basic bWU6cEBzcw=="));
        assert!(!format!("{proxy:?}").contains("p@ss"));
    }

    #[test]
    fn exceptions_are_kept() {
        let mut proxies = Proxies::all("proxy:1".parse().unwrap());
        proxies.except =
            ["example.org", "=only.example", "10.0.0.0/8", "[::1]"].map(|text| text.parse().unwrap()).into();
        let is_direct = |url: &str| proxies.for_url(&Url::parse(url).unwrap()).is_none();
        assert!(is_direct("http://example.org/") && is_direct("https://www.example.org/"));
        assert!(!is_direct("http://notexample.org/"));
        assert!(is_direct("http://only.example/") && !is_direct("http://www.only.example/"));
        assert!(
            is_direct("http://10.1.2.3/") && is_direct("http://[::1]/") && !is_direct("http://11.0.0.1/")
        );
    }
}
