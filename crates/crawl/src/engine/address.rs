//! URLs as the engine sees them: what is the same, whom the gate is asked for, where robots.txt lies.

use url::{Position, Url};

/// A URL as the frontier knows it: without fragment, name and password, which are no part of what a server has.
pub(super) fn canonical(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return None;
    }
    url.set_fragment(None);
    if !url.username().is_empty() || url.password().is_some() {
        url = fetch::without_password(&url);
    }
    Some(url)
}

/// Whom the gate is asked for.
pub(super) fn gate_host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    }
}

/// Where the robots.txt of a web site lies that a URL is of; as [`robots::robots_url`] says, without parsing it once more.
pub(super) fn robots_txt(url: &Url) -> String {
    let server = &url[Position::BeforeHost..Position::BeforePath];
    [url.scheme(), "://", server, "/robots.txt"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_never_sees_makes_no_difference() {
        let canonical = |text: &str| canonical(Url::parse(text).unwrap()).map(String::from);
        assert_eq!(canonical("HTTP://u:p@Example.org:80/a#b").as_deref(), Some("http://example.org/a"));
        assert_eq!(canonical("https://example.org/A?B=c#").as_deref(), Some("https://example.org/A?B=c"));
        assert_eq!(canonical("mailto:a@example.org"), None);
        assert_eq!(canonical("ftp://example.org/"), None);
    }

    #[test]
    fn a_port_of_its_own_is_a_host_of_its_own() {
        let host = |text: &str| gate_host(&Url::parse(text).unwrap());
        assert_eq!(host("http://example.org/"), "example.org");
        assert_eq!(host("https://example.org:443/"), "example.org");
        assert_eq!(host("http://[::1]:8080/"), "[::1]:8080");
    }

    #[test]
    fn robots_txt_lies_where_the_standard_says() {
        for url in
            ["http://Example.org", "https://example.org:8443/a?b", "http://[::1]/", "http://u:p@a.org/b#c"]
        {
            let url = Url::parse(url).unwrap();
            assert_eq!(Some(robots_txt(&url)), robots::robots_url(url.as_str()));
        }
    }
}
