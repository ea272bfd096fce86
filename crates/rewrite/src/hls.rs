//! Playlists of HTTP Live Streaming: a line is an address, a comment, or a tag with addresses in it.
//!
//! <https://www.rfc-editor.org/rfc/rfc8216#section-4>

use memchr::memchr;

use crate::{Limits, Modifier, Place};

/// A playlist that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Stream {
    /// A line that is not whole yet.
    line: Vec<u8>,
    line_bytes_max: usize,
    /// The line is too long and passes.
    is_passing: bool,
}

impl Stream {
    pub(crate) fn new(limits: &Limits) -> Stream {
        Stream { line: Vec::new(), line_bytes_max: limits.value_bytes_max, is_passing: false }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8], place: &Place, out: &mut Vec<u8>) {
        let mut rest = bytes;
        while let Some(end) = memchr(b'\n', rest) {
            let (line, behind) = rest.split_at_checked(end + 1).unwrap_or((rest, b""));
            self.part(line, out);
            self.end(place, out);
            rest = behind;
        }
        self.part(rest, out);
    }

    pub(crate) fn finish(&mut self, place: &Place, out: &mut Vec<u8>) {
        self.end(place, out);
    }

    fn part(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.line.len() + bytes.len() > self.line_bytes_max && !self.is_passing {
            self.is_passing = true;
            out.append(&mut self.line);
        }
        if self.is_passing {
            out.extend_from_slice(bytes);
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end(&mut self, place: &Place, out: &mut Vec<u8>) {
        self.is_passing = false;
        match std::str::from_utf8(&self.line) {
            Ok(line) => out.extend_from_slice(rewrite(line, place).as_bytes()),
            Err(_) => out.extend_from_slice(&self.line),
        }
        self.line.clear();
    }
}

fn rewrite(line: &str, place: &Place) -> String {
    let address = line.trim();
    if address.is_empty() {
        return line.to_owned();
    }
    if !address.starts_with('#') {
        return line.replacen(address, &place.rewrite(address, Modifier::Object), 1);
    }
    let mut rewritten = String::with_capacity(line.len() + 64);
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("URI=\"") {
        rewritten.push_str(before);
        rewritten.push_str("URI=\"");
        let (address, after) = behind.split_at_checked(behind.find('"').unwrap_or(0)).unwrap_or(("", behind));
        rewritten.push_str(&place.rewrite(address, Modifier::Object));
        rest = after;
    }
    rewritten.push_str(rest);
    rewritten
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_tags_lead_into_the_archive() {
        let place = Place::new("/web/", "2026", Modifier::Page, "http://e.org/a/b.m3u8").unwrap();
        let list = "#EXTM3U\r\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0\n\n c.ts?x \r\nhttps://f.org/d.ts";
        let expected = "#EXTM3U\r\n#EXT-X-KEY:METHOD=AES-128,URI=\"/web/2026oe_/http://e.org/a/k\",IV=0\n\n \
                        /web/2026oe_/http://e.org/a/c.ts?x \r\n/web/2026oe_/https://f.org/d.ts";
        for length in 1..list.len() {
            let (mut stream, mut out) = (Stream::new(&Limits::default()), Vec::new());
            list.as_bytes().chunks(length).for_each(|piece| stream.feed(piece, &place, &mut out));
            stream.finish(&place, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{length}");
        }
    }

    #[test]
    fn long_lines_pass() {
        let place = Place::new("/web/", "2026", Modifier::Page, "http://e.org/").unwrap();
        let (mut stream, mut out) =
            (Stream::new(&Limits { value_bytes_max: 10, ..Limits::default() }), Vec::new());
        stream.feed(b"0123456789abc\nx\n", &place, &mut out);
        assert_eq!(out, b"0123456789abc\n/web/2026oe_/http://e.org/x\n");
    }
}
