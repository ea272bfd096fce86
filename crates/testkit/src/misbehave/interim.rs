//! Interim answers: 1xx heads before the final one.

use std::io;

use super::Act::{Does, Ends, Replies};
use super::{Misbehaviour, row};
use crate::server::{Request, Wire};

pub(super) const TABLE: &[Misbehaviour] = &[
    row(
        "interim-100",
        "100 though nobody asked",
        Replies(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "interim-103",
        "103 with early hints",
        Replies(
            b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n\
              HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        ),
    ),
    row(
        "interim-several",
        "100, 102 and 103 one after another",
        Replies(
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n\
              HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
              HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        ),
    ),
    row(
        "interim-with-length",
        "100 that announces a body and has none",
        Replies(
            b"HTTP/1.1 100 Continue\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\n\
              Content-Length: 5\r\n\r\nhello",
        ),
    ),
    row("interim-alone", "103 and then the end", Ends(b"HTTP/1.1 103 Early Hints\r\n\r\n")),
    row("interim-endless", "100 without end", Does(endless)),
    row(
        "interim-101",
        "101, another protocol that nobody wanted, and silence",
        Replies(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
    ),
];

fn endless(wire: &mut Wire, _: &Request) -> io::Result<bool> {
    let piece = b"HTTP/1.1 100 Continue\r\n\r\n".repeat(500);
    loop {
        wire.send(&piece)?;
    }
}
