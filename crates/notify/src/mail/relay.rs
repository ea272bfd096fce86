//! The server that takes letters, and how it is spoken to.

use std::net::IpAddr;
use std::str::FromStr;

use url::{Host, ParseError, Url};

use crate::discreet::{discreet, is_near};
use crate::error::Error;

/// When TLS begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// With the connection.
    FromTheStart,
    /// By `STARTTLS`; a server that does not offer it is told nothing.
    StartTls,
    /// Never: for servers on this machine.
    None,
}

/// A mail server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// When TLS begins.
    pub security: Security,
}

/// `smtps://host (port 465)` is TLS from the start, `smtp://host (587)` is `STARTTLS`; to a server on this machine, `smtp://localhost (25)`,
/// it goes without.
impl FromStr for Relay {
    type Err = Error;

    fn from_str(text: &str) -> Result<Relay, Error> {
        let given = |why: &str| Error::Given { text: discreet(text), why: why.to_owned() };
        let no_scheme = "it begins neither with smtp:// nor with smtps://";
        let url = Url::parse(text).map_err(|error| match error {
            ParseError::RelativeUrlWithoutBase => given(no_scheme),
            error => given(&error.to_string()),
        })?;
        if !matches!(url.scheme(), "smtp" | "smtps") {
            return Err(given(no_scheme));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(given("user and password are told apart from it"));
        }
        if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
            return Err(given("nothing may follow the port"));
        }
        let host =
            url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| given("it names no server"))?;
        // A scheme that the standard does not know has a host that is not looked at; this looks.
        let host = Host::parse(host).map_err(|error| given(&error.to_string()))?;
        let is_near = is_near(&host);
        let (security, port) = match (url.scheme(), is_near) {
            ("smtps", _) => (Security::FromTheStart, 465),
            (_, false) => (Security::StartTls, 587),
            (_, true) => (Security::None, 25),
        };
        let host = match host {
            Host::Domain(name) => name,
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        };
        Ok(Relay { host, port: url.port().unwrap_or(port), security })
    }
}

impl Relay {
    /// Whether it is on this machine.
    pub(super) fn is_near(&self) -> bool {
        Host::parse(&self.host).is_ok_and(|host| is_near(&host))
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, relay: Option<(&str, u16, Security)>) {
        let read = text.parse::<Relay>().ok();
        let relay = relay.map(|(host, port, security)| Relay { host: host.to_owned(), port, security });
        assert_eq!(read, relay, "{text}");
    }

    #[test]
    fn only_this_machine_is_spoken_to_without_tls() {
        check("smtps://mail.example.org", Some(("mail.example.org", 465, Security::FromTheStart)));
        check("smtp://mail.example.org", Some(("mail.example.org", 587, Security::StartTls)));
        check("smtp://Mail.Example.org:25/", Some(("mail.example.org", 25, Security::StartTls)));
        check("smtp://localhost", Some(("localhost", 25, Security::None)));
        check("smtp://127.0.0.1:2525", Some(("127.0.0.1", 2525, Security::None)));
        check("smtp://[::1]:2525", Some(("::1", 2525, Security::None)));
        check("smtps://localhost", Some(("localhost", 465, Security::FromTheStart)));
    }

    #[test]
    fn what_is_no_mail_server_is_refused() {
        let wrong = [
            "",
            "mail.example.org",
            "http://a/",
            "smtp://",
            "smtp://u:p@a",
            "smtp://a/b",
            "smtp://a?b",
            "smtp://a b",
        ];
        wrong.iter().for_each(|text| check(text, None));
    }

    #[test]
    fn no_complaint_holds_a_password() {
        for text in
            ["smtp://varve:hunter2@a", "smpt://varve:hunter2@a", "varve:hunter2@a", "smtp://varve:hunter2"]
        {
            let error = text.parse::<Relay>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
