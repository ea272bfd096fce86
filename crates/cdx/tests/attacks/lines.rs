//! Any bytes as a file of CDX or CDXJ lines: what is read can be written, and what is written reads back.

use std::io::BufReader;

use cdx::query::{Collapse, Filter};
use cdx::zipnum::{Entry, Locations};
use cdx::{Capture, Format, Layout, Limits, Lines, Reader, Timestamp};

/// Small enough that a few bytes of input reach most of them.
pub(crate) const LIMITS: Limits = Limits {
    line_bytes: 8 << 10,
    json_depth: 6,
    json_members: 40,
    block_packed_bytes: 1 << 16,
    block_bytes: 1 << 18,
};

/// Lines that are tried in every format; more of them say nothing new.
const LINES_MAX: usize = 32;

pub(crate) fn attack(bytes: &[u8]) {
    same_in_pieces(bytes);
    let mut reader = Reader::with_limits(bytes, LIMITS);
    while let Some(capture) = reader.next_capture() {
        let Ok(capture) = capture.map(Capture::into_owned) else { continue };
        if let Some(format) = reader.format() {
            stable(format, &capture);
        }
    }
    for line in bytes.split(|&byte| byte == b'\n').take(LINES_MAX) {
        of_one_line(line);
    }
}

/// How the source cuts its bytes must not show.
fn same_in_pieces(bytes: &[u8]) {
    let whole = Reader::with_limits(bytes, LIMITS);
    let mut pieces = Reader::with_limits(BufReader::with_capacity(3, bytes), LIMITS);
    for one in whole {
        let other = pieces.next().unwrap();
        assert_eq!(one.map_err(|error| error.to_string()), other.map_err(|error| error.to_string()));
    }
    assert!(pieces.next().is_none(), "in pieces there are more lines");
}

fn of_one_line(line: &[u8]) {
    let formats = [
        Format::Cdxj,
        Format::Json,
        Format::Cdx(Layout::cdx9()),
        Format::Cdx(Layout::cdx11()),
        Format::Cdx(Layout::cdx14()),
    ];
    for format in formats {
        if let Ok(capture) = format.parse(line, &LIMITS) {
            stable(&format, &capture);
            // A capture from anywhere stands on a line of any other format.
            stable(&Format::Cdx(Layout::cdx11()), &capture);
            stable(&Format::Cdxj, &capture);
        }
    }
    if let Ok(Some(format)) = Format::detect(line)
        && let Some(header) = format.header()
        && cdx::is_header(line)
    {
        assert_eq!(
            Format::detect(header.as_bytes()).unwrap(),
            Some(format),
            "the header reads back differently"
        );
    }
    if let Ok(entry) = Entry::parse(line, Some("part"), &LIMITS) {
        let mut out = Vec::new();
        entry.write(&mut out);
        assert_eq!(Entry::parse(&out, None, &LIMITS).unwrap(), entry);
    }
    let _ = Locations::read(line, &LIMITS);
    let text = String::from_utf8_lossy(line);
    let _ = (Filter::pywb(&text), Filter::outback(&text), Collapse::by_field(&text));
    if let Ok(time) = Timestamp::parse(&text) {
        assert_eq!(Timestamp::parse(&time.to_string()).unwrap(), time);
        let _ = time.seconds();
    }
}

/// Written and read again, a capture is written the same; on one line, and with its numbers.
fn stable(format: &Format, capture: &Capture<'_>) {
    let limits = Limits { line_bytes: usize::MAX, ..Limits::default() };
    let mut line = Vec::new();
    format.write(capture, &mut line);
    let mut lines = Lines::new(line.as_slice(), &limits);
    assert!(lines.advance().unwrap() && lines.line() == line, "a capture takes more than one line");
    let read = match format.parse(&line, &limits) {
        Ok(read) => read,
        Err(error) => panic!("{}: {error}", line.escape_ascii()),
    };
    let mut again = Vec::new();
    format.write(&read, &mut again);
    assert!(again == line, "{}\n{}", line.escape_ascii(), again.escape_ascii());
    let numbers = |capture: &Capture<'_>| (capture.timestamp, capture.status, capture.length, capture.offset);
    if matches!(format, Format::Cdxj | Format::Json) {
        assert_eq!(numbers(&read), numbers(capture));
        assert_eq!((&read.url, &read.mime, &read.filename), (&capture.url, &capture.mime, &capture.filename));
    }
}
