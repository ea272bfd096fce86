//! The head of an HTTP message, parsed as leniently as browsers do.
//!
//! Accepted: LF alone, folded lines, no reason phrase, blanks around names, lines without a colon (kept out of the
//! fields), bytes that are no UTF-8, a head that is not ended by a blank line.

use std::borrow::Cow;
use std::ops::Range;

use crate::lines::{Lines, folded, head_end, trimmed};

/// Most fields taken from one head; servers that send more are not worth the memory.
const FIELDS_MAX: usize = 1 << 12;

/// A request's or response's first line and fields.
#[derive(Debug, Clone, Default)]
pub struct HttpHead {
    /// The head as read, followed by values put together from folded lines.
    text: Vec<u8>,
    raw_length: usize,
    first: Range<usize>,
    fields: Vec<(Range<usize>, Range<usize>)>,
    status: Option<u16>,
}

impl HttpHead {
    /// Parses the head at the start of `bytes`: the head and its length. `None` if no HTTP message starts there.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<(HttpHead, usize)> {
        let mut head = HttpHead::default();
        let length = head.refill(bytes, true)?;
        Some((head, length))
    }

    /// As [`HttpHead::parse`], but only if the blank line at the head's end is there.
    pub(crate) fn parse_whole(bytes: &[u8]) -> Option<(HttpHead, usize)> {
        let mut head = HttpHead::default();
        let length = head.refill(bytes, false)?;
        Some((head, length))
    }

    /// Whether these bytes, of which more may follow, can be the start of a message.
    pub(crate) fn may_start(bytes: &[u8]) -> bool {
        memchr::memchr(b'\n', bytes).is_none() || starts_message(bytes)
    }

    /// As [`HttpHead::parse`], into memory that is there already. With `ended` false nothing follows from a missing
    /// blank line but that more bytes are needed.
    pub(crate) fn refill(&mut self, bytes: &[u8], ended: bool) -> Option<usize> {
        if !starts_message(bytes) {
            return None;
        }
        let length = match head_end(bytes) {
            Some(length) => length,
            None if ended => bytes.len(),
            None => return None,
        };
        self.text.clear();
        self.text.extend_from_slice(bytes.get(..length)?);
        self.raw_length = length;
        self.fields.clear();
        self.fill();
        Some(length)
    }

    fn fill(&mut self) {
        let mut lines = Lines::new(self.raw_length);
        self.first = lines.next(&self.text).map_or(0..0, |line| line.text);
        self.status = status(self.text.get(self.first.clone()).unwrap_or_default());
        while let Some(line) = lines.next(&self.text) {
            let bytes = self.text.get(line.text.clone()).unwrap_or_default();
            match (bytes.first(), memchr::memchr(b':', bytes)) {
                (None, _) => break,
                (Some(b' ' | b'\t'), _) => {
                    if let Some((_, value)) = self.fields.last_mut() {
                        *value = folded(&mut self.text, value.clone(), line.text);
                    }
                }
                (Some(_), Some(colon)) if self.fields.len() < FIELDS_MAX => {
                    let start = line.text.start;
                    let name = trimmed(&self.text, start..start + colon);
                    let value = trimmed(&self.text, start + colon + 1..line.text.end);
                    self.fields.push((name, value));
                }
                _ => {}
            }
        }
    }

    /// The head as it stands in the block, with the blank line that ends it.
    #[must_use]
    pub fn raw(&self) -> &[u8] {
        self.text.get(..self.raw_length).unwrap_or_default()
    }

    /// The request line or status line.
    #[must_use]
    pub fn first_line(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.text.get(self.first.clone()).unwrap_or_default())
    }

    /// A response's status.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// A request's method.
    #[must_use]
    pub fn method(&self) -> Option<Cow<'_, str>> {
        self.request_word(0)
    }

    /// What a request asks for, as written in its first line.
    #[must_use]
    pub fn target(&self) -> Option<Cow<'_, str>> {
        self.request_word(1)
    }

    fn request_word(&self, nth: usize) -> Option<Cow<'_, str>> {
        let line = self.text.get(self.first.clone())?;
        if is_status_line(line) {
            return None;
        }
        line.split(|&byte| byte == b' ').nth(nth).map(String::from_utf8_lossy)
    }

    /// Value of the first field of this name; case does not matter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.fields().find(|(given, _)| given.eq_ignore_ascii_case(name.as_bytes())).map(|(_, value)| value)
    }

    /// As [`HttpHead::get`], as text; bytes that are no UTF-8 are replaced.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get(name).map(String::from_utf8_lossy)
    }

    /// All fields in order.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let part = |place: &Range<usize>| self.text.get(place.clone()).unwrap_or_default();
        self.fields.iter().map(move |(name, value)| (part(name), part(value)))
    }

    /// Media type without parameters, in lower case.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        let value = self.text("content-type")?;
        let media = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        (!media.is_empty()).then_some(media)
    }

    /// Whether the body is framed in chunks.
    #[must_use]
    pub fn is_chunked(&self) -> bool {
        self.get("transfer-encoding").is_some_and(|value| {
            value
                .rsplit(|&byte| byte == b',')
                .next()
                .unwrap_or_default()
                .trim_ascii()
                .eq_ignore_ascii_case(b"chunked")
        })
    }
}

fn is_status_line(line: &[u8]) -> bool {
    // Shoutcast servers answer `ICY 200 OK`; broken ones spell HTTP in lower case or add a letter to it.
    let word = line.split(|&byte| matches!(byte, b' ' | b'\r' | b'\n')).next().unwrap_or_default();
    let is_http = word.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP"));
    word.len() <= 16 && is_http && word.contains(&b'/') || line.starts_with(b"ICY ")
}

/// Whether a response or request starts here.
fn starts_message(bytes: &[u8]) -> bool {
    if is_status_line(bytes) {
        return true;
    }
    let method = bytes.iter().take(20).take_while(|byte| byte.is_ascii_uppercase() || **byte == b'-').count();
    if method == 0 || bytes.get(method) != Some(&b' ') {
        return false;
    }
    let line = bytes.get(..memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())).unwrap_or_default();
    let mut words = line.trim_ascii_end().split(|&byte| byte == b' ');
    // HTTP/0.9 and some recorders of HTTP/2 leave the version out; then only a path makes it a request.
    let target = words.nth(1).unwrap_or_default();
    words.next_back().unwrap_or(target).starts_with(b"HTTP/") || target.starts_with(b"/")
}

fn status(line: &[u8]) -> Option<u16> {
    if !is_status_line(line) {
        return None;
    }
    let word = line.split(|&byte| byte == b' ').skip(1).find(|word| !word.is_empty())?;
    let digits = word.get(..3).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
    // `200OK` is a status and `1000` is none.
    if word.get(3).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn parse(bytes: &[u8]) -> (HttpHead, usize) {
        HttpHead::parse(bytes).unwrap()
    }

    #[test]
    fn a_status_has_three_digits() {
        assert_eq!(parse(b"HTTP/1.1 200OK\r\n\r\n").0.status(), Some(200));
        assert_eq!(parse(b"HTTP/1.1 1000 Odd\r\n\r\n").0.status(), None);
        assert_eq!(parse(b"HTTP/1.1 20\r\n\r\n").0.status(), None);
    }

    #[test]
    fn plain_response() {
        let (head, length) = parse(b"HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=x\r\n\r\nbody");
        assert_eq!(length, 55);
        assert_eq!(head.status(), Some(200));
        assert_eq!(head.media_type().as_deref(), Some("text/html"));
        assert_eq!(head.method(), None);
    }

    #[test]
    fn missing_reason_phrase_and_bare_lf() {
        let (head, _) = parse(b"HTTP/1.1 404\nA: 1\n\n");
        assert_eq!(head.status(), Some(404));
        assert_eq!(head.get("a"), Some(&b"1"[..]));
    }

    #[test]
    fn folded_value_is_joined() {
        let (head, _) = parse(b"HTTP/1.0 200 OK\r\nX: one\r\n  two\r\n\tthree\r\nY: z\r\n\r\n");
        assert_eq!(head.get("x"), Some(&b"one two three"[..]));
        assert_eq!(head.get("y"), Some(&b"z"[..]));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_kept() {
        let (head, _) = parse(b"HTTP/1.1 200 \xc3\xa4\xff\r\nServer: \xe4\r\nno colon\r\n\r\n");
        assert_eq!(head.get("server"), Some(&b"\xe4"[..]));
        assert_eq!(head.fields().count(), 1);
    }

    #[test]
    fn request_line() {
        let (head, _) = parse(b"GET /a b?c HTTP/1.1\r\nHost: example.org\r\n\r\n");
        assert_eq!(head.method().as_deref(), Some("GET"));
        assert_eq!(head.status(), None);
    }

    #[test]
    fn head_without_blank_line_ends_with_the_bytes() {
        let (head, length) = parse(b"HTTP/1.1 200 OK\r\nA: b");
        assert_eq!((length, head.get("A")), (21, Some(&b"b"[..])));
    }

    #[test]
    fn other_bytes_are_no_message() {
        for bytes in
            [&b""[..], b"<html>", b"HTT", b"SSH-2.0-OpenSSH_5.3p1 Debian", b"GET something", b"HTTP\n\n/"]
        {
            assert!(HttpHead::parse(bytes).is_none(), "{bytes:?}");
        }
    }
}
