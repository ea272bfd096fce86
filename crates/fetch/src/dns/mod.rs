//! Names to addresses: looked up once, remembered as long as the answer says, kept for the archive.

mod answer;
mod cache;
mod lookup;

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

pub use answer::{Address, Answer, Record};
pub(crate) use lookup::Resolver;

use crate::error::Error;

/// How names are looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsSettings {
    /// Whom to ask; empty asks those that the system asks.
    pub servers: Vec<SocketAddr>,
    /// What is known without asking.
    pub overrides: Vec<Override>,
    /// An answer is believed at least so long, whatever it says.
    pub ttl_min: Duration,
    /// And at most so long.
    pub ttl_max: Duration,
    /// How long "there is none" is believed, at most.
    pub negative_ttl_max: Duration,
    /// How long one server may take; there are two tries.
    pub timeout: Duration,
    /// Which kinds of address to ask for.
    pub families: Families,
}

/// Which kinds of address to ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Families {
    /// IPv6 and IPv4.
    Both,
    /// IPv4 alone.
    Ipv4,
    /// IPv6 alone.
    Ipv6,
}

impl Default for DnsSettings {
    fn default() -> DnsSettings {
        DnsSettings {
            servers: Vec::new(),
            overrides: Vec::new(),
            ttl_min: Duration::from_secs(60),
            ttl_max: Duration::from_secs(6 * 3600),
            negative_ttl_max: Duration::from_secs(300),
            timeout: Duration::from_secs(5),
            families: Families::Both,
        }
    }
}

/// Whether a name means this machine itself (RFC 6761, 6.3).
pub(crate) fn is_this_machine(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

/// A host whose address is given. The address is still checked against the allowed ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// In lower case; `*` is every host.
    pub host: String,
    /// For this port alone, or for all.
    pub port: Option<u16>,
    /// Where it is.
    pub address: IpAddr,
    /// The port to connect to there, if it is another one than the URL says.
    pub to_port: Option<u16>,
}

impl Override {
    /// Whether it is meant for this host and port.
    fn covers(&self, host: &str, port: u16) -> bool {
        (self.host == "*" || self.host.eq_ignore_ascii_case(host.trim_end_matches('.')))
            && self.port.is_none_or(|given| given == port)
    }
}

impl FromStr for Override {
    type Err = Error;

    /// `host:port:address` as curl has it, or `host:address`; brackets around an IPv6 address may be left out.
    fn from_str(text: &str) -> Result<Override, Error> {
        let bad = || Error::Override { text: text.to_owned() };
        let (host, rest) = text.split_once(':').ok_or_else(bad)?;
        let address = |text: &str| text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        let with_port =
            rest.split_once(':').and_then(|(port, rest)| Some((port.parse().ok()?, address(rest)?)));
        let (port, address) = match (with_port, address(rest)) {
            (Some((port, address)), _) => (Some(port), address),
            (None, Some(address)) => (None, address),
            (None, None) => return Err(bad()),
        };
        if host.is_empty() {
            return Err(bad());
        }
        Ok(Override { host: host.to_ascii_lowercase(), port, address, to_port: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, host: &str, port: Option<u16>, address: &str) {
        let found: Override = text.parse().unwrap();
        let address = address.parse().unwrap();
        assert_eq!(found, Override { host: host.to_owned(), port, address, to_port: None }, "{text}");
    }

    #[test]
    fn overrides_are_read() {
        check("Example.org:80:127.0.0.1", "example.org", Some(80), "127.0.0.1");
        check("example.org:127.0.0.1", "example.org", None, "127.0.0.1");
        check("example.org:443:[::1]", "example.org", Some(443), "::1");
        check("example.org:443:2001:db8::1", "example.org", Some(443), "2001:db8::1");
        check("example.org:[2001:db8::1]", "example.org", None, "2001:db8::1");
        for text in ["", "example.org", "example.org:80", ":80:127.0.0.1", "example.org:80:nowhere"] {
            assert!(text.parse::<Override>().is_err(), "{text}");
        }
    }
}
