//! Bodies whose announced length is not their length.

use super::Act::{Ends, Replies};
use super::{Misbehaviour, row};

pub(super) const TABLE: &[Misbehaviour] = &[
    row(
        "early-close-without-length",
        "no length: the end of the connection is the end",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello"),
    ),
    row(
        "early-close-with-length",
        "the end before the announced length",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"),
    ),
    row(
        "length-too-short",
        "more than was announced, and it goes on like the body",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, world"),
    ),
    row(
        "trailing-garbage",
        "garbage behind the end",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n\0garbage"),
    ),
    row(
        "second-reply",
        "a whole second reply that nobody asked for",
        Replies(
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello\
              HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
        ),
    ),
    row(
        "length-and-chunked",
        "both a length and chunks: chunks win",
        Replies(
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n\
              0\r\n\r\n",
        ),
    ),
    row(
        "length-twice",
        "the same length twice",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "length-list",
        "the same length twice in one field",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello"),
    ),
    row(
        "lengths-in-conflict",
        "two lengths that differ",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 10\r\n\r\nhelloworld"),
    ),
    row(
        "length-negative",
        "a length below nothing",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello"),
    ),
    row(
        "length-overflow",
        "a length that no number of 64 bits holds",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nhello"),
    ),
    row(
        "length-largest",
        "the largest length of 64 bits",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nhello"),
    ),
    row(
        "length-word",
        "a length that is a word",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello"),
    ),
    row("length-empty", "a length that is nothing", Ends(b"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nhello")),
    row("length-plus", "a length with a sign", Ends(b"HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello")),
    row(
        "head-with-body",
        "a body also where only the head was asked for",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ),
];
