//! Hosts: names in Unicode to punycode, addresses in odd notations to the usual one, labels turned round.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::Error;

/// A name to ASCII, as browsers do it (<https://url.spec.whatwg.org/#idna>): UTS 46, not transitional, so that `ß` stays
/// itself. A name that is ASCII already is only put in lower case, whatever its `xn--` labels hold.
///
/// # Errors
/// [`Error::BadHost`] for names that cannot be, such as `a:b` or one that mixes writing directions.
pub fn to_ascii(domain: &str) -> Result<String, Error> {
    let refused = || Error::BadHost { host: crate::error::excerpt(domain) };
    let deny = idna::AsciiDenyList::URL;
    match Uts46::new().to_ascii(domain.as_bytes(), deny, Hyphens::Allow, DnsLength::Ignore) {
        Ok(ascii) => Ok(ascii.into_owned()),
        Err(_) if domain.is_ascii() && !domain.bytes().any(is_forbidden) => Ok(domain.to_ascii_lowercase()),
        Err(_) => Err(refused()),
    }
}

/// Code points no domain may hold: <https://url.spec.whatwg.org/#forbidden-domain-code-point>.
fn is_forbidden(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f || b"#/:<>?@[\\]^|%".contains(&byte)
}

/// A name to ASCII as the older rules have it (IDNA 2003, which Python and Java still use): label by label, `ß` becomes
/// `ss`, labels in ASCII are left alone. `None` where a label is empty or over 63 letters.
pub(crate) fn to_ascii_2003(domain: &str) -> Option<Vec<u8>> {
    let mut ascii = Vec::with_capacity(domain.len() + 16);
    let mut labels = domain.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']).peekable();
    while let Some(label) = labels.next() {
        let start = ascii.len();
        if label.is_ascii() {
            ascii.extend_from_slice(label.as_bytes());
        } else {
            let mapped = transitional(label);
            let encoded = Uts46::new()
                .to_ascii(mapped.as_bytes(), idna::AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore)
                .ok()?;
            ascii.extend_from_slice(encoded.as_bytes());
        }
        let length = ascii.len() - start;
        let last = labels.peek().is_none();
        // An empty label can only be the root, after a trailing dot.
        if length > 63 || (length == 0 && !(last && label.is_empty())) {
            return None;
        }
        if !last {
            ascii.push(b'.');
        }
    }
    Some(ascii)
}

/// The four characters on which the old and the new rules differ: <https://www.unicode.org/reports/tr46/#Deviations>.
fn transitional(label: &str) -> String {
    label.replace(['ß', 'ẞ'], "ss").replace('ς', "σ").replace(['\u{200c}', '\u{200d}'], "")
}

/// Reads an IPv4 address as browsers do: one to four parts, each decimal, octal (`017`) or hexadecimal (`0x1f`), the last
/// one filling what is left. Empty parts are zero and one trailing dot is passed over.
pub fn parse_ipv4(host: &[u8]) -> Option<Ipv4Addr> {
    if host.is_empty() {
        return None;
    }
    let host = host.strip_suffix(b".").unwrap_or(host);
    let mut parts = [0u64; 4];
    let mut count = 0;
    for (part, slot) in host.split(|byte| *byte == b'.').zip(parts.iter_mut().map(Some).chain([None])) {
        *slot? = ipv4_number(part)?;
        count += 1;
    }
    ipv4_from_parts(parts.get(..count)?)
}

fn ipv4_number(part: &[u8]) -> Option<u64> {
    let (radix, digits) = match part {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', digits @ ..] if !digits.is_empty() => (8, digits),
        digits => (10, digits),
    };
    digits.iter().try_fold(0u64, |sum, digit| {
        let value = (*digit as char).to_digit(radix)?;
        sum.checked_mul(u64::from(radix))?.checked_add(u64::from(value))
    })
}

/// All but the last part are one byte each; the last fills the rest.
fn ipv4_from_parts(parts: &[u64]) -> Option<Ipv4Addr> {
    let (last, first) = parts.split_last()?;
    let room = 8 * (4 - u32::try_from(first.len()).ok()?);
    if *last >= 1 << room || first.iter().any(|part| *part > 255) {
        return None;
    }
    let head = first.iter().fold(0, |sum, part| sum << 8 | part);
    u32::try_from(head << room | last).ok().map(Ipv4Addr::from)
}

/// Reads the notations that Google's canonical form resolves, as the Internet Archive does it: a bare number taken
/// modulo 2³², and dotted decimal or octal numbers with fewer than four parts.
pub fn resolve_ipv4(host: &[u8]) -> Option<Ipv4Addr> {
    if !host.first()?.is_ascii_digit() || !host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return None;
    }
    if !host.contains(&b'.') {
        let number = host.iter().fold(0u64, |sum, digit| (sum * 10 + u64::from(digit - b'0')) & 0xffff_ffff);
        return u32::try_from(number).ok().map(Ipv4Addr::from);
    }
    // Octal is octal throughout: after a first part that begins with a zero, an 8 makes it a name.
    let not_octal = host.starts_with(b"0") && host.iter().any(|byte| matches!(byte, b'8' | b'9'));
    let empty_part = host.split(|byte| *byte == b'.').any(<[u8]>::is_empty);
    if empty_part || not_octal { None } else { parse_ipv4(host) }
}

/// Reads `[2001:db8::1]`.
pub fn parse_ipv6(host: &[u8]) -> Option<Ipv6Addr> {
    let inner = host.strip_prefix(b"[")?.strip_suffix(b"]")?;
    std::str::from_utf8(inner).ok()?.parse().ok()
}

/// Is this four decimal numbers of up to three digits, whatever their size? Such hosts are not turned round.
pub(crate) fn is_dotted_quad(host: &[u8]) -> bool {
    let mut parts = 0;
    host.split(|byte| *byte == b'.').all(|part| {
        parts += 1;
        (1..=3).contains(&part.len()) && part.iter().all(u8::is_ascii_digit)
    }) && parts == 4
}

/// Without `www.`, `www2.` and the like in front.
pub(crate) fn strip_www(host: &[u8]) -> &[u8] {
    let Some(rest) = host.strip_prefix(b"www") else { return host };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    rest.get(digits..).and_then(|rest| rest.strip_prefix(b".")).unwrap_or(host)
}

/// Appends the labels last to first, with commas between: `www.example.org` is `org,example,www`.
pub(crate) fn push_reversed(out: &mut Vec<u8>, host: &[u8]) {
    let mut first = true;
    for label in host.rsplit(|byte| *byte == b'.') {
        if !first {
            out.push(b',');
        }
        first = false;
        out.extend_from_slice(label);
    }
}

/// No dots at either end, none doubled within.
pub(crate) fn tidy_dots(host: &[u8]) -> Cow<'_, [u8]> {
    let doubled = host.windows(2).any(|pair| pair == b"..");
    if !doubled && !host.starts_with(b".") && !host.ends_with(b".") {
        return Cow::Borrowed(host);
    }
    let labels: Vec<&[u8]> = host.split(|byte| *byte == b'.').filter(|label| !label.is_empty()).collect();
    Cow::Owned(labels.join(&b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_resolved(host: &str, expect: Option<&str>) {
        assert_eq!(resolve_ipv4(host.as_bytes()).map(|ip| ip.to_string()).as_deref(), expect, "{host}");
    }

    #[test]
    fn addresses_in_odd_notations_are_resolved() {
        check_resolved("3279880203", Some("195.127.0.11"));
        check_resolved("39024579298", Some("22.11.210.226"));
        check_resolved("017.0.0.1", Some("15.0.0.1"));
        check_resolved("1.2", Some("1.0.0.2"));
        check_resolved("10.08.1.1", None);
        check_resolved("07.8", None);
        check_resolved("256.1.1.1", None);
        check_resolved("0x7f.1", None);
        check_resolved("1..2", None);
    }

    #[test]
    fn old_and_new_rules_differ_on_sharp_s() {
        assert_eq!(to_ascii("faß.example").unwrap(), "xn--fa-hia.example");
        assert_eq!(to_ascii_2003("faß.example").unwrap(), b"fass.example");
    }

    #[test]
    fn www_is_stripped_only_as_a_label() {
        for (host, expect) in
            [("www.a.org", "a.org"), ("www23.a.org", "a.org"), ("wwwa.org", "wwwa.org"), ("www", "www")]
        {
            assert_eq!(strip_www(host.as_bytes()), expect.as_bytes());
        }
    }
}
