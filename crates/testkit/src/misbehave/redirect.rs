//! Redirects that lead nowhere, in circles, or where they must not be followed.

use std::io;

use super::Act::{Does, Replies};
use super::{Misbehaviour, row};
use crate::server::{Request, Wire, reply};

/// A redirect with these further lines of header.
macro_rules! found {
    ($lines:literal) => {
        concat!("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n", $lines, "\r\n").as_bytes()
    };
}

pub(super) const TABLE: &[Misbehaviour] = &[
    row("redirect-loop", "a redirect to itself", Replies(found!("Location: /redirect-loop\r\n"))),
    row("redirect-chain-30", "thirty redirects, then a page", Does(|wire, _| send(wire, "/chain?left=29"))),
    row(
        "redirect-chain-31",
        "thirty-one redirects, then a page",
        Does(|wire, _| send(wire, "/chain?left=30")),
    ),
    row("redirect-growing", "a redirect to a URL that is longer each time", Does(growing)),
    row("location-none", "a redirect that says not where to", Replies(found!(""))),
    row("location-empty", "a redirect to nothing", Replies(found!("Location:\r\n"))),
    row(
        "location-spaces",
        "a redirect with spaces around and within",
        Replies(found!("Location:   /to nowhere   \r\n")),
    ),
    row(
        "location-javascript",
        "a redirect to a script",
        Replies(found!("Location: javascript:alert(1)\r\n")),
    ),
    row("location-data", "a redirect to data", Replies(found!("Location: data:text/html,hello\r\n"))),
    row("location-file", "a redirect to a file", Replies(found!("Location: file:///etc/passwd\r\n"))),
    row(
        "location-ftp",
        "a redirect to another protocol",
        Replies(found!("Location: ftp://ftp.varve.test/\r\n")),
    ),
    row(
        "location-private",
        "a redirect to a private address",
        Replies(found!("Location: http://10.0.0.1/\r\n")),
    ),
    row(
        "location-metadata",
        "a redirect to a cloud's metadata",
        Replies(found!("Location: http://169.254.169.254/latest/meta-data/\r\n")),
    ),
    row(
        "location-bad-port",
        "a redirect to a port beyond all ports",
        Replies(found!("Location: http://www.varve.test:99999/\r\n")),
    ),
    row("location-no-host", "a redirect to a URL without a host", Replies(found!("Location: http://\r\n"))),
    row("location-nul", "a redirect with a NUL in it", Replies(found!("Location: /a\0b\r\n"))),
    row(
        "location-not-utf8",
        "a redirect in bytes that are no UTF-8",
        Replies(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /caf\xe9\r\n\r\n"),
    ),
    row(
        "location-twice",
        "two redirects in one",
        Replies(found!("Location: /http10\r\nLocation: /http09\r\n")),
    ),
    row(
        "location-huge",
        "a redirect to a URL of a megabyte",
        Does(|wire, _| send(wire, &format!("/{}", "a".repeat(1 << 20)))),
    ),
];

/// What is not in the table: the steps of chains, and redirects to wherever the query says.
pub(super) fn on_demand(wire: &mut Wire, request: &Request) -> io::Result<bool> {
    match (request.path(), request.target.split_once('?')) {
        ("/chain", _) if request.number("left").unwrap_or(0) > 0 => {
            let left = request.number("left").unwrap_or(0) - 1;
            send(wire, &format!("/chain?left={left}"))
        }
        ("/chain", _) => {
            wire.send(&reply("200 OK", &[("Content-Type", "text/plain")], b"the end")).map(|()| true)
        }
        ("/to", Some((_, location))) => send(wire, location),
        ("/cycle-a", _) => send(wire, "/cycle-b"),
        ("/cycle-b", _) => send(wire, "/cycle-a"),
        _ => {
            wire.send(&reply("404 Not Found", &[("Content-Type", "text/plain")], b"not here")).map(|()| true)
        }
    }
}

/// A redirect.
fn send(wire: &mut Wire, location: &str) -> io::Result<bool> {
    wire.send(&reply("302 Found", &[("Location", location)], b""))?;
    Ok(true)
}

fn growing(wire: &mut Wire, request: &Request) -> io::Result<bool> {
    send(
        wire,
        &format!("/redirect-growing?{}more", request.target.split_once('?').map_or("", |(_, query)| query)),
    )
}
