//! Finds the end of a head in bytes that come in pieces, and what is odd in it.

use super::Oddity;

/// Walks over a head byte by byte once, whatever the pieces. The end is where `warc::HttpHead` finds it: behind a line that
/// is empty but for at most two carriage returns, the first line aside.
#[derive(Debug, Clone, Default)]
pub(super) struct HeadEnd {
    /// Lines that have ended.
    pub(super) lines: usize,
    /// Bytes of the line that has not ended, as far as they matter: up to 3.
    open: [u8; 3],
    open_bytes: u8,
}

impl HeadEnd {
    /// Takes in further bytes: how many of them the head has, once it ends among them. `None` asks for more.
    pub(super) fn find(&mut self, bytes: &[u8], lines_max: usize) -> Option<usize> {
        let mut from = 0;
        while let Some(found) = memchr::memchr(b'\n', bytes.get(from..)?) {
            let line = bytes.get(from..from + found)?;
            from += found + 1;
            let is_blank = self.is_blank_with(line);
            self.open_bytes = 0;
            self.lines += 1;
            if (is_blank && self.lines > 1) || self.lines > lines_max {
                return Some(from);
            }
        }
        for &byte in bytes.get(from..)?.iter().take(3) {
            if let Some(place) = self.open.get_mut(usize::from(self.open_bytes)) {
                *place = byte;
                self.open_bytes += 1;
            }
        }
        None
    }

    fn is_blank_with(&self, line: &[u8]) -> bool {
        let open = self.open.get(..usize::from(self.open_bytes)).unwrap_or_default();
        let length = open.len() + line.len();
        length <= 2 && open.iter().chain(line).all(|&byte| byte == b'\r')
    }
}

/// What is odd in a whole head.
pub(super) fn oddities(head: &[u8], into: &mut Vec<Oddity>) {
    let mut note = |oddity: Oddity| {
        if !into.contains(&oddity) {
            into.push(oddity);
        }
    };
    if memchr::memchr(0, head).is_some() {
        note(Oddity::NulInHead);
    }
    let mut is_first = true;
    for line in head.split_inclusive(|&byte| byte == b'\n') {
        if line.ends_with(b"\n") && !line.ends_with(b"\r\n") {
            note(Oddity::BareLf);
        }
        let text = line.trim_ascii_end();
        let was_first = std::mem::replace(&mut is_first, false);
        if was_first || text.is_empty() {
            continue;
        }
        if text.starts_with(b" ") || text.starts_with(b"\t") {
            note(Oddity::FoldedField);
            continue;
        }
        match memchr::memchr(b':', text).and_then(|colon| text.get(..colon)) {
            None => note(Oddity::LineWithoutColon),
            Some(name) if name.ends_with(b" ") || name.ends_with(b"\t") => note(Oddity::BlankBeforeColon),
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, end: Option<usize>) {
        let bytes = head.as_bytes();
        assert_eq!(HeadEnd::default().find(bytes, 100), end, "{head:?}");
        let mut pieces = HeadEnd::default();
        let found = bytes.iter().position(|byte| pieces.find(&[*byte], 100).is_some());
        assert_eq!(found.map(|at| at + 1), end, "byte by byte: {head:?}");
    }

    #[test]
    fn a_head_ends_behind_its_blank_line() {
        check("HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", Some(25));
        check("HTTP/1.1 200 OK\nA: b\n\nbody", Some(22));
        check("HTTP/1.1 200 OK\r\n\r\n", Some(19));
        check("HTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\nx", Some(28));
        check("HTTP/1.1 200 OK\r\nA: b\r\n", None);
        check("HTTP/1.1 200 OK\r\n\r\r\r\nA: b\r\n\r\n", Some(29));
    }

    #[test]
    fn too_many_lines_end_the_search() {
        assert_eq!(HeadEnd::default().find(b"HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n", 2), Some(29));
    }

    #[test]
    fn oddities_are_told_once() {
        let mut found = Vec::new();
        oddities(b"HTTP/1.1 200 OK\nnothing\nA : b\r\nC: d\r\n  e\r\nnothing\r\nN: \0\r\n\r\n", &mut found);
        let all = [
            Oddity::NulInHead,
            Oddity::BareLf,
            Oddity::LineWithoutColon,
            Oddity::BlankBeforeColon,
            Oddity::FoldedField,
        ];
        assert_eq!(found, all);
        found.clear();
        oddities(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", &mut found);
        assert_eq!(found, []);
    }
}
