//! Whether a string begins with the name of a host.

/// What stands before the name, and so how much it has to prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// `http://`: any name with a dot, an address, `localhost`.
    Scheme,
    /// `//`, which comments and paths begin with as well: a name under a domain of letters.
    Slashes,
    /// Nothing: a name that hardly means anything else.
    Bare,
}

/// Whether `text` is a host, alone or followed by a port, path or query.
pub(super) fn leads(text: &str, trust: Trust) -> bool {
    // Most strings that are tried begin otherwise, or with a word in capitals.
    if trust == Trust::Bare
        && !text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    {
        return false;
    }
    let end = memchr::memchr3(b'/', b'?', b'#', text.as_bytes()).unwrap_or(text.len());
    let authority = text.get(..end).unwrap_or_default();
    let host = match authority.rsplit_once('@') {
        // A user's name before a host is for those who say `http://`; elsewhere it is a mail address or a package.
        Some((_, host)) if trust == Trust::Scheme => host,
        Some(_) => return false,
        None => authority,
    };
    let host = match host.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        Some(_) => return trust == Trust::Scheme && host.starts_with('[') && host.ends_with(']'),
        None => host,
    };
    match trust {
        Trust::Scheme => is_name(host) && (host.contains('.') || host.eq_ignore_ascii_case("localhost")),
        Trust::Slashes => is_name(host) && top(host).is_some_and(is_letters),
        Trust::Bare => is_name(host) && is_unmistakable(host),
    }
}

/// Labels of letters, digits and hyphens between dots, none of them empty.
fn is_name(host: &str) -> bool {
    let host = host.strip_suffix('.').filter(|host| !host.is_empty()).unwrap_or(host);
    let is_label = |label: &str| {
        let inside =
            label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0x80..));
        !label.is_empty() && label.len() <= 63 && inside && !label.starts_with('-') && !label.ends_with('-')
    };
    host.len() <= 253
        && host.split('.').all(is_label)
        && top(host).is_none_or(|top| top.len() > 1 || is_number(host))
}

fn is_number(host: &str) -> bool {
    host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok())
}

fn top(host: &str) -> Option<&str> {
    host.rsplit_once('.').map(|(_, top)| top)
}

fn is_letters(label: &str) -> bool {
    label.len() > 1 && (label.bytes().all(|byte| byte.is_ascii_alphabetic()) || label.starts_with("xn--"))
}

/// Names without anything before them are mostly not hosts: `user.id`, `window.name`, `main.rs` all end in a domain that
/// exists. What is written small and begins with `www.`, or ends in a domain that is no word of programmers, is one.
fn is_unmistakable(host: &str) -> bool {
    let small = host
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
    let Some((name, top)) = host.rsplit_once('.') else { return false };
    let owner = name.rsplit('.').next().unwrap_or_default();
    if !small || owner.len() < 2 || owner.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    if name.starts_with("www.") || name.starts_with("www") && name.contains('.') {
        return is_letters(top);
    }
    GENERIC.contains(&top) || COUNTRIES.contains(&top)
}

const GENERIC: [&str; 9] = ["com", "org", "net", "edu", "gov", "mil", "info", "biz", "museum"];

/// Countries whose two letters are neither a word nor the ending of a file that scripts talk about.
const COUNTRIES: [&str; 36] = [
    "at", "au", "be", "br", "ca", "ch", "cn", "cz", "de", "dk", "es", "eu", "fi", "fr", "gr", "hr", "hu",
    "ie", "il", "jp", "kr", "lt", "lu", "lv", "mx", "nl", "nz", "pt", "ro", "ru", "se", "sk", "tr", "tw",
    "ua", "uk",
];
