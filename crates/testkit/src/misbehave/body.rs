//! Bodies that never come, never end, come drop by drop or break off.

use std::io;
use std::time::Duration;

use super::Act::{Does, Replies, Resets};
use super::{Misbehaviour, bomb, row};
use crate::server::{Request, Wire};

pub(super) const TABLE: &[Misbehaviour] = &[
    row("slow-head", "slow loris: a head a byte a second, or every `?ms=`", Does(slow_head)),
    row("slow-body", "a body a byte a second, or every `?ms=`", Does(slow_body)),
    row("endless-body", "a body without length and without end", Does(endless)),
    row("endless-body-with-length", "a body of nine exabytes, as announced", Does(endless_with_length)),
    row("gzip-bomb", "ten gigabytes of zeros under gzip, ten megabytes on the wire", Does(bomb::send)),
    row(
        "gzip-damaged",
        "gzip that is none behind its first bytes",
        Replies(
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 14\r\n\r\n\
              \x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff\xff",
        ),
    ),
    row(
        "gzip-not",
        "says gzip and sends text",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "silence-after-head",
        "a head that announces a body, and silence",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
    ),
    row("silence-in-head", "half a head, and silence", Replies(b"HTTP/1.1 200 OK\r\nContent-Le")),
    row(
        "silence-in-body",
        "half a body, and silence",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
    ),
    row(
        "silence-after-body",
        "a body without length, and silence instead of the end",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello"),
    ),
    row("reset-in-head", "a reset within the head", Resets(b"HTTP/1.1 200 OK\r\nContent-Ty")),
    row(
        "reset-in-body",
        "a reset within the body",
        Resets(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"),
    ),
    row(
        "reset-in-chunk",
        "a reset within a chunk",
        Resets(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel"),
    ),
    row(
        "reset-in-endless-body",
        "a reset where the end of the connection should be",
        Resets(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello"),
    ),
];

/// The pace that was asked for; a byte a second else.
fn pace(request: &Request) -> Duration {
    Duration::from_millis(request.number("ms").unwrap_or(1000))
}

fn slow_head(wire: &mut Wire, request: &Request) -> io::Result<bool> {
    wire.drip(
        b"HTTP/1.1 200 OK\r\nX-Patience: is a virtue\r\nContent-Length: 5\r\n\r\nhello",
        pace(request),
    )?;
    Ok(true)
}

fn slow_body(wire: &mut Wire, request: &Request) -> io::Result<bool> {
    wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")?;
    wire.drip(&[b'z'; 1000], pace(request))?;
    Ok(true)
}

fn endless(wire: &mut Wire, _: &Request) -> io::Result<bool> {
    wire.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")?;
    without_end(wire)
}

fn endless_with_length(wire: &mut Wire, _: &Request) -> io::Result<bool> {
    wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\n")?;
    without_end(wire)
}

fn without_end(wire: &mut Wire) -> io::Result<bool> {
    let piece = b"All work and no play makes a dull page. ".repeat(1600);
    loop {
        wire.send(&piece)?;
    }
}
