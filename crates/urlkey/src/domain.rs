//! Who owns a host: public suffix and registrable domain, from the list that browsers use (<https://publicsuffix.org>).
//!
//! The list is built in, so the answer depends on the version of varve and on nothing else.

/// The suffix under which anybody may register: `co.uk` of `www.example.co.uk`. `None` for addresses and empty names.
pub fn public_suffix(host: &str) -> Option<&str> {
    if is_address(host) {
        return None;
    }
    std::str::from_utf8(psl::suffix(host.as_bytes())?.as_bytes()).ok()
}

/// The domain somebody registered: `example.co.uk` of `www.example.co.uk`. `None` for a suffix itself, and for addresses.
///
/// ```
/// assert_eq!(urlkey::registrable_domain("www.images.amazon.co.uk"), Some("amazon.co.uk"));
/// assert_eq!(urlkey::registrable_domain("co.uk"), None);
/// ```
pub fn registrable_domain(host: &str) -> Option<&str> {
    if is_address(host) {
        return None;
    }
    std::str::from_utf8(psl::domain(host.as_bytes())?.as_bytes()).ok()
}

/// The host in two: registrable domain, and what is in front of it, `("amazon.co.uk", "www.images")`.
pub fn split_registrable(host: &str) -> Option<(&str, &str)> {
    let domain = registrable_domain(host)?;
    let front = host.strip_suffix(domain)?;
    Some((domain, front.strip_suffix('.').unwrap_or(front)))
}

/// Cuts a SURT host down to what one owner holds: `au,com,example,www,` is `au,com,example,`. A public suffix, an
/// address or anything else that nobody can register comes back as it is, with a comma at the end.
pub fn topmost_assigned_surt(surt: &str) -> String {
    let labels = surt.trim_end_matches(',');
    let host: Vec<&str> = labels.rsplit(',').collect();
    let host = host.join(".");
    let kept = match registrable_domain(&host) {
        Some(domain) => domain.split('.').count(),
        None => labels.split(',').count(),
    };
    let top: Vec<&str> = labels.split(',').take(kept).collect();
    top.join(",") + ","
}

/// Is this a name that could stand in a URL without a scheme: an address, or a name under a known suffix?
pub fn is_authority(text: &str) -> bool {
    if crate::host::is_dotted_quad(text.as_bytes()) {
        return true;
    }
    let letters =
        text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte));
    let known = psl::suffix(text.as_bytes()).is_some_and(|suffix| suffix.is_known());
    letters && known && text.contains('.')
}

fn is_address(host: &str) -> bool {
    host.starts_with('[') || host.contains(':') || crate::host::parse_ipv4(host.as_bytes()).is_some()
}
