//! The HTTP proxy.

use std::io::{self, Read as _, Write as _};

use super::relay::relay;
use super::{Book, Rules, host_and_port};
use crate::server::{Request, Wire, reply};

/// One connection to the proxy.
pub(super) fn serve(wire: &mut Wire, rules: &Rules, book: &Book) -> io::Result<()> {
    while let Some(request) = wire.request()? {
        let (host, port) = asked_for(&request);
        let status = refusal(&request, rules);
        let upstream = if status.is_none() { rules.connect(&host, port).ok() } else { None };
        book.note(&request.method, &host, port, upstream.is_some());
        let Some(mut upstream) = upstream else {
            let status = status.unwrap_or("502 Bad Gateway");
            let challenge = [("Proxy-Authenticate", "Basic realm=\"proxy\"")];
            wire.send(&reply(status, if status.starts_with("407") { &challenge } else { &[] }, b"no way"))?;
            continue;
        };
        if request.method == "CONNECT" {
            wire.send(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
            return relay(wire, upstream);
        }
        // One connection upstream for each request, ended by its server: then the end of the reply is never in doubt.
        upstream.write_all(&forwarded(&request))?;
        let mut answer = Vec::new();
        upstream.read_to_end(&mut answer)?;
        wire.send(&answer)?;
        return wire.finish();
    }
    Ok(())
}

/// The host and port that the client wants to reach.
fn asked_for(request: &Request) -> (String, u16) {
    if request.method == "CONNECT" {
        return host_and_port(&request.target, 443);
    }
    let rest = request.target.split_once("://").map_or("", |(_, rest)| rest);
    host_and_port(rest.split(['/', '?']).next().unwrap_or_default(), 80)
}

/// The status of a refusal, if there is to be one.
fn refusal(request: &Request, rules: &Rules) -> Option<&'static str> {
    if rules.refuses {
        return Some("403 Forbidden");
    }
    let (user, password) = rules.credentials.as_ref()?;
    let given = request.field("proxy-authorization").and_then(|value| value.strip_prefix("Basic "));
    let is_right = given.is_some_and(|given| given == base64(format!("{user}:{password}").as_bytes()));
    (!is_right).then_some("407 Proxy Authentication Required")
}

/// The request as a server wants it: a path, no word to the proxy, and the end of the connection behind the reply.
fn forwarded(request: &Request) -> Vec<u8> {
    let path = request
        .target
        .split_once("://")
        .map_or("/", |(_, rest)| rest.find('/').and_then(|at| rest.get(at..)).unwrap_or("/"));
    let head = request.raw.get(..request.raw.len() - request.body().len()).unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    let dropped = ["connection", "proxy-connection", "proxy-authorization"];
    let kept = head.lines().skip(1).filter(|line| !line.is_empty()).filter(|line| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        !dropped.contains(&name.as_str())
    });
    let fields: String = kept.map(|line| format!("{line}\r\n")).collect();
    let mut bytes =
        format!("{} {path} HTTP/1.1\r\n{fields}Connection: close\r\n\r\n", request.method).into_bytes();
    bytes.extend_from_slice(request.body());
    bytes
}

/// Base64 with padding (RFC 4648, 4).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = three.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS.get((number >> (18 - 6 * place) & 63) as usize).copied().unwrap_or(b'=');
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
