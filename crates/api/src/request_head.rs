//! Refuses requests whose head allows two readings: guards, proxies and handlers could each believe another one.

use axum::http::header::HeaderName;
use axum::http::{HeaderMap, Uri, header};

use crate::error::Error;

/// Headers that decide whether a request is answered. Each may be given once.
const DECIDING: [HeaderName; 3] = [header::HOST, header::ORIGIN, HeaderName::from_static("sec-fetch-site")];

/// The port of a name without one.
const DEFAULT_PORT: &str = "80";

/// Checks that no deciding header is repeated and that an absolute target names the server that `Host` names.
pub(crate) fn check(target: &Uri, headers: &HeaderMap) -> Result<(), Error> {
    if let Some(name) = DECIDING.iter().find(|name| headers.get_all(*name).iter().nth(1).is_some()) {
        return Err(Error::bad(format!("the request has more than one `{name}` header")));
    }
    let (Some(authority), Some(host)) = (target.authority(), headers.get(header::HOST)) else {
        return Ok(());
    };
    let is_same = host.to_str().is_ok_and(|host| split_port(host) == split_port(authority.as_str()));
    if is_same {
        Ok(())
    } else {
        Err(Error::bad("the request's target and its `Host` header name different servers"))
    }
}

/// The name in lower case, and the port.
fn split_port(authority: &str) -> (String, &str) {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    match authority.rsplit_once(':') {
        Some((name, port)) if is_port(port) => (name.to_ascii_lowercase(), port),
        _ => (authority.to_ascii_lowercase(), DEFAULT_PORT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(target: &str, given: &[(&'static str, &str)], is_accepted: bool) {
        let given = given.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.append(name, value);
        }
        assert_eq!(
            super::check(&target.parse().unwrap(), &headers).is_ok(),
            is_accepted,
            "{target} {headers:?}"
        );
    }

    #[test]
    fn repeated_deciding_headers_are_refused_even_if_equal() {
        check(
            "/",
            &[("host", "localhost"), ("origin", "http://localhost"), ("sec-fetch-site", "none")],
            true,
        );
        for name in ["host", "origin", "sec-fetch-site"] {
            check("/", &[(name, "localhost"), (name, "localhost")], false);
            check("/", &[(name, "localhost"), (name, "evil.example")], false);
        }
        check("/", &[("host", "localhost"), ("accept", "a/b"), ("accept", "c/d")], true);
    }

    #[test]
    fn an_absolute_target_must_name_the_server_of_host() {
        check("http://localhost:8470/a", &[("host", "LOCALHOST:8470")], true);
        check("http://localhost/", &[("host", "localhost:80")], true);
        check("http://[::1]/", &[("host", "[::1]")], true);
        check("http://localhost:8470/", &[], true);
        check("http://localhost:8470/", &[("host", "localhost:8471")], false);
        check("http://localhost:8470/", &[("host", "evil.example:8470")], false);
        check("http://evil.example/", &[("host", "localhost")], false);
        check("http://localhost@evil.example/", &[("host", "localhost")], false);
    }
}
