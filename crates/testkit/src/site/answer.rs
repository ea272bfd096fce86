//! From a request to the bytes of its answer.

use super::coded;
use super::content::{self, page_of};
use crate::server::{Request, chunked, reply};

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");
const TEXT: (&str, &str) = ("Content-Type", "text/plain; charset=utf-8");
const MODIFIED: &str = "Sun, 15 Nov 2026 12:00:00 GMT";
const TAG: &str = "\"about-1\"";

/// The whole reply, body included also where the method is `HEAD`.
pub(super) fn to(request: &Request) -> Vec<u8> {
    let path = request.path();
    plain(path, request)
        .or_else(|| {
            content::file(path).map(|(media, body)| reply("200 OK", &[("Content-Type", media)], &body))
        })
        .or_else(|| coded::reply_for(path))
        .or_else(|| framed(path))
        .or_else(|| redirect(path, request))
        .or_else(|| status(path))
        .unwrap_or_else(|| reply("404 Not Found", &[HTML], &page_of("Not found", "There is no such page.")))
}

/// Pages whose answer depends on the request.
fn plain(path: &str, request: &Request) -> Option<Vec<u8>> {
    Some(match path {
        "/" => {
            reply("200 OK", &[HTML, ("Link", "</feed.xml>; rel=alternate")], &content::front(request.host()))
        }
        "/about" => about(request),
        "/ranges" => ranges(request),
        "/large" => {
            let bytes = request.number("bytes").unwrap_or(3_000_000);
            let fields = [("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes")];
            reply("200 OK", &fields, &content::large(usize::try_from(bytes).unwrap_or(usize::MAX)))
        }
        "/show-cookies" => reply("200 OK", &[TEXT], request.field("cookie").unwrap_or_default().as_bytes()),
        "/secret" => secret(request),
        "/post" => reply("200 OK", &[TEXT], request.body()),
        _ => return None,
    })
}

/// A page with validators.
fn about(request: &Request) -> Vec<u8> {
    let validators = [("ETag", TAG), ("Last-Modified", MODIFIED)];
    let is_known = match request.field("if-none-match") {
        Some(tags) => tags.split(',').any(|tag| matches!(tag.trim(), TAG | "*")),
        None => request.field("if-modified-since") == Some(MODIFIED),
    };
    if is_known {
        let head: String = validators.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        return format!("HTTP/1.1 304 Not Modified\r\nDate: {}\r\n{head}\r\n", crate::server::DATE)
            .into_bytes();
    }
    let [tag, modified] = validators;
    reply("200 OK", &[HTML, tag, modified], &page_of("About", "This page never changes."))
}

/// A text by parts: one range of the form `bytes=a-b`.
fn ranges(request: &Request) -> Vec<u8> {
    let whole: Vec<u8> = (0..100).flat_map(|line| format!("line {line:03}\n").into_bytes()).collect();
    let asked = request.field("range").and_then(|range| range.strip_prefix("bytes="));
    let Some((from, to)) = asked.and_then(|range| range.split_once('-')) else {
        return reply("200 OK", &[TEXT, ("Accept-Ranges", "bytes")], &whole);
    };
    let from: usize = from.parse().unwrap_or(0);
    let to: usize = to.parse().unwrap_or(whole.len() - 1).min(whole.len() - 1);
    let total = whole.len();
    match whole.get(from..=to) {
        Some(part) => reply(
            "206 Partial Content",
            &[TEXT, ("Content-Range", &format!("bytes {from}-{to}/{total}"))],
            part,
        ),
        None => {
            reply("416 Range Not Satisfiable", &[TEXT, ("Content-Range", &format!("bytes */{total}"))], b"")
        }
    }
}

/// Behind a password.
fn secret(request: &Request) -> Vec<u8> {
    // `archive:open sesame` in base64.
    if request.field("authorization") == Some("Basic YXJjaGl2ZTpvcGVuIHNlc2FtZQ==") {
        return reply("200 OK", &[HTML], &page_of("Secret", "You are in."));
    }
    let challenge = ("WWW-Authenticate", "Basic realm=\"the archive\", charset=\"UTF-8\"");
    reply("401 Unauthorized", &[HTML, challenge], &page_of("Who are you?", "Say the word."))
}

/// Pages whose framing is what they are about.
fn framed(path: &str) -> Option<Vec<u8>> {
    let html = page_of("Framing", path);
    let text = String::from_utf8_lossy(&html).into_owned();
    Some(match path {
        "/chunked" => {
            let (first, second) = text.split_at_checked(20).unwrap_or((&text, ""));
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\
                 Trailer: X-Checked\r\n\r\n{:x};name=value\r\n{first}\r\n{:04X} \r\n{second}\r\n0;last\r\n\
                 X-Checked: yes\r\n\r\n",
                first.len(),
                second.len()
            )
            .into_bytes()
        }
        "/http10" => format!("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n{text}").into_bytes(),
        "/http10-keep-alive" => format!(
            "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nConnection: keep-alive\r\n\
             Content-Length: {}\r\n\r\n{text}",
            text.len()
        )
        .into_bytes(),
        "/headers" => format!(
            "HTTP/1.1 200 Fine, thank you\r\nconTENT-tYPE:text/html\r\nX-Twice: one\r\n\
             Server:\t testkit \r\nX-Folded: a\r\n b\r\n\
             X-Twice: two\r\nX-Empty:\r\nX-Latin: caf%\r\nContent-Length: {}\r\n\r\n{text}",
            text.len()
        )
        .into_bytes()
        // A value in ISO 8859-1, as old servers send it: this byte is no UTF-8.
        .into_iter()
        .map(|byte| if byte == b'%' { 0xe9 } else { byte })
        .collect(),
        "/empty" => reply("200 OK", &[TEXT], b""),
        "/coded/gzip-chunked" => {
            let packed = coded::gzip(&content::long_page());
            let pieces: Vec<&[u8]> = packed.chunks(100).collect();
            chunked("200 OK", &[HTML, ("Content-Encoding", "gzip")], &pieces)
        }
        _ => return None,
    })
}

/// Pages that send one elsewhere.
fn redirect(path: &str, request: &Request) -> Option<Vec<u8>> {
    let port = request.field("host").and_then(|host| host.rsplit_once(':')).map_or("80", |(_, port)| port);
    let [_, _, other] = super::HOSTS;
    let to = |status: &str, location: &str, cookies: &[&str]| {
        let mut fields = vec![HTML, ("Location", location)];
        fields.extend(cookies.iter().map(|cookie| ("Set-Cookie", *cookie)));
        Some(reply(status, &fields, &page_of("Moved", location)))
    };
    match path {
        "/redirect" => to("301 Moved Permanently", "/about", &[]),
        "/redirect-relative" => to("302 Found", "articles/1", &[]),
        "/redirect-other-host" => to("307 Temporary Redirect", &format!("http://{other}:{port}/about"), &[]),
        "/set-cookie" => {
            let cookies = [
                "seen=1; Path=/",
                "name=varve; Path=/; HttpOnly; Max-Age=600",
                "elsewhere=1; Domain=example.com",
            ];
            to("302 Found", "/show-cookies", &cookies)
        }
        _ => {
            let left: u64 = path.strip_prefix("/redirect/")?.parse().ok()?;
            if left == 0 {
                to("302 Found", "/about", &[])
            } else {
                to("302 Found", &format!("/redirect/{}", left - 1), &[])
            }
        }
    }
}

/// Pages that are there for their status.
fn status(path: &str) -> Option<Vec<u8>> {
    let retry = ("Retry-After", "120");
    Some(match path {
        "/no-content" => {
            format!("HTTP/1.1 204 No Content\r\nDate: {}\r\n\r\n", crate::server::DATE).into_bytes()
        }
        "/gone" => reply("410 Gone", &[HTML], &page_of("Gone", "It was here once.")),
        "/broken" => reply("500 Internal Server Error", &[HTML], &page_of("Broken", "Our fault.")),
        "/busy" => reply("503 Service Unavailable", &[HTML, retry], &page_of("Busy", "Come back later.")),
        "/too-many" => reply("429 Too Many Requests", &[HTML, retry], &page_of("Slow down", "Please.")),
        _ => return None,
    })
}
