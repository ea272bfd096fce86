//! Heads that are not as the standard has them.

use super::Act::{Ends, Replies};
use super::{Misbehaviour, row};

pub(super) const TABLE: &[Misbehaviour] = &[
    row(
        "no-reason-phrase",
        "a status line that ends with the code",
        Replies(b"HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row("lf-only", "lines that end with LF alone", Replies(b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello")),
    row(
        "mixed-line-ends",
        "lines that end with LF or CRLF",
        Replies(b"HTTP/1.1 200 OK\nX-A: b\r\nContent-Length: 5\n\r\nhello"),
    ),
    row("lower-case-version", "`http/1.1`", Replies(b"http/1.1 200 ok\r\nContent-Length: 5\r\n\r\nhello")),
    row(
        "status-line-spaces",
        "several spaces and a tab in the status line",
        Replies(b"HTTP/1.1   200 \t OK\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "blank-lines-first",
        "empty lines before the status line",
        Replies(b"\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "header-without-colon",
        "a line of the header that is none",
        Replies(b"HTTP/1.1 200 OK\r\nthis is no field\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "header-without-name",
        "a field whose name is empty",
        Replies(b"HTTP/1.1 200 OK\r\n: nameless\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "space-before-colon",
        "a space between name and colon",
        Replies(b"HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello"),
    ),
    row(
        "folded-header",
        "a field over several lines",
        Replies(b"HTTP/1.1 200 OK\r\nX-Long: one\r\n two\r\n\tthree\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "folded-first-line",
        "a continuation where nothing is to be continued",
        Replies(b"HTTP/1.1 200 OK\r\n  lost: 1\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "nul-in-status-line",
        "a NUL in the reason",
        Replies(b"HTTP/1.1 200 O\0K\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "nul-in-header",
        "NULs in name and value of fields",
        Replies(b"HTTP/1.1 200 OK\r\nX-\0A: b\r\nX-B: c\0d\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row("nul-in-body", "NULs in the body", Replies(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nh\0\0\0o")),
    row(
        "invalid-utf8-everywhere",
        "bytes that are no UTF-8 in reason, names, values and body",
        Replies(
            b"HTTP/1.1 200 \xff\xfe\r\nX-\xc3: \xed\xa0\x80\r\n\xff: \xff\r\n\
              Content-Type: text/\xe9\r\nContent-Length: 5\r\n\r\n\xff\xc0\x80\xf5\x80",
        ),
    ),
    row(
        "http09",
        "an answer without a head, as before HTTP/1.0",
        Ends(b"<html><title>Old</title><p>Very old.</html>\n"),
    ),
    row(
        "http10",
        "HTTP/1.0 without a length",
        Ends(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nhello"),
    ),
    row(
        "icy",
        "a radio station's status line",
        Ends(
            b"ICY 200 OK\r\nicy-name: Radio Varve\r\nContent-Type: audio/mpeg\r\n\r\n\
              \xff\xfb\x90\x64noise",
        ),
    ),
    row("other-protocol", "the greeting of another protocol", Ends(b"SSH-2.0-OpenSSH_9.2p1\r\n")),
    row(
        "version-2",
        "`HTTP/2` in the status line",
        Replies(b"HTTP/2 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "version-1-2",
        "`HTTP/1.2` in the status line",
        Replies(b"HTTP/1.2 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "status-99",
        "a status below every class",
        Replies(b"HTTP/1.1 99 Low\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "status-1000",
        "a status of four digits",
        Replies(b"HTTP/1.1 1000 High\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "status-999",
        "a status of no class",
        Replies(b"HTTP/1.1 999 Request denied\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "status-none",
        "a status line without a status",
        Replies(b"HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "status-word",
        "a status line whose status is a word",
        Replies(b"HTTP/1.1 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "status-negative",
        "a status below nothing",
        Replies(b"HTTP/1.1 -200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row("early-close-in-status-line", "the end within the status line", Ends(b"HTTP/1.1 20")),
    row(
        "early-close-in-head",
        "the end within the header",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Type: text/ht"),
    ),
    row(
        "early-close-before-blank-line",
        "the end where the empty line should be",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
    ),
    row(
        "head-alone",
        "a head without length, and then the end",
        Ends(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"),
    ),
    row(
        "body-with-204",
        "204 with a body",
        Replies(b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"),
    ),
    row(
        "body-with-304",
        "304 with a body",
        Replies(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello"),
    ),
];
