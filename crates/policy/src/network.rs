//! A network, such as the reading room's: `192.0.2.0/24`.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use crate::error::Error;

/// A range of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    /// An IPv4 address is stored in its mapped form, so there is only one kind.
    address: u128,
    /// Bits that count.
    bits: u32,
}

/// Bits before an IPv4 address in its IPv6-mapped form.
const MAPPED_BITS: u32 = 96;

impl Network {
    /// Whether the network contains an address. An IPv4 address in its IPv6-mapped form counts as IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        (number(address) ^ self.address).leading_zeros() >= self.bits
    }
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => address.to_bits(),
    }
}

impl FromStr for Network {
    type Err = Error;

    fn from_str(text: &str) -> Result<Network, Error> {
        let bad = || Error::NotANetwork(text.chars().take(100).collect());
        let (address, bits) = text.split_once('/').map_or((text, None), |(one, two)| (one, Some(two)));
        let address: IpAddr = address.parse().map_err(|_| bad())?;
        let (shift, most) = if address.is_ipv4() { (MAPPED_BITS, 32) } else { (0, 128) };
        let bits = match bits {
            Some(bits) => bits.parse().ok().filter(|bits| *bits <= most).ok_or_else(bad)?,
            None => most,
        };
        let network = Network { address: number(address), bits: bits + shift };
        // `192.0.2.7/24` is most likely a slip, and nobody can say of what.
        let mask = u128::MAX.checked_shl(128 - network.bits).unwrap_or(0);
        if network.address & !mask == 0 { Ok(network) } else { Err(bad()) }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = Ipv6Addr::from_bits(self.address);
        match address.to_ipv4_mapped().filter(|_| self.bits >= MAPPED_BITS) {
            Some(address) => write!(f, "{address}/{}", self.bits - MAPPED_BITS),
            None => write!(f, "{address}/{}", self.bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(network: &str, address: &str, is_in: bool) {
        let parsed: Network = network.parse().unwrap();
        assert_eq!(parsed.contains(address.parse().unwrap()), is_in, "{address} in {network}");
        assert_eq!(parsed.to_string().parse::<Network>().unwrap(), parsed);
    }

    #[test]
    fn prefix_bits_decide() {
        check("192.0.2.0/24", "192.0.2.255", true);
        check("192.0.2.0/24", "192.0.3.0", false);
        check("192.0.2.0/24", "::ffff:192.0.2.1", true);
        check("192.0.2.7", "192.0.2.7", true);
        check("192.0.2.7", "192.0.2.6", false);
        check("0.0.0.0/0", "198.51.100.1", true);
        check("0.0.0.0/0", "2001:db8::1", false);
        check("2001:db8::/32", "2001:db8:1::1", true);
        check("2001:db8::/32", "2001:db9::1", false);
        check("::/0", "2001:db9::1", true);
    }

    #[test]
    fn malformed_networks_are_refused() {
        for text in
            ["", "192.0.2.0/33", "192.0.2.7/24", "example.org", "192.0.2.0/", "::/129", "192.0.2.0/-1"]
        {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }
}
