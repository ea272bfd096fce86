//! Chunks that are not as the standard has them.

use std::io;

use super::Act::{Does, Ends, Replies};
use super::{Misbehaviour, row};
use crate::server::{Request, Wire};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// A chunked reply with this body.
macro_rules! chunked {
    ($body:literal) => {
        concat!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", $body).as_bytes()
    };
}

pub(super) const TABLE: &[Misbehaviour] = &[
    row(
        "chunk-size-bad",
        "a size that is no number",
        Ends(chunked!("5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n")),
    ),
    row("chunk-size-empty", "a size that is missing", Ends(chunked!("5\r\nhello\r\n\r\nworld\r\n0\r\n\r\n"))),
    row(
        "chunk-size-negative",
        "a size below nothing",
        Ends(chunked!("5\r\nhello\r\n-5\r\nworld\r\n0\r\n\r\n")),
    ),
    row(
        "chunk-size-overflow",
        "a size that no number of 64 bits holds",
        Ends(chunked!("5\r\nhello\r\nfffffffffffffffff1\r\nworld\r\n")),
    ),
    row(
        "chunk-size-largest",
        "the largest size of 64 bits",
        Ends(chunked!("5\r\nhello\r\nffffffffffffffff\r\nworld")),
    ),
    row(
        "chunk-size-padded",
        "sizes with zeros before and spaces behind",
        Replies(chunked!("0000005 \t\r\nhello\r\n000\r\n\r\n")),
    ),
    row("chunk-size-prefixed", "a size with `0x`", Ends(chunked!("0x5\r\nhello\r\n0\r\n\r\n"))),
    row(
        "chunk-without-end",
        "the end of the connection where the last chunk should be",
        Ends(chunked!("5\r\nhello\r\n")),
    ),
    row("chunk-cut", "the end of the connection within a chunk", Ends(chunked!("5\r\nhello\r\n5\r\nwo"))),
    row(
        "chunk-end-cut",
        "the end of the connection before the last empty line",
        Ends(chunked!("5\r\nhello\r\n0\r\n")),
    ),
    row("chunk-lf-only", "chunks whose lines end with LF alone", Replies(chunked!("5\nhello\n0\n\n"))),
    row(
        "chunk-without-crlf",
        "chunks with nothing between them",
        Ends(chunked!("5\r\nhello5\r\nworld0\r\n\r\n")),
    ),
    row("chunk-too-long", "a chunk that is longer than its size", Ends(chunked!("5\r\nhello!\r\n0\r\n\r\n"))),
    row(
        "chunk-none",
        "says chunked and sends none",
        Ends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello, this is plain\r\n"),
    ),
    row(
        "chunk-trailers",
        "fields behind the last chunk",
        Replies(chunked!("5\r\nhello\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n")),
    ),
    row(
        "chunk-trailing-garbage",
        "garbage behind the end",
        Replies(chunked!("5\r\nhello\r\n0\r\n\r\ngarbage")),
    ),
    row(
        "chunk-coded-twice",
        "chunked, and gzip besides",
        Ends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    ),
    row(
        "chunk-identity",
        "the coding `identity`, which is none",
        Ends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nhello"),
    ),
    row(
        "chunk-in-http10",
        "chunks from a server of HTTP/1.0",
        Ends(b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    ),
    row("chunk-tiny", "two thousand chunks of a byte", Does(tiny)),
    row("chunk-extension-huge", "an extension of two megabytes", Does(extension)),
    row(
        "chunk-extension-endless",
        "an extension without end",
        Does(|wire, _| without_end(wire, b"5;", b"more=")),
    ),
    row(
        "chunk-trailers-endless",
        "fields behind the last chunk without end",
        Does(|wire, _| without_end(wire, b"5\r\nhello\r\n0\r\n", b"X-More: and more\r\n")),
    ),
    row("chunk-endless", "chunks without end", Does(|wire, _| without_end(wire, b"", b"5\r\nhello\r\n"))),
    row(
        "chunk-size-endless",
        "a size of zeros without end",
        Does(|wire, _| without_end(wire, b"5\r\nhello\r\n", b"0000")),
    ),
];

fn tiny(wire: &mut Wire, _: &Request) -> io::Result<bool> {
    wire.send(&[HEAD, &b"1\r\nx\r\n".repeat(2000), b"0\r\n\r\n"].concat())?;
    Ok(true)
}

fn extension(wire: &mut Wire, _: &Request) -> io::Result<bool> {
    wire.send(&[HEAD, b"5;", &[b'x'; 2 << 20], b"\r\nhello\r\n0\r\n\r\n"].concat())?;
    Ok(true)
}

fn without_end(wire: &mut Wire, start: &[u8], again: &[u8]) -> io::Result<bool> {
    let piece = again.repeat(5000);
    wire.send(HEAD)?;
    wire.send(start)?;
    loop {
        wire.send(&piece)?;
    }
}
