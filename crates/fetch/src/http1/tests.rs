//! What the reader makes of what servers send.

use super::*;
use crate::limits::Limits;
use crate::outcome::Outcome;

struct Read {
    outcome: Outcome,
    kept: Vec<u8>,
    content: Vec<u8>,
    keeps_alive: bool,
    message: Message,
}

fn read_as(asked: Asked, limits: &Limits, bytes: &[u8]) -> Read {
    let mut reader = Reader::new(asked, limits);
    let (mut kept, mut content, mut rest) = (Vec::new(), Vec::new(), bytes);
    let mut sink = |part: &[u8]| content.extend_from_slice(part);
    loop {
        let fed = reader.feed(rest, &mut sink);
        kept.extend_from_slice(&rest[..fed.taken]);
        rest = &rest[fed.taken..];
        match fed.step {
            Step::More => {
                reader.close(&mut sink);
                break;
            }
            Step::Drop => kept.clear(),
            Step::Head => {}
            Step::Done => break,
        }
    }
    let outcome = reader.outcome().unwrap().clone();
    let keeps_alive = reader.keeps_alive();
    Read { outcome, kept, content, keeps_alive, message: reader.into_message() }
}

fn read(bytes: &[u8]) -> Read {
    read_as(Asked::Other, &Limits::default(), bytes)
}

/// Code of the outcome, what is kept, the content, and whether the connection goes on.
#[track_caller]
fn check(bytes: &str, code: &str, kept: &str, content: &str, keeps_alive: bool) {
    let read = read(bytes.as_bytes());
    let found =
        (read.outcome.code(), str::from_utf8(&read.kept).unwrap(), str::from_utf8(&read.content).unwrap());
    assert_eq!(found, (code, kept, content), "{bytes:?}");
    assert_eq!(read.keeps_alive, keeps_alive, "{bytes:?}");
}

#[track_caller]
fn check_odd(bytes: &str, oddities: &[Oddity]) {
    assert_eq!(read(bytes.as_bytes()).message.oddities, oddities, "{bytes:?}");
}

#[test]
fn a_body_ends_where_the_head_says() {
    let plain = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    check(plain, "complete", plain, "hello", true);
    check(&format!("{plain}HTTP/1.1"), "complete", plain, "hello", true);
    check(&plain.replace("200", "204"), "complete", "HTTP/1.1 204 OK\r\nContent-Length: 5\r\n\r\n", "", true);
    let open = "HTTP/1.1 200 OK\r\n\r\nhello";
    check(open, "complete", open, "hello", false);
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n";
    check(chunked, "complete", chunked, "hello", true);
    check(&format!("{chunked}x"), "complete", chunked, "hello", true);
}

#[test]
fn an_answer_to_head_has_no_body() {
    let read = read_as(Asked::Head, &Limits::default(), b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    assert_eq!((read.outcome.code(), read.content.len()), ("complete", 0));
    assert!(read.kept.ends_with(b"\r\n\r\n"));
}

#[test]
fn an_early_end_is_told() {
    for bytes in [
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ] {
        check(bytes, "truncated-disconnect", bytes, "hello", false);
    }
    let bytes = "HTTP/1.1 200 OK\r\nConte";
    check(bytes, "truncated-disconnect", bytes, "", false);
    check("", "empty-reply", "", "", false);
    check("\r\n\r\n", "empty-reply", "", "", false);
    check("HTTP/1.1 100 Continue\r\n\r\n", "empty-reply", "", "", false);
}

#[test]
fn versions_decide_whether_the_connection_goes_on() {
    let keeps = |head: &str| read(format!("{head}\r\nContent-Length: 0\r\n\r\n").as_bytes()).keeps_alive;
    assert!(keeps("HTTP/1.1 200 OK") && keeps("http/1.1 200 OK"));
    assert!(!keeps("HTTP/1.1 200 OK\r\nConnection: Keep-Alive, Close"));
    assert!(!keeps("HTTP/1.0 200 OK") && keeps("HTTP/1.0 200 OK\r\nconnection: Keep-Alive"));
    assert!(!keeps("HTTP/2 200 OK") && !keeps("ICY 200 OK"));
}

#[test]
fn interim_answers_are_kept_apart() {
    let hello = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    let interims = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    let read = read(format!("{interims}{hello}").as_bytes());
    assert_eq!((read.outcome.code(), read.kept.as_slice()), ("complete", hello.as_bytes()));
    assert_eq!(read.message.interims.len(), 2);
    assert_eq!(read.message.interims[0], b"HTTP/1.1 100 Continue\r\n\r\n"[..]);
    check(&"HTTP/1.1 100 Continue\r\n\r\n".repeat(20), "too-many-interims", "", "", false);
}

#[test]
fn what_is_odd_is_told() {
    check_odd("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", &[]);
    let body = "Content-Length: 1\r\n\r\na";
    check_odd(&format!("\r\n\nHTTP/1.1 200 OK\r\n{body}"), &[Oddity::BlankLinesBefore(3)]);
    check_odd(&format!("HTTP/1.1 okay\r\n{body}"), &[Oddity::NoStatus]);
    check_odd(&format!("HTTP/1.1 200 OK\r\n{}", body.replace('1', "x")), &[Oddity::BadLength]);
    check_odd(&format!("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n{body}"), &[Oddity::ConflictingLengths]);
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";
    check_odd(&format!("{chunked}Content-Length: 1\r\n\r\n0\r\n\r\n"), &[Oddity::LengthAndChunks]);
    check_odd(&format!("{chunked}\r\nnothing"), &[Oddity::BrokenChunks]);
    check_odd(&format!("{chunked}\r\n0\r\n"), &[Oddity::NoLastBlankLine]);
}

#[test]
fn of_conflicting_lengths_any_may_be_right() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\n";
    check(&format!("{head}abc"), "complete", &format!("{head}abc"), "abc", false);
    check(&format!("{head}abcdefg"), "complete", &format!("{head}abcde"), "abcde", false);
    check(&format!("{head}ab"), "truncated-disconnect", &format!("{head}ab"), "ab", false);
}

#[test]
fn what_has_no_head_is_a_document_or_nothing_we_know() {
    for bytes in ["<html>old</html>", "Hello, world!", "HTTPS is not HTTP", "IC", "x"] {
        check(bytes, "complete", bytes, bytes, false);
        assert_eq!(read(bytes.as_bytes()).message.version, Some(Version::Http09));
    }
    for bytes in [&b"SSH-2.0-x\r\n"[..], b"220 mail ready", b"\x15\x03\x01\0\x02\x02\x0a", b"+OK pop"] {
        assert_eq!(read(bytes).outcome.code(), "not-http", "{}", bytes.escape_ascii());
    }
}

#[test]
fn limits_hold() {
    let limits = Limits { head_bytes: 60, head_lines: 3, body_bytes: 4, ..Limits::default() };
    let found = |bytes: &str| {
        let read = read_as(Asked::Other, &limits, bytes.as_bytes());
        (read.outcome.code(), read.kept.len())
    };
    assert_eq!(found(&format!("HTTP/1.1 200 OK\r\nA: {}\r\n\r\n", "x".repeat(60))), ("head-too-long", 60));
    assert_eq!(found("HTTP/1.1 200 OK\r\na:1\r\nb:2\r\nc:3\r\n\r\n").0, "head-too-long");
    assert_eq!(found("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcdefghi"), ("truncated-length", 42));
    assert_eq!(found("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd"), ("complete", 42));
    assert_eq!(found("HTTP/1.1 200 OK\r\n\r\nabcd"), ("complete", 23));
    assert_eq!(found("HTTP/1.1 200 OK\r\n\r\nabcde"), ("truncated-length", 23));
    assert_eq!(found(&"\n".repeat(100)).0, "head-too-long");
}

#[test]
fn without_a_status_there_is_no_answer_and_what_came_is_kept() {
    for bytes in ["HTTP/1.1 2", "HTTP/1", "HTTP/1.1 \r\nA: b\r\n"] {
        check(bytes, "early-close", bytes, "", false);
        let read = read(bytes.as_bytes());
        assert!(read.message.head.is_none() && read.outcome.heritrix() == Some(-3), "{bytes:?}");
        assert!(read.outcome.truncated().is_some(), "{bytes:?}");
    }
}

#[test]
fn a_head_that_broke_off_is_known_to_have() {
    for (bytes, is_whole) in [
        ("HTTP/1.1 302 Found\r\nLocation: http://exam", false),
        ("HTTP/1.1 302 Found\r\nLocation: /\r\n", false),
        ("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", true),
    ] {
        let message = read(bytes.as_bytes()).message;
        assert_eq!((message.head.is_some(), message.is_head_whole), (true, is_whole), "{bytes:?}");
    }
}

#[test]
fn of_two_lengths_the_smaller_is_enough_however_the_connection_ends() {
    let mut reader = Reader::new(Asked::Other, &Limits::default());
    let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\n";
    assert_eq!(reader.feed(bytes, &mut |_| {}).step, Step::Head);
    assert_eq!(reader.feed(b"abc", &mut |_| {}).step, Step::More);
    let outcome = reader.break_off(crate::Cut::Reset, crate::Failure::Reset, &mut |_| {});
    assert_eq!(outcome, Outcome::Complete);
}
