//! HTTP around a body: requests and heads of the usual length, some bodies chunked, some packed.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use super::Kind;
use super::body::Body;
use super::dice::Dice;
use super::moment::Moment;
use super::site::Site;

/// The request for a URL of a site.
pub(super) fn request(url: &str, site: &Site, dice: &mut Dice) -> Vec<u8> {
    let path = url
        .split_once("://")
        .and_then(|(_, rest)| rest.find('/').and_then(|at| rest.get(at..)))
        .unwrap_or("/");
    let mut text = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", site.host);
    text.push_str("User-Agent: Mozilla/5.0 (compatible; varve/0.1; +https://example.org/bot)\r\n");
    text.push_str("Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n");
    text.push_str("Accept-Encoding: gzip, br\r\nAccept-Language: en,*;q=0.5\r\n");
    if dice.percent(50) {
        let _ = write!(text, "Referer: {}://{}/\r\n", site.scheme, site.host);
    }
    text.push_str("Connection: keep-alive\r\n\r\n");
    text.into_bytes()
}

/// The response with this body, as it came over the wire.
pub(super) fn response(kind: Kind, body: Body, site: &Site, moment: &Moment, dice: &mut Dice) -> Vec<u8> {
    let is_text = !matches!(kind, Kind::Image | Kind::Document | Kind::Video);
    let is_packed = is_text && body.bytes.len() > 1000 && dice.percent(20);
    let is_chunked = is_text && dice.percent(25);
    let bytes = if is_packed { pack(&body.bytes) } else { body.bytes };

    let mut head =
        format!("HTTP/1.1 {}\r\nDate: {}\r\nServer: {}\r\n", body.status, moment.http(), site.server);
    let _ = write!(head, "Content-Type: {}\r\n", body.media_type);
    if is_packed {
        head.push_str("Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n");
    }
    if is_chunked {
        head.push_str("Transfer-Encoding: chunked\r\n");
    } else {
        let _ = write!(head, "Content-Length: {}\r\n", bytes.len());
    }
    if let Some(location) = body.location {
        let _ = write!(head, "Location: {location}\r\n");
    }
    more_headers(kind, &mut head, dice);
    head.push_str("Connection: keep-alive\r\n\r\n");

    let mut response = head.into_bytes();
    if is_chunked {
        chunk(&mut response, &bytes, dice)
    } else {
        response.extend_from_slice(&bytes)
    }
    response
}

/// The length of a response's head, with the empty line that ends it.
pub(super) fn head_length(response: &[u8]) -> usize {
    response.windows(4).position(|window| window == b"\r\n\r\n").map_or(response.len(), |at| at + 4)
}

/// The body of one of our responses without transfer framing and, if `unpacked`, without content encoding.
///
/// It understands only what this module writes; for what comes from elsewhere there is the `warc` crate, which tests
/// hold against this.
pub fn payload(response: &[u8], unpacked: bool) -> Vec<u8> {
    let (head, body) = response.split_at_checked(head_length(response)).unwrap_or((response, &[]));
    let head = String::from_utf8_lossy(head);
    let body =
        if head.contains("\r\nTransfer-Encoding: chunked\r\n") { unchunk(body) } else { body.to_vec() };
    if !unpacked || !head.contains("\r\nContent-Encoding: gzip\r\n") {
        return body;
    }
    let mut plain = Vec::new();
    let outcome = GzDecoder::new(body.as_slice()).read_to_end(&mut plain);
    assert!(outcome.is_ok(), "the corpus cannot unpack what it has packed");
    plain
}

/// What servers send beside the necessary: caching, cookies, policies.
fn more_headers(kind: Kind, head: &mut String, dice: &mut Dice) {
    let _ = write!(head, "ETag: \"{:x}-{:x}\"\r\n", dice.next() >> 40, dice.next() >> 16);
    let _ = write!(head, "Last-Modified: {}\r\n", Moment::of_capture(dice.below(20_000)).http());
    if matches!(kind, Kind::Page | Kind::Missing) {
        head.push_str("Cache-Control: no-store, no-cache, must-revalidate\r\nPragma: no-cache\r\n");
        let _ = write!(
            head,
            "Set-Cookie: session={:016x}{:016x}; path=/; HttpOnly; Secure\r\n",
            dice.next(),
            dice.next()
        );
    } else {
        let _ = write!(
            head,
            "Cache-Control: public, max-age={}\r\nAccept-Ranges: bytes\r\n",
            dice.below(400) * 86_400
        );
    }
    if dice.percent(60) {
        head.push_str("Strict-Transport-Security: max-age=31536000; includeSubDomains; preload\r\n");
        head.push_str("X-Content-Type-Options: nosniff\r\nX-Frame-Options: SAMEORIGIN\r\nReferrer-Policy: no-referrer\r\n");
    }
    if dice.percent(25) {
        head.push_str("Content-Security-Policy: default-src 'self'; img-src 'self' data: https:; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self' data:\r\n");
    }
    if dice.percent(40) {
        let _ = write!(
            head,
            "Via: 1.1 varnish\r\nX-Cache: {}\r\nAge: {}\r\n",
            dice.pick(&["HIT", "MISS"]),
            dice.below(90_000)
        );
        let _ = write!(head, "X-Request-Id: {:016x}-{:08x}\r\n", dice.next(), dice.next() >> 32);
    }
}

/// As a server of a page packs it: quickly.
fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(5));
    let outcome = encoder.write_all(bytes).and_then(|()| encoder.finish());
    assert!(outcome.is_ok(), "the corpus cannot pack into memory");
    outcome.unwrap_or_default()
}

/// Chunks of the sizes that servers' buffers have.
fn chunk(response: &mut Vec<u8>, mut bytes: &[u8], dice: &mut Dice) {
    let size = usize::try_from(dice.between(1, 8) * 4096 - dice.below(2) * 10).unwrap_or(4096);
    while let Some((part, rest)) =
        bytes.split_at_checked(size.min(bytes.len())).filter(|(part, _)| !part.is_empty())
    {
        response.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
        response.extend_from_slice(part);
        response.extend_from_slice(b"\r\n");
        bytes = rest;
    }
    response.extend_from_slice(b"0\r\n\r\n");
}

/// The other way round, for what `chunk` has made.
fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(at) = rest.iter().position(|byte| *byte == b'\r') {
        let (digits, after) = rest.split_at_checked(at).unwrap_or_default();
        let size = str::from_utf8(digits)
            .ok()
            .and_then(|digits| usize::from_str_radix(digits, 16).ok())
            .unwrap_or(0);
        bytes.extend_from_slice(after.get(2..2 + size).unwrap_or_default());
        rest = after.get(2 + size + 2..).unwrap_or_default();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;

    #[test]
    fn chunking_can_be_undone() {
        let mut bytes = Vec::new();
        Dice::new(&[1]).noise(&mut bytes, 100_000);
        let mut wire = Vec::new();
        chunk(&mut wire, &bytes, &mut Dice::new(&[2]));
        assert_eq!(unchunk(&wire), bytes);
    }

    #[test]
    fn lengths_and_framing_agree() {
        for capture in
            Corpus::new(5).captures().take(120).filter(|capture| capture.request.starts_with(b"GET"))
        {
            let head =
                String::from_utf8(capture.response[..head_length(&capture.response)].to_vec()).unwrap();
            assert!((200..2000).contains(&head.len()), "{head}");
            let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
            if let Some(length) = length.filter(|_| capture.response.len() > head.len()) {
                assert_eq!(payload(&capture.response, false).len().to_string(), length, "{}", capture.url);
            }
        }
    }

    #[test]
    fn pages_unpack_to_html() {
        let corpus = Corpus::new(5);
        for capture in corpus.captures().take(60).filter(|capture| capture.kind == Kind::Page) {
            let html = payload(&capture.response, true);
            assert!(html.starts_with(b"<!DOCTYPE html>") && html.ends_with(b"</html>\n"), "{}", capture.url);
        }
    }
}
