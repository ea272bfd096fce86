//! The part of a URL that rules are about, and where a site's robots.txt lies.

use std::borrow::Cow;

/// Path, parameters and query of a URL, as rules see them: always beginning with `/`, never with a fragment.
///
/// A path by itself will do, and so will a URL without its scheme: `example.org/a` is `/a`. What begins with `//` is
/// taken for a host.
#[must_use]
pub fn path_of(url: &str) -> Cow<'_, str> {
    let url = url.split_once('#').map_or(url, |(url, _fragment)| url);
    let behind_scheme = match url.strip_prefix("//") {
        Some(rest) => rest,
        // `://` behind the first `/` or `?` belongs to a URL within the path or query.
        None => match url.split_once("://") {
            Some((scheme, rest)) if !scheme.contains(['/', '?', ';']) => rest,
            _ => url,
        },
    };
    match behind_scheme.find(['/', '?', ';']).and_then(|start| behind_scheme.get(start..)) {
        Some(path) if path.starts_with('/') => Cow::Borrowed(path),
        Some(query) => Cow::Owned(format!("/{query}")),
        None => Cow::Borrowed("/"),
    }
}

/// Where the robots.txt for this URL lies: `https://u@example.org:443/a?b` has `https://example.org/robots.txt`.
///
/// `None` for what is no URL with a host, and for schemes other than `http` and `https`.
#[must_use]
pub fn robots_url(url: &str) -> Option<String> {
    let parts = urlkey::parse_whatwg(url, None).ok()?;
    let is_web = matches!(parts.scheme(), "http" | "https");
    let host = parts.host_str().filter(|host| is_web && !host.is_empty())?;
    let port = parts.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}://{host}{port}/robots.txt", parts.scheme()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_with_a_slash_and_have_no_fragment() {
        for (url, path) in [
            ("", "/"),
            ("http://example.org", "/"),
            ("http://example.org?a", "/?a"),
            ("http://example.org/a/b?c=http://d.e/#f", "/a/b?c=http://d.e/"),
            ("http://example.org#/a", "/"),
            ("example.org/a;b", "/a;b"),
            ("a", "/"),
            ("/a?b://c", "/a?b://c"),
            ("//a/b/c", "/b/c"),
        ] {
            assert_eq!(path_of(url), path, "{url}");
        }
    }

    #[test]
    fn robots_txt_lies_at_the_root_of_its_origin() {
        assert_eq!(
            robots_url("HTTP://U:p@Example.org:80/a").as_deref(),
            Some("http://example.org/robots.txt")
        );
        assert_eq!(
            robots_url("https://example.org:8443").as_deref(),
            Some("https://example.org:8443/robots.txt")
        );
        assert_eq!(robots_url("ftp://example.org/"), None);
        assert_eq!(robots_url("/a"), None);
    }
}
