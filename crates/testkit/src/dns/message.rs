//! Messages of the domain name system, as far as a small server needs them (RFC 1035, 4).

use std::net::IpAddr;

use super::Kind;

/// A message with one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) id: [u8; 2],
    /// In lower case, without the last dot.
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The question as it came, to be sent back: resolvers compare even the case of its letters.
    raw: Vec<u8>,
}

/// The codes that a server answers with.
pub(super) const NO_ERROR: u8 = 0;
pub(super) const SERVER_FAILURE: u8 = 2;
pub(super) const NO_SUCH_NAME: u8 = 3;

impl Question {
    /// Reads a query. Whatever is odd about it makes it none.
    pub(super) fn parse(query: &[u8]) -> Option<Question> {
        let id = *query.first_chunk::<2>()?;
        let rest = query.get(12..)?;
        let (mut labels, mut at) = (Vec::new(), 0);
        loop {
            let length = usize::from(*rest.get(at)?);
            at += 1;
            if length == 0 {
                break;
            }
            labels.push(String::from_utf8_lossy(rest.get(at..at + length)?).to_ascii_lowercase());
            at += length;
        }
        let kind = match u16::from_be_bytes(*rest.get(at..)?.first_chunk::<2>()?) {
            1 => Kind::A,
            28 => Kind::Aaaa,
            other => Kind::Other(other),
        };
        Some(Question { id, name: labels.join("."), kind, raw: rest.get(..at + 4)?.to_vec() })
    }
}

/// A reply in the making.
pub(super) struct Reply {
    code: u8,
    is_truncated: bool,
    answers: Vec<Vec<u8>>,
    authority: Vec<Vec<u8>>,
}

impl Reply {
    pub(super) fn new(code: u8) -> Reply {
        Reply { code, is_truncated: false, answers: Vec::new(), authority: Vec::new() }
    }

    /// A reply that says: too long, ask by TCP.
    pub(super) fn truncated() -> Reply {
        Reply { is_truncated: true, ..Reply::new(NO_ERROR) }
    }

    pub(super) fn address(&mut self, name: &str, ttl: u32, address: IpAddr) {
        let (kind, data) = match address {
            IpAddr::V4(address) => (1, address.octets().to_vec()),
            IpAddr::V6(address) => (28, address.octets().to_vec()),
        };
        self.answers.push(record(name, kind, ttl, &data));
    }

    pub(super) fn alias(&mut self, name: &str, ttl: u32, target: &str) {
        self.answers.push(record(name, 5, ttl, &labels(target)));
    }

    /// The SOA record that says how long it may be remembered that there is nothing (RFC 2308, 5).
    pub(super) fn nothing_for(&mut self, zone: &str, ttl: u32) {
        let mut data = labels("ns.varve.test");
        data.extend(labels("hostmaster.varve.test"));
        for number in [1, 3600, 600, 86400, ttl] {
            data.extend_from_slice(&u32::to_be_bytes(number));
        }
        self.authority.push(record(zone, 6, ttl, &data));
    }

    /// The bytes to send.
    pub(super) fn bytes(self, question: &Question) -> Vec<u8> {
        // A response (QR), authoritative (AA), perhaps truncated (TC), recursion asked for and available.
        let flags = [0b1000_0101 | if self.is_truncated { 0b10 } else { 0 }, 0b1000_0000 | self.code];
        let mut bytes = [question.id.as_slice(), &flags, &1_u16.to_be_bytes()].concat();
        for part in [&self.answers, &self.authority] {
            bytes.extend_from_slice(&u16::try_from(part.len()).unwrap_or(u16::MAX).to_be_bytes());
        }
        bytes.extend_from_slice(&[0, 0]);
        bytes.extend_from_slice(&question.raw);
        self.answers.iter().chain(&self.authority).for_each(|record| bytes.extend_from_slice(record));
        bytes
    }
}

/// One record, its name written out.
fn record(name: &str, kind: u16, ttl: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = labels(name);
    bytes.extend_from_slice(&kind.to_be_bytes());
    bytes.extend_from_slice(&1_u16.to_be_bytes());
    bytes.extend_from_slice(&ttl.to_be_bytes());
    bytes.extend_from_slice(&u16::try_from(data.len()).unwrap_or(u16::MAX).to_be_bytes());
    bytes.extend_from_slice(data);
    bytes
}

/// A name as labels, each behind its length.
fn labels(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for label in name.split('.').filter(|label| !label.is_empty()) {
        bytes.push(u8::try_from(label.len()).unwrap_or(63));
        bytes.extend_from_slice(label.as_bytes());
    }
    bytes.push(0);
    bytes
}
