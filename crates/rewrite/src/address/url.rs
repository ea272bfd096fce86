//! The URL in an address, as it was meant: people leave the scheme out, proxies squeeze slashes, clients escape too much.

use crate::place::{in_ascii, scheme};

/// Schemes behind which a host comes.
const WITH_HOST: [&str; 5] = ["http", "https", "ftp", "ws", "wss"];

/// The URL with its scheme, its slashes, and its host as it is asked for; nothing if there is none.
pub(super) fn absolute(text: &str) -> Option<String> {
    let text = text.trim_matches(|character| character <= ' ').trim_start_matches("%20");
    // A star behind it stands for whatever follows, and is part of no host.
    let (text, star) = text.strip_suffix('*').map_or((text, ""), |text| (text, "*"));
    let url = mend(text)?;
    let Some((scheme, rest)) = url.split_once("://") else { return Some(url + star) };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, behind) = rest.split_at_checked(end)?;
    if host.is_empty() && star.is_empty() {
        return None;
    }
    Some(format!("{scheme}://{}{behind}{star}", in_ascii(host)))
}

fn mend(text: &str) -> Option<String> {
    if let Some(url) = known_scheme(text) {
        return Some(url);
    }
    if let Some(scheme) = scheme(text)
        && !is_port(text.get(scheme.len() + 1..).unwrap_or_default())
    {
        // `urn:isbn:1` is whole.
        return Some(text.to_owned());
    }
    let host = text.trim_start_matches('/');
    Some(format!("http://{host}"))
}

/// A URL of a known scheme, however its colon and slashes look.
fn known_scheme(text: &str) -> Option<String> {
    let (scheme, rest) = WITH_HOST.iter().find_map(|scheme| {
        let (head, rest) = text.split_at_checked(scheme.len())?;
        let rest = rest.strip_prefix(':').or_else(|| strip_code(rest, "%3a"))?;
        head.eq_ignore_ascii_case(scheme).then_some((scheme, rest))
    })?;
    // Who escapes the slashes escapes the whole URL; who escapes only the colon has left the rest alone.
    if strip_code(rest, "%2f").is_some() {
        let decoded = urlkey::percent::decode_utf8(rest);
        return Some(format!("{scheme}://{}", decoded.trim_start_matches(['/', '\\'])));
    }
    Some(format!("{scheme}://{}", rest.trim_start_matches(['/', '\\'])))
}

fn strip_code<'a>(text: &'a str, code: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(code.len())?;
    head.eq_ignore_ascii_case(code).then_some(rest)
}

/// Whether a port stands here, so that what is before it is a host: `example.org:8080/`.
fn is_port(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_end = matches!(text.as_bytes().get(digits), None | Some(b'/' | b'?' | b'#'));
    (1..=5).contains(&digits) && is_end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, url: &str) {
        assert_eq!(absolute(text).as_deref(), Some(url), "{text}");
    }

    #[test]
    fn schemes_and_slashes_come_back() {
        check("http:/example.org/a", "http://example.org/a");
        check("HTTP:///example.org//a", "http://example.org//a");
        check("///example.org/", "http://example.org/");
        check("example.org/?u=http://b.example/", "http://example.org/?u=http://b.example/");
        check("localhost:8080/a", "http://localhost:8080/a");
        check("localhost", "http://localhost");
    }

    #[test]
    fn escapes_are_undone_as_far_as_they_were_made() {
        check("https%3A//example.org/?q=a%26b", "https://example.org/?q=a%26b");
        check("https%3a%2F%2Fexample.org%2Fa%3Fb", "https://example.org/a?b");
        check("http:%2f%2fexample.org%2fa", "http://example.org/a");
        check("%20%20http://example.org/", "http://example.org/");
    }

    #[test]
    fn hosts_are_as_they_are_asked_for() {
        check("příklad.example/a", "http://xn--pklad-zsa96e.example/a");
        check("http://p%C5%99%C3%ADklad.example:81/*", "http://xn--pklad-zsa96e.example:81/*");
    }

    #[test]
    fn what_has_another_scheme_is_whole() {
        check("urn:isbn:1", "urn:isbn:1");
        check("dns:192.0.2.1", "dns:192.0.2.1");
        check("metadata://example.org/job", "metadata://example.org/job");
    }
}
