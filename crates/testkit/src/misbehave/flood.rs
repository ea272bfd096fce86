//! Heads that are too long.

use std::io;

use super::Act::Does;
use super::{Misbehaviour, row};
use crate::server::{Request, Wire};

const MEGABYTE: usize = 1 << 20;

pub(super) const TABLE: &[Misbehaviour] = &[
    row(
        "huge-status-line",
        "a reason of a megabyte",
        Does(|wire, _| around(wire, b"HTTP/1.1 200 ", b"\r\nContent-Length: 5\r\n\r\nhello")),
    ),
    row(
        "huge-header-name",
        "a field whose name has a megabyte",
        Does(|wire, _| around(wire, b"HTTP/1.1 200 OK\r\nX-", b": a\r\nContent-Length: 5\r\n\r\nhello")),
    ),
    row(
        "huge-header-value",
        "a field whose value has a megabyte",
        Does(|wire, _| around(wire, b"HTTP/1.1 200 OK\r\nX-A: ", b"\r\nContent-Length: 5\r\n\r\nhello")),
    ),
    row(
        "endless-status-line",
        "a status line without end",
        Does(|wire, _| without_end(wire, b"HTTP/1.1 200 ", b"very ")),
    ),
    row(
        "endless-header-line",
        "a field without end",
        Does(|wire, _| without_end(wire, b"HTTP/1.1 200 OK\r\nX-A: ", b"more ")),
    ),
    row(
        "endless-headers",
        "fields without end",
        Does(|wire, _| without_end(wire, b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n")),
    ),
    row(
        "endless-blank-lines",
        "empty lines without end, and never a status line",
        Does(|wire, _| without_end(wire, b"", b"\r\n")),
    ),
    row("many-headers", "five thousand fields", Does(many)),
    row("set-cookie-flood", "five thousand cookies", Does(cookies)),
];

/// A megabyte of nothing much between two pieces.
fn around(wire: &mut Wire, before: &[u8], after: &[u8]) -> io::Result<bool> {
    wire.send(&[before, &[b'x'; MEGABYTE], after].concat())?;
    Ok(true)
}

/// A start, and then the same again and again until the client has had enough.
fn without_end(wire: &mut Wire, start: &[u8], again: &[u8]) -> io::Result<bool> {
    let piece: Vec<u8> = again.iter().copied().cycle().take(again.len() * 2000).collect();
    wire.send(start)?;
    loop {
        wire.send(&piece)?;
    }
}

fn many(wire: &mut Wire, _: &Request) -> io::Result<bool> {
    let fields: String = (0..5000).map(|number| format!("X-{number}: {number}\r\n")).collect();
    wire.send(format!("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n{fields}\r\nhello").as_bytes())?;
    Ok(true)
}

fn cookies(wire: &mut Wire, _: &Request) -> io::Result<bool> {
    let fields: String =
        (0..5000).map(|number| format!("Set-Cookie: flood{number}={number}; Path=/\r\n")).collect();
    wire.send(format!("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n{fields}\r\nhello").as_bytes())?;
    Ok(true)
}
