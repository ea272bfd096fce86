//! A request as it goes over the wire, built once into one buffer.

use std::ops::Range;

use bytes::{Bytes, BytesMut};
use url::Position;

use crate::outcome::Failure;
use crate::proxy::{Proxy, ProxyKind};
use crate::request::{Request, without_password};
use crate::settings::Settings;

/// The bytes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// As it is sent.
    pub(crate) sent: Bytes,
    /// As it is kept: `Authorization` and `Proxy-Authorization` are left out, because archives are read by others.
    pub(crate) kept: Bytes,
}

/// Writes a request.
pub(crate) fn write(
    settings: &Settings,
    request: &Request,
    proxy: Option<&Proxy>,
    cookie: Option<&str>,
) -> Result<Written, Failure> {
    let url = &request.url;
    let is_sound = is_token(&request.method)
        && request.headers.iter().all(|(name, value)| is_token(name) && is_value(value))
        && [&request.condition.etag, &request.condition.last_modified]
            .into_iter()
            .all(|value| value.as_deref().is_none_or(is_value));
    if !is_sound {
        return Err(Failure::BadRequest);
    }
    // Only a proxy that speaks HTTP itself, and sees the request, wants the whole URL.
    let asked_whole = proxy.filter(|proxy| proxy.kind == ProxyKind::Http && url.scheme() == "http");
    let mut wire =
        Wire { bytes: BytesMut::with_capacity(1 << 9), given: &request.headers, secrets: Vec::new() };
    wire.line(&[&request.method, " "]);
    if asked_whole.is_some() {
        wire.line(&["http://", &url[Position::BeforeHost..Position::BeforePath]]);
    }
    let target = &url[Position::BeforePath..Position::AfterQuery];
    wire.line(&[if target.is_empty() { "/" } else { target }, " HTTP/1.1\r\n"]);
    wire.usual("Host", &url[Position::BeforeHost..Position::BeforePath]);
    wire.usual("User-Agent", &settings.user_agent);
    wire.usual("From", settings.from.as_deref().unwrap_or_default());
    wire.usual("Accept", &settings.accept);
    wire.usual("Accept-Language", &settings.accept_language);
    wire.usual("Accept-Encoding", &settings.accept_encoding);
    if let Some(referrer) = &request.referrer {
        let mut referrer = without_password(referrer);
        referrer.set_fragment(None);
        wire.usual("Referer", referrer.as_str());
    }
    wire.usual("If-None-Match", request.condition.etag.as_deref().unwrap_or_default());
    wire.usual("If-Modified-Since", request.condition.last_modified.as_deref().unwrap_or_default());
    wire.usual("Cookie", cookie.unwrap_or_default());
    if let Some(value) = settings.credentials.authorization(url) {
        wire.usual("Authorization", &value);
    }
    if let Some(value) = asked_whole.and_then(Proxy::authorization) {
        wire.usual("Proxy-Authorization", &value);
    }
    for (name, value) in &request.headers {
        wire.field(name, value);
    }
    wire.usual("Connection", if settings.pool.per_host == 0 { "close" } else { "keep-alive" });
    if let Some(body) = &request.body {
        wire.usual("Content-Length", &body.len().to_string());
    }
    wire.line(&["\r\n"]);
    if let Some(body) = &request.body {
        wire.bytes.extend_from_slice(body);
    }
    Ok(wire.finish())
}

struct Wire<'a> {
    bytes: BytesMut,
    given: &'a [(String, String)],
    /// Lines that are not kept.
    secrets: Vec<Range<usize>>,
}

impl Wire<'_> {
    fn line(&mut self, parts: &[&str]) {
        for part in parts {
            self.bytes.extend_from_slice(part.as_bytes());
        }
    }

    /// A header that is sent unless the request has its own, or there is no value.
    fn usual(&mut self, name: &str, value: &str) {
        if !value.is_empty() && !self.given.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
            self.field(name, value);
        }
    }

    fn field(&mut self, name: &str, value: &str) {
        let start = self.bytes.len();
        self.line(&[name, ": ", value, "\r\n"]);
        if ["authorization", "proxy-authorization"].iter().any(|secret| name.eq_ignore_ascii_case(secret)) {
            self.secrets.push(start..self.bytes.len());
        }
    }

    fn finish(self) -> Written {
        let sent = self.bytes.freeze();
        if self.secrets.is_empty() {
            return Written { kept: sent.clone(), sent };
        }
        let mut kept = BytesMut::with_capacity(sent.len());
        let mut from = 0;
        for secret in self.secrets {
            kept.extend_from_slice(sent.get(from..secret.start).unwrap_or_default());
            from = secret.end;
        }
        kept.extend_from_slice(sent.get(from..).unwrap_or_default());
        Written { sent, kept: kept.freeze() }
    }
}

/// Whether a header's value can be sent.
pub(crate) fn is_value(value: &str) -> bool {
    !value.bytes().any(|byte| matches!(byte, b'\r' | b'\n' | 0))
}

/// Whether this can be a method or a header's name (RFC 9110, 5.6.2).
#[must_use]
pub fn is_token(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::clock::Clock;

    fn text(request: &Request, proxy: Option<&Proxy>) -> String {
        String::from_utf8(written(request, proxy).sent.to_vec()).unwrap()
    }

    fn written(request: &Request, proxy: Option<&Proxy>) -> Written {
        let mut settings = Settings::new(Clock::fixed(jiff::Timestamp::UNIX_EPOCH));
        settings.user_agent = "test".to_owned();
        (settings.accept, settings.accept_language) = (String::new(), String::new());
        write(&settings, request, proxy, None).unwrap()
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_plain_request() {
        let request = Request::get(url("http://me:pw@example.org:8080?q=1#top"));
        assert_eq!(
            text(&request, None),
            "GET /?q=1 HTTP/1.1\r\nHost: example.org:8080\r\nUser-Agent: test\r\n\
             Accept-Encoding: gzip, deflate, br, zstd\r\nAuthorization: Basic bWU6cHc=\r\n\
             Connection: keep-alive\r\n\r\n"
        );
    }

    #[test]
    fn given_headers_keep_spelling_and_order_and_go_before_usual_ones() {
        let request = Request::new("POST", url("http://example.org/"))
            .header("x-b", "1")
            .header("X-A", "2")
            .header("user-AGENT", "mine")
            .header("accept-encoding", "identity")
            .body("data");
        assert_eq!(
            text(&request, None),
            "POST / HTTP/1.1\r\nHost: example.org\r\nx-b: 1\r\nX-A: 2\r\nuser-AGENT: mine\r\n\
             accept-encoding: identity\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\ndata"
        );
    }

    #[test]
    fn a_proxy_is_told_the_whole_url() {
        let proxy: Proxy = "http://a:b@proxy:1".parse().unwrap();
        let request = text(&Request::get(url("http://example.org:81/x?y")), Some(&proxy));
        assert!(request.starts_with("GET http://example.org:81/x?y HTTP/1.1\r\n"), "{request}");
        assert!(request.contains("Proxy-Authorization: Basic YTpi\r\n"), "{request}");
        let request = text(&Request::get(url("https://example.org/x")), Some(&proxy));
        assert!(request.starts_with("GET /x HTTP/1.1\r\n") && !request.contains("Proxy"), "{request}");
    }

    #[test]
    fn user_names_and_passwords_are_not_kept() {
        let proxy: Proxy = "http://a:b@proxy:1".parse().unwrap();
        let plain = Request::get(url("http://example.org/")).body("b");
        let headers = plain.clone().header("proxy-AUTHORIZATION", "x").header("X", "y");
        let bearer = plain.clone().header("authorization", "Bearer z");
        let in_url = Request::get(url("http://me:pw@example.org/"));
        for request in [plain.clone(), headers, bearer, in_url] {
            let Written { sent, kept } = written(&request, Some(&proxy));
            let without = |bytes: &Bytes| -> Vec<u8> {
                let lines = bytes.split_inclusive(|byte| *byte == b'\n');
                lines
                    .filter(|line| {
                        let line = line.to_ascii_lowercase();
                        !line.starts_with(b"proxy-auth") && !line.starts_with(b"authorization")
                    })
                    .collect::<Vec<_>>()
                    .concat()
            };
            assert!(sent.len() > kept.len());
            assert_eq!(kept, without(&sent));
        }
        let same = written(&plain, None);
        assert_eq!(same.sent, same.kept);
    }

    #[test]
    fn what_would_be_another_header_is_refused() {
        let settings = Settings::new(Clock::fixed(jiff::Timestamp::UNIX_EPOCH));
        let plain = || Request::get(url("http://example.org/"));
        for request in [
            plain().header("A", "b\r\nC: d"),
            plain().header("A:", "b"),
            plain().header("", "b"),
            Request::new("GET /", url("http://example.org/")),
            Request {
                condition: crate::Condition { etag: Some("\n".into()), last_modified: None },
                ..plain()
            },
        ] {
            assert_eq!(write(&settings, &request, None, None).err(), Some(Failure::BadRequest));
        }
    }
}
