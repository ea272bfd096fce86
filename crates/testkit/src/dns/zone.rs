//! What the name server knows.

use std::collections::HashMap;
use std::net::IpAddr;

use super::Kind;
use super::message::{NO_ERROR, NO_SUCH_NAME, Question, Reply, SERVER_FAILURE};

/// For so many seconds it may be remembered that a name does not exist.
pub const NEGATIVE_TTL: u32 = 60;

/// Aliases that are followed within one reply.
const ALIASES_MAX: usize = 16;

/// Names and what becomes of a question for them. A name that is not told of does not exist.
#[derive(Clone, Debug, Default)]
pub struct Zone {
    names: HashMap<String, Entry>,
}

#[derive(Clone, Debug)]
enum Entry {
    Addresses { ttl: u32, addresses: Vec<IpAddr>, only_by_tcp: bool },
    Alias { ttl: u32, target: String },
    Fails,
    Silent,
}

impl Zone {
    /// One that knows nothing.
    pub fn new() -> Zone {
        Zone::default()
    }

    /// A name with these addresses, of either family and in this order; none at all is possible too.
    #[must_use]
    pub fn addresses(self, name: &str, ttl: u32, addresses: &[&str]) -> Zone {
        self.with(name, Entry::Addresses { ttl, addresses: parsed(addresses), only_by_tcp: false })
    }

    /// The same; over UDP the reply is cut off, so that the resolver has to come back by TCP.
    #[must_use]
    pub fn addresses_by_tcp(self, name: &str, ttl: u32, addresses: &[&str]) -> Zone {
        self.with(name, Entry::Addresses { ttl, addresses: parsed(addresses), only_by_tcp: true })
    }

    /// A name that stands for another. Aliases may form chains, and circles.
    #[must_use]
    pub fn alias(self, name: &str, ttl: u32, target: &str) -> Zone {
        self.with(name, Entry::Alias { ttl, target: target.to_ascii_lowercase() })
    }

    /// A name for which the server fails.
    #[must_use]
    pub fn fails(self, name: &str) -> Zone {
        self.with(name, Entry::Fails)
    }

    /// A name for which the server does not answer.
    #[must_use]
    pub fn silent(self, name: &str) -> Zone {
        self.with(name, Entry::Silent)
    }

    fn with(mut self, name: &str, entry: Entry) -> Zone {
        self.names.insert(name.to_ascii_lowercase(), entry);
        self
    }

    /// The bytes of the reply; `None` for silence.
    pub(super) fn reply(&self, question: &Question, by_tcp: bool) -> Option<Vec<u8>> {
        let mut reply = Reply::new(NO_ERROR);
        let mut name = question.name.as_str();
        for _ in 0..ALIASES_MAX {
            match self.names.get(name) {
                None => {
                    let mut reply = Reply::new(NO_SUCH_NAME);
                    reply.nothing_for("test", NEGATIVE_TTL);
                    return Some(reply.bytes(question));
                }
                Some(Entry::Fails) => return Some(Reply::new(SERVER_FAILURE).bytes(question)),
                Some(Entry::Silent) => return None,
                Some(Entry::Addresses { only_by_tcp: true, .. }) if !by_tcp => {
                    return Some(Reply::truncated().bytes(question));
                }
                Some(Entry::Alias { ttl, target }) => {
                    reply.alias(name, *ttl, target);
                    name = target;
                }
                Some(Entry::Addresses { ttl, addresses, .. }) => {
                    let wanted = |address: &&IpAddr| match question.kind {
                        Kind::A => address.is_ipv4(),
                        Kind::Aaaa => address.is_ipv6(),
                        Kind::Other(_) => false,
                    };
                    let mut found = addresses.iter().filter(wanted).peekable();
                    if found.peek().is_none() {
                        reply.nothing_for("test", NEGATIVE_TTL);
                    }
                    found.for_each(|address| reply.address(name, *ttl, *address));
                    return Some(reply.bytes(question));
                }
            }
        }
        // A circle: what was found of it is sent, as real servers do.
        Some(reply.bytes(question))
    }
}

fn parsed(addresses: &[&str]) -> Vec<IpAddr> {
    addresses.iter().map(|address| address.parse().expect("the test names an address")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(zone: &Zone, name: &str, kind: u16) -> Option<Vec<u8>> {
        let mut query = vec![7, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for label in name.split('.') {
            query.push(label.len() as u8);
            query.extend(label.bytes());
        }
        query.extend([0, 0, kind as u8, 0, 1]);
        zone.reply(&Question::parse(&query).unwrap(), false)
    }

    /// The code, and the numbers of answers and of authority records.
    #[track_caller]
    fn check(zone: &Zone, name: &str, kind: u16, expected: (u8, u8, u8)) {
        let reply = ask(zone, name, kind).unwrap();
        assert_eq!((reply[3] & 15, reply[7], reply[9]), expected, "{name}");
    }

    #[test]
    fn what_is_known_is_told() {
        let zone = Zone::new()
            .addresses("a.test", 30, &["192.0.2.1", "192.0.2.2", "2001:db8::1"])
            .alias("b.test", 30, "a.test")
            .alias("c.test", 30, "d.test")
            .alias("d.test", 30, "c.test")
            .fails("e.test")
            .silent("f.test");
        check(&zone, "A.test", 1, (0, 2, 0));
        check(&zone, "a.test", 28, (0, 1, 0));
        check(&zone, "a.test", 16, (0, 0, 1));
        check(&zone, "b.test", 1, (0, 3, 0));
        check(&zone, "c.test", 1, (0, 16, 0));
        check(&zone, "e.test", 1, (2, 0, 0));
        check(&zone, "nothing.test", 1, (3, 0, 1));
        assert_eq!(ask(&zone, "f.test", 1), None);
    }
}
