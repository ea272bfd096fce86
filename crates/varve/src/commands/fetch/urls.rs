//! Where the URLs come from: arguments, files, standard input, one after another and never all at once.
//!
//! Lists are opened before the first URL is handed out, so that one that is missing is told at once.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::Ipv6Addr;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use url::Url;
use urlkey::hide_login;

use settings::Input;

/// A longer line is no URL that anybody could fetch.
const LINE_BYTES_MAX: u64 = 1 << 16;

/// One entry of a list.
pub(super) enum Entry {
    /// To be fetched.
    Url(Url),
    /// Not understood.
    NoUrl(NoUrl),
    /// The list itself cannot be read.
    Unreadable(anyhow::Error),
}

/// What stands where a URL should.
pub(super) struct NoUrl {
    pub(super) text: String,
    pub(super) reason: String,
    /// The list and its line, counted from 1; `None` for an argument.
    pub(super) place: Option<(String, u64)>,
}

/// All entries in their order: arguments first, then the lists.
pub(super) fn read(urls: Vec<String>, lists: Vec<PathBuf>) -> impl Iterator<Item = Entry> + Send {
    let arguments = urls.into_iter().map(|text| -> Box<dyn Iterator<Item = Entry> + Send> {
        if text == "-" { lines(Path::new("-")) } else { Box::new(std::iter::once(entry(&text, None))) }
    });
    let opened: Vec<_> = arguments.chain(lists.into_iter().map(|path| lines(&path))).collect();
    opened.into_iter().flatten()
}

fn lines(path: &Path) -> Box<dyn Iterator<Item = Entry> + Send> {
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
    let input = match Input::open(path) {
        Ok(input) => input,
        Err(error) => return Box::new(std::iter::once(Entry::Unreadable(error.into()))),
    };
    let mut input = BufReader::new(input);
    let mut is_over = false;
    let mut number = 0;
    Box::new(std::iter::from_fn(move || {
        while !is_over {
            let mut line = Vec::new();
            // One more than the limit shows that there is more.
            let taken = input.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut line);
            let skipped = match taken {
                Ok(0) => return None,
                Ok(_) if line.len() as u64 > LINE_BYTES_MAX => input.skip_until(b'\n').map(|_| true),
                Ok(_) => Ok(false),
                Err(error) => Err(error),
            };
            let is_long = match skipped.with_context(|| format!("cannot read `{name}`")) {
                Ok(is_long) => is_long,
                Err(error) => {
                    is_over = true;
                    return Some(Entry::Unreadable(error));
                }
            };
            number += 1;
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            let place = || Some((name.clone(), number));
            if is_long {
                let text = hide_login(text).chars().take(80).collect();
                let reason = format!("longer than {LINE_BYTES_MAX} bytes");
                return Some(Entry::NoUrl(NoUrl { text, reason, place: place() }));
            }
            if !text.is_empty() && !text.starts_with('#') {
                return Some(entry(text, place()));
            }
        }
        None
    }))
}

/// What a person writes for a URL: `http://` may be left out in front of a host.
fn entry(text: &str, place: Option<(String, u64)>) -> Entry {
    let parsed =
        if begins_with_host(text) { Url::parse(&format!("http://{text}")) } else { Url::parse(text) };
    match parsed {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Entry::Url(url),
        Ok(url) => {
            // What stands before the `@` of a mail address is no secret.
            let is_mail = url.scheme() == "mailto";
            let text = if is_mail { text.to_owned() } else { hide_login(text).into_owned() };
            let reason = format!("URLs of the scheme `{}` are not fetched", url.scheme());
            Entry::NoUrl(NoUrl { text, reason, place })
        }
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            let reason = "that is no URL; write it with `http://` or `https://`".to_owned();
            Entry::NoUrl(NoUrl { text: hide_login(text).into_owned(), reason, place })
        }
        Err(error) => {
            let (text, reason) = (hide_login(text).into_owned(), error.to_string());
            Entry::NoUrl(NoUrl { text, reason, place })
        }
    }
}

/// Whether this looks like a host and what follows it, and not like a scheme, a path or a word.
fn begins_with_host(text: &str) -> bool {
    let front = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match front.rsplit_once(':') {
        _ if front.ends_with(']') => (front, None),
        Some((host, port)) => (host, Some(port)),
        None => (front, None),
    };
    let has_port =
        port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    if port.is_some() && !has_port {
        return false;
    }
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.parse::<Ipv6Addr>().is_ok();
    }
    // A name and password in front of a host, a second colon, or a dot in front: nothing that is written in short.
    let is_plain = !host.is_empty() && !host.starts_with('.') && !host.contains([':', '@']);
    is_plain && (has_port || host.contains('.') || host.eq_ignore_ascii_case("localhost"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = match entry(text, None) {
            Entry::Url(url) => Some(url.to_string()),
            _ => None,
        };
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn the_scheme_may_be_left_out() {
        check("example.org", Some("http://example.org/"));
        check("localhost:8080/a", Some("http://localhost:8080/a"));
        check("HTTPS://Example.org", Some("https://example.org/"));
        check("ftp://example.org/", None);
        check("http://", None);
    }

    #[test]
    fn nothing_but_a_host_stands_for_a_url() {
        check("localhost", Some("http://localhost/"));
        check("LOCALHOST?q", Some("http://localhost/?q"));
        check("intranet:8080", Some("http://intranet:8080/"));
        check("127.0.0.1", Some("http://127.0.0.1/"));
        check("[::1]:81/a", Some("http://[::1]:81/a"));
        check("[::1]", Some("http://[::1]/"));
        check("bücher.example/ä:b", Some("http://xn--bcher-kva.example/%C3%A4:b"));
        for text in [
            "mailto:a@b",
            "mailto:a@b.example",
            "javascript:void(0)",
            "data:,x",
            "tel:x",
            "/etc/passwd",
            "./a.b",
            "../a.b",
            "//example.org/",
            "word",
            "two words",
            "",
            ":",
            "[]",
            "[x]",
            "a:",
            "?a.b",
            "me@example.org",
            "a:b:80",
        ] {
            check(text, None);
        }
    }
}
