//! The SURT by which a URL is looked up among prefixes: `http://(org,example,)/a?b`.
//!
//! In lower case, `https` as `http`, without user, password and fragment. It agrees with what [`urlkey::PrefixSet`] makes of
//! the same URL, and is made in one pass and one allocation because every link of a crawl goes through here.

use url::{Host, Position, Url};

/// The URL as it is fetched: without its fragment.
pub(crate) fn fetched(url: &Url) -> &str {
    &url[..Position::AfterQuery]
}

/// The SURT of a whole URL.
pub(crate) fn surt(url: &Url) -> String {
    let mut surt = String::with_capacity(url.as_str().len() + 4);
    push_authority(&mut surt, url);
    surt.push_str(&url[Position::BeforePath..Position::AfterQuery]);
    surt.make_ascii_lowercase();
    surt
}

/// The SURT prefix of everything in the same folder and below: `http://(org,example,)/a/` of `http://example.org/a/b.html`.
pub(crate) fn folder(url: &Url) -> String {
    let mut surt = String::with_capacity(url.as_str().len() + 4);
    push_authority(&mut surt, url);
    let path = url.path();
    surt.push_str(path.rsplit_once('/').map_or("", |(folder, _)| folder));
    surt.push('/');
    surt.make_ascii_lowercase();
    surt
}

/// The SURT prefix of everything on the same host and port: `http://(org,example,)`.
pub(crate) fn host(url: &Url) -> String {
    let mut surt = String::with_capacity(64);
    push_authority(&mut surt, url);
    surt.make_ascii_lowercase();
    surt
}

/// The SURT prefix of everything under the same registrable domain, `http://(org,example,`, or of the host where there is
/// none, as with an address.
pub(crate) fn domain(url: &Url) -> String {
    match url.host_str().and_then(urlkey::registrable_domain) {
        Some(domain) => below(domain),
        None => host(url),
    }
}

/// The SURT prefix of a host name and all names below it.
pub(crate) fn below(name: &str) -> String {
    let mut surt = String::from("http://(");
    push_labels(&mut surt, name);
    surt.make_ascii_lowercase();
    surt
}

fn push_authority(surt: &mut String, url: &Url) {
    let scheme = url.scheme();
    let Some(name) = url.host_str() else {
        surt.push_str(scheme);
        surt.push(':');
        return;
    };
    surt.push_str(if scheme == "https" { "http" } else { scheme });
    surt.push_str("://(");
    match url.host() {
        Some(Host::Ipv4(_)) => surt.push_str(name),
        _ => push_labels(surt, name),
    }
    if let Some(port) = url.port() {
        surt.push(':');
        surt.push_str(&port.to_string());
    }
    surt.push(')');
}

fn push_labels(surt: &mut String, name: &str) {
    let mut end = name.len();
    for (at, _) in name.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'.') {
        surt.push_str(name.get(at + 1..end).unwrap_or_default());
        surt.push(',');
        end = at;
    }
    surt.push_str(name.get(..end).unwrap_or_default());
    surt.push(',');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expect: &str) {
        assert_eq!(surt(&Url::parse(url).unwrap()), expect, "{url}");
    }

    #[test]
    fn the_surt_is_that_of_urlkey() {
        check("https://www.Example.org/A/b?C#d", "http://(org,example,www,)/a/b?c");
        check("http://example.org:8080/", "http://(org,example,:8080)/");
        check("http://127.0.0.1:7000/random/", "http://(127.0.0.1:7000)/random/");
        for url in
            ["https://a.b.example.co.uk/x/?q", "http://[::1]:81/", "http://1.2.3.4/", "ftp://example.org/a"]
        {
            let parsed = Url::parse(url).unwrap();
            let theirs = urlkey::full_surt(parsed.as_str()).replacen("https://", "http://", 1);
            assert_eq!(surt(&parsed), theirs, "{url}");
        }
    }

    #[test]
    fn user_and_password_are_not_looked_at() {
        check("http://me:secret@example.org/a", "http://(org,example,)/a");
    }

    #[test]
    fn folder_host_and_domain_are_prefixes_of_their_url() {
        let url = Url::parse("https://www.example.co.uk:81/a/b.html?c/d").unwrap();
        assert_eq!(folder(&url), "http://(uk,co,example,www,:81)/a/");
        assert_eq!(host(&url), "http://(uk,co,example,www,:81)");
        assert_eq!(domain(&url), "http://(uk,co,example,");
        for prefix in [folder(&url), host(&url), domain(&url)] {
            assert!(surt(&url).starts_with(&prefix), "{prefix}");
        }
        assert_eq!(domain(&Url::parse("http://127.0.0.1:7000/a").unwrap()), "http://(127.0.0.1:7000)");
    }
}
