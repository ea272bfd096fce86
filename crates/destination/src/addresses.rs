//! Which addresses may be asked: those that the whole Internet can reach, and others only by leave.
//!
//! Whoever writes a link can make it point into the network that the crawler stands in, to its own machine, or to the
//! service where a cloud keeps its keys. So each address is judged after its name was looked up, and the connection goes to
//! the judged address and nowhere else. Pure: no lookup happens here.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use crate::error::Error;

/// What an address is that not everybody can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `0.0.0.0/8`, `::`.
    Unspecified,
    /// `127.0.0.0/8`, `::1`.
    Loopback,
    /// `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16`.
    Private,
    /// `100.64.0.0/10`: behind a provider's translator.
    Shared,
    /// `169.254.0.0/16`, `fe80::/10`.
    LinkLocal,
    /// Where a cloud tells a machine its keys.
    Metadata,
    /// `fc00::/7`.
    UniqueLocal,
    /// `fec0::/10`, no longer used.
    SiteLocal,
    /// Assigned to a protocol of the network itself: `192.0.0.0/24`, `2001::/23` but for what is global in it.
    Protocol,
    /// For measuring: `198.18.0.0/15`, `2001:2::/48`.
    Benchmarking,
    /// For books: `192.0.2.0/24`, `2001:db8::/32` and others.
    Documentation,
    /// To many at once.
    Multicast,
    /// `255.255.255.255`.
    Broadcast,
    /// Not assigned, or given back.
    Reserved,
}

impl Kind {
    /// What this address is; `None` if everybody can reach it. An IPv4 address inside an IPv6 one is judged like itself.
    #[must_use]
    pub fn of(address: IpAddr) -> Option<Kind> {
        match address {
            IpAddr::V4(address) => kind_v4(address),
            IpAddr::V6(address) => kind_v6(address),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Unspecified => "it means no machine in particular",
            Kind::Loopback => "it is this machine's own (loopback)",
            Kind::Private => "it belongs to a private network",
            Kind::Shared => "it belongs to a provider's shared network",
            Kind::LinkLocal => "it holds on the local link only",
            Kind::Metadata => "it is where a cloud keeps its secrets",
            Kind::UniqueLocal => "it belongs to a private network (unique local)",
            Kind::SiteLocal => "it belongs to a private network (site local)",
            Kind::Protocol => "it is reserved for protocols",
            Kind::Benchmarking => "it is reserved for measurements",
            Kind::Documentation => "it is reserved for documentation",
            Kind::Multicast => "it is a multicast address",
            Kind::Broadcast => "it is the broadcast address",
            Kind::Reserved => "it is reserved",
        })
    }
}

/// Which addresses may be asked beside those that everybody can reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed {
    /// All of them, but for clouds' metadata services: these only if [`Allowed::networks`] has them.
    pub private: bool,
    /// Those of these networks.
    pub networks: Vec<Network>,
}

impl Allowed {
    /// Everything but clouds' metadata services.
    #[must_use]
    pub fn private() -> Allowed {
        Allowed { private: true, networks: Vec::new() }
    }

    /// Whether this address may be asked, or what speaks against it.
    pub fn check(&self, address: IpAddr) -> Result<(), Kind> {
        match Kind::of(address) {
            None => Ok(()),
            Some(kind) if self.private && kind != Kind::Metadata => Ok(()),
            Some(_) if self.networks.iter().any(|network| network.contains(address)) => Ok(()),
            Some(kind) => Err(kind),
        }
    }
}

/// A range of addresses: `192.168.0.0/16`, `fd00::/8`, or a single one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network {
    first: IpAddr,
    bits: u32,
}

impl Network {
    /// This address alone.
    #[must_use]
    pub fn single(address: IpAddr) -> Network {
        let first = address.to_canonical();
        Network { first, bits: if first.is_ipv4() { 32 } else { 128 } }
    }

    /// Whether the address lies within. An IPv4 address in IPv6's spelling counts as itself.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.first, address.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                let differ = first.to_bits() ^ address.to_bits();
                differ.leading_zeros() >= self.bits
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let differ = first.to_bits() ^ address.to_bits();
                differ.leading_zeros() >= self.bits
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = Error;

    fn from_str(text: &str) -> Result<Network, Error> {
        let bad = || Error::Network { text: text.to_owned() };
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().map_err(|_| bad())?)),
            None => (text, None),
        };
        let first: IpAddr = address.trim().parse().map_err(|_| bad())?;
        let most = if first.is_ipv4() { 32 } else { 128 };
        match bits {
            None => Ok(Network::single(first)),
            Some(bits) if bits <= most => Ok(Network { first, bits }),
            Some(_) => Err(bad()),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

/// By the IANA registry of special-purpose addresses (RFC 6890 and its successors).
fn kind_v4(address: Ipv4Addr) -> Option<Kind> {
    Some(match address.octets() {
        // Amazon, Google, Azure and most others; Alibaba; Oracle's and Azure's second ones.
        [169, 254, 169, 254] | [100, 100, 100, 200] | [192, 0, 0, 192] | [168, 63, 129, 16] => Kind::Metadata,
        [0, ..] => Kind::Unspecified,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Kind::Private,
        [100, 64..=127, ..] => Kind::Shared,
        [127, ..] => Kind::Loopback,
        [169, 254, ..] => Kind::LinkLocal,
        // Anycast of two protocols (RFC 7723, RFC 8155).
        [192, 0, 0, 9 | 10] => return None,
        [192, 0, 0, _] => Kind::Protocol,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Kind::Documentation,
        // Relays of 6to4, given back (RFC 7526).
        [192, 88, 99, _] => Kind::Reserved,
        [198, 18 | 19, ..] => Kind::Benchmarking,
        [224..=239, ..] => Kind::Multicast,
        [255, 255, 255, 255] => Kind::Broadcast,
        [240..=255, ..] => Kind::Reserved,
        _ => return None,
    })
}

fn kind_v6(address: Ipv6Addr) -> Option<Kind> {
    let segments = address.segments();
    if let Some(inner) = embedded_v4(segments) {
        return kind_v4(inner);
    }
    Some(match segments {
        [0, 0, 0, 0, 0, 0, 0, 0] => Kind::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Kind::Loopback,
        // Amazon's and Google's.
        [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => Kind::Metadata,
        [0xfe80..=0xfebf, ..] => Kind::LinkLocal,
        [0xfec0..=0xfeff, ..] => Kind::SiteLocal,
        [0xfc00..=0xfdff, ..] => Kind::UniqueLocal,
        [0xff00..=0xffff, ..] => Kind::Multicast,
        [0x2001, 0x0002, 0, ..] => Kind::Benchmarking,
        [0x2001, 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => Kind::Documentation,
        // Anycast, multicast translation, DNS-SD, ORCHID and drones' identifiers are global.
        [0x2001, 1, 0, 0, 0, 0, 0, 1..=3]
        | [0x2001, 3, ..]
        | [0x2001, 4, 0x112, ..]
        | [0x2001, 0x20..=0x3f, ..] => {
            return None;
        }
        [0x2001, 0..=0x01ff, ..] => Kind::Protocol,
        [0x0100, 0, 0, 0, ..] => Kind::Reserved,
        [0x2000..=0x3fff, ..] => return None,
        _ => Kind::Reserved,
    })
}

/// The IPv4 address that an IPv6 address stands for.
fn embedded_v4(segments: [u16; 8]) -> Option<Ipv4Addr> {
    let joined = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match segments {
        // Unspecified and loopback are none.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        // Mapped, compatible, and translated (RFC 2765).
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => {
            Some(joined(high, low))
        }
        // NAT64, well known and local (RFC 6052, RFC 8215); the local one with the longest prefix, as is usual.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(joined(high, low)),
        [0x64, 0xff9b, 1, ..] => Some(nat64_local(segments)),
        // 6to4 (RFC 3056).
        [0x2002, high, low, ..] => Some(joined(high, low)),
        // Teredo has the client's address at its end, with every bit turned (RFC 4380).
        [0x2001, 0, _, _, _, _, high, low] => Some(joined(!high, !low)),
        _ => None,
    }
}

/// In the local NAT64 range the place of the IPv4 address depends on a prefix that only the network knows. The most
/// suspicious of the places is taken.
fn nat64_local(segments: [u16; 8]) -> Ipv4Addr {
    let [_, _, _, d, e, f, g, h] = segments;
    let joined = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    // RFC 6052, 2.2: bits 64 to 71 are skipped, so with /48 and /56 the address is cut by a byte of zeros.
    let after_48 = joined(d, e << 8 | f >> 8);
    let after_56 = joined(d << 8 | (e & 0xff), f);
    let after_64 = joined(e << 8 | f >> 8, f << 8 | g >> 8);
    let after_96 = joined(g, h);
    let all = [after_96, after_48, after_56, after_64];
    // Zeros are what the other forms leave in a place that is not used.
    let suspicious = all.into_iter().find(|inner| inner.octets() > [1, 0, 0, 0] && kind_v4(*inner).is_some());
    suspicious.unwrap_or(after_96)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, kind: Option<Kind>) {
        assert_eq!(Kind::of(address.parse().unwrap()), kind, "{address}");
    }

    #[test]
    fn what_everybody_can_reach_is_let_through() {
        for address in [
            "8.8.8.8",
            "1.1.1.1",
            "172.15.255.255",
            "172.32.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "192.0.0.9",
            "198.17.0.1",
            "223.255.255.255",
            "2600::1",
            "2001:4860:4860::8888",
            "2a00:1450::1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:0808:0808::1",
            "2001:20::1",
        ] {
            check(address, None);
        }
    }

    #[test]
    fn special_ipv4_addresses_are_known() {
        check("0.0.0.0", Some(Kind::Unspecified));
        check("0.1.2.3", Some(Kind::Unspecified));
        check("10.0.0.1", Some(Kind::Private));
        check("172.16.0.1", Some(Kind::Private));
        check("172.31.255.255", Some(Kind::Private));
        check("192.168.1.1", Some(Kind::Private));
        check("100.64.0.1", Some(Kind::Shared));
        check("100.127.255.255", Some(Kind::Shared));
        check("127.0.0.1", Some(Kind::Loopback));
        check("127.255.255.254", Some(Kind::Loopback));
        check("169.254.1.1", Some(Kind::LinkLocal));
        check("169.254.169.254", Some(Kind::Metadata));
        check("100.100.100.200", Some(Kind::Metadata));
        check("192.0.0.1", Some(Kind::Protocol));
        check("192.0.2.1", Some(Kind::Documentation));
        check("198.51.100.1", Some(Kind::Documentation));
        check("203.0.113.1", Some(Kind::Documentation));
        check("192.88.99.1", Some(Kind::Reserved));
        check("198.18.0.1", Some(Kind::Benchmarking));
        check("198.19.255.255", Some(Kind::Benchmarking));
        check("224.0.0.1", Some(Kind::Multicast));
        check("239.255.255.255", Some(Kind::Multicast));
        check("240.0.0.1", Some(Kind::Reserved));
        check("255.255.255.255", Some(Kind::Broadcast));
    }

    #[test]
    fn special_ipv6_addresses_are_known() {
        check("::", Some(Kind::Unspecified));
        check("::1", Some(Kind::Loopback));
        check("fe80::1", Some(Kind::LinkLocal));
        check("febf::1", Some(Kind::LinkLocal));
        check("fec0::1", Some(Kind::SiteLocal));
        check("fc00::1", Some(Kind::UniqueLocal));
        check("fdff::1", Some(Kind::UniqueLocal));
        check("fd00:ec2::254", Some(Kind::Metadata));
        check("ff02::1", Some(Kind::Multicast));
        check("2001:db8::1", Some(Kind::Documentation));
        check("3fff::1", Some(Kind::Documentation));
        check("2001:2::1", Some(Kind::Benchmarking));
        check("2001:100::1", Some(Kind::Protocol));
        check("100::1", Some(Kind::Reserved));
        check("4000::1", Some(Kind::Reserved));
        check("5f00::1", Some(Kind::Reserved));
    }

    #[test]
    fn an_ipv4_address_inside_another_is_judged_like_itself() {
        for address in [
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b:1::127.0.0.1",
            "64:ff9b:1:7f00:0:100::",
            "64:ff9b:1:7f:0:1::",
            "64:ff9b:1:0:7f:0:100:0",
            "2002:7f00:1::1",
            "2001:0:1:2:3:4:80ff:fffe",
        ] {
            check(address, Some(Kind::Loopback));
        }
        check("::ffff:169.254.169.254", Some(Kind::Metadata));
        check("2002:a9fe:a9fe::", Some(Kind::Metadata));
        check("::10.0.0.1", Some(Kind::Private));
    }

    #[test]
    fn what_is_allowed_is_let_through() {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let none = Allowed::default();
        assert_eq!(none.check(address("127.0.0.1")), Err(Kind::Loopback));
        assert_eq!(none.check(address("9.9.9.9")), Ok(()));
        let private = Allowed::private();
        assert_eq!(private.check(address("::1")), Ok(()));
        assert_eq!(private.check(address("169.254.169.254")), Err(Kind::Metadata));
        let listed = Allowed { networks: vec!["192.168.0.0/16".parse().unwrap()], ..Allowed::default() };
        assert_eq!(listed.check(address("192.168.3.4")), Ok(()));
        assert_eq!(listed.check(address("::ffff:192.168.3.4")), Ok(()));
        assert_eq!(listed.check(address("192.169.3.4")), Ok(()));
        assert_eq!(listed.check(address("10.0.0.1")), Err(Kind::Private));
    }

    #[test]
    fn networks_are_read() {
        let network = |text: &str| text.parse::<Network>().map(|network| network.to_string()).ok();
        assert_eq!(network("10.0.0.0/8").as_deref(), Some("10.0.0.0/8"));
        assert_eq!(network("10.1.2.3").as_deref(), Some("10.1.2.3/32"));
        assert_eq!(network("::1").as_deref(), Some("::1/128"));
        assert_eq!(network("::/0").as_deref(), Some("::/0"));
        for text in ["", "10.0.0.0/33", "::1/129", "x/8", "10.0.0.0/", "10.0.0.0/-1"] {
            assert_eq!(network(text), None, "{text}");
        }
        assert!("0.0.0.0/0".parse::<Network>().unwrap().contains("1.2.3.4".parse().unwrap()));
    }
}
