//! URLs as they are watched, and whom the gate is asked for.

use url::Url;
use urlkey::Login;

use crate::error::Error;

/// The URL of a document: without a fragment, which no server sees, and without user name and password.
pub(crate) fn parse(text: &str, bytes_max: usize) -> Result<Url, Error> {
    let shown = || urlkey::hide_login(text).chars().take(200).collect::<String>();
    let mut url = Url::parse(text.trim()).map_err(|_| Error::Url(shown()))?;
    let is_web =
        matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty());
    if !is_web || url.as_str().len() > bytes_max {
        return Err(Error::Url(shown()));
    }
    url.set_fragment(None);
    Login::take(&mut url);
    Ok(url)
}

/// A URL without user name and password. What is no URL stays as it is.
pub(crate) fn without_login(text: String) -> String {
    let Ok(mut url) = Url::parse(&text) else { return text };
    if Login::take(&mut url).is_some() { url.into() } else { text }
}

/// Whom the gate is asked for, as crawls of the same process ask it.
pub(crate) fn gate_host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        assert_eq!(parse(text, 60).ok().map(String::from).as_deref(), expect, "{text}");
    }

    #[test]
    fn what_can_be_watched() {
        check(" HTTP://Example.org:80/a?b#c ", Some("http://example.org/a?b"));
        check("http://me:pw@example.org/a", Some("http://example.org/a"));
        check("https://example.org", Some("https://example.org/"));
        check("ftp://example.org/", None);
        check("example.org", None);
        check("", None);
        check(&format!("http://example.org/{}", "a".repeat(60)), None);
    }
}
