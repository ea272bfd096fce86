//! Connections that close, stay silent or speak at the wrong time.

use std::io;
use std::time::Duration;

use super::Act::{Does, Ends, Greets, Replies, Resets};
use super::{Misbehaviour, row};
use crate::server::{Request, Wire};

const HELLO: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

pub(super) const TABLE: &[Misbehaviour] = &[
    row("empty-reply", "the end instead of a reply", Ends(b"")),
    row("silence", "no reply at all", Replies(b"")),
    row("reset-before-reply", "a reset instead of a reply", Resets(b"")),
    row("silence-after-accept", "a connection, and not even the request is read", Greets(deaf)),
    row("close-after-accept", "the end of the connection before a request", Greets(|wire| wire.finish())),
    row("reset-after-accept", "a reset before a request", Greets(|wire| wire.reset())),
    row("reply-before-request", "a whole reply before the request was sent", Greets(hasty)),
    row("reply-before-request-and-close", "the same, and the end of the connection", Greets(hasty_and_gone)),
    row("stale-closed", "keeps the connection, it says, and closes it behind the reply", Ends(HELLO)),
    row("stale-on-use", "keeps the connection and closes it when the next request comes", Does(stale)),
    row(
        "keep-alive-lie",
        "announces the end of the connection and keeps it",
        Replies(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"),
    ),
];

/// Nothing is read, so that the client's going is not noticed either; the end of the server ends it.
fn deaf(wire: &mut Wire) -> io::Result<()> {
    wire.pause(Duration::from_secs(3600))
}

fn hasty(wire: &mut Wire) -> io::Result<()> {
    wire.send(HELLO)?;
    wire.hang()
}

fn hasty_and_gone(wire: &mut Wire) -> io::Result<()> {
    wire.send(HELLO)?;
    wire.finish()?;
    wire.hang()
}

/// The first request of a connection is answered, the second is read and the connection closed.
fn stale(wire: &mut Wire, _: &Request) -> io::Result<bool> {
    wire.send(HELLO)?;
    wire.request()?;
    Ok(false)
}
