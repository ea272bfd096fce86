//! Shows a document or a log on a terminal: line by line, and harmless.
//!
//! Line breaks and tabs are left, because a text has them; everything else that would act on the terminal is shown as its number.

use std::io::{self, Write};

use super::escape_bytes;

/// The longest character of UTF-8, but for its last byte.
const HELD_MAX: usize = 3;

/// What is written to it arrives escaped. [`Lines::finish`] writes the rest.
pub(crate) struct Lines<To> {
    to: To,
    /// The beginning of a character, or a CR that may belong to a line break.
    held: Vec<u8>,
}

impl<To: Write> Lines<To> {
    /// Shows what is written there.
    pub(crate) fn new(to: To) -> Lines<To> {
        Lines { to, held: Vec::new() }
    }

    /// Whatever is held back is not continued.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.held);
        self.show(&rest)
    }

    fn show(&mut self, text: &[u8]) -> io::Result<()> {
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let (line, end) = match line.strip_suffix(b"\n") {
                Some(line) => (line.strip_suffix(b"\r").unwrap_or(line), "\n"),
                None => (line, ""),
            };
            for (number, part) in line.split(|byte| *byte == b'\t').enumerate() {
                let tab = if number == 0 { "" } else { "\t" };
                write!(self.to, "{tab}{}", escape_bytes(part))?;
            }
            self.to.write_all(end.as_bytes())?;
        }
        Ok(())
    }
}

impl<To: Write> Write for Lines<To> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.held);
        text.extend_from_slice(bytes);
        self.held = text.split_off(text.len() - unfinished(&text));
        self.show(&text)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// How many bytes at the end may be the beginning of something.
fn unfinished(text: &[u8]) -> usize {
    if text.ends_with(b"\r") {
        return 1;
    }
    for (before, byte) in text.iter().rev().take(HELD_MAX).enumerate() {
        let needed = match byte {
            0xc2..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0..0xf5 => 4,
            0x80..0xc0 => continue,
            _ => return 0,
        };
        return if before + 1 < needed { before + 1 } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &[u8], shown: &str) {
        // However it is cut into pieces it is shown as the same.
        for size in [1, 2, 3, 5, text.len().max(1)] {
            let mut seen = Vec::new();
            let mut lines = Lines::new(&mut seen);
            text.chunks(size).for_each(|piece| lines.write_all(piece).unwrap());
            lines.finish().unwrap();
            assert_eq!(String::from_utf8(seen).unwrap(), shown, "in pieces of {size}");
        }
    }

    #[test]
    fn lines_and_tabs_stay() {
        check("a\tb\nc 日本語 𝄞\n\n".as_bytes(), "a\tb\nc 日本語 𝄞\n\n");
        check(b"one\r\ntwo\r\n", "one\ntwo\n");
    }

    #[test]
    fn what_would_act_is_shown() {
        check(b"\x1b]0;owned\x07\nover\rwritten", "\\x1b]0;owned\\x07\nover\\rwritten");
        check(b"caf\xe9 \xe6\x97 end\xe6\x97", "caf\\xe9 \\xe6\\x97 end\\xe6\\x97");
        check("\u{202e}a\u{9b}\r".as_bytes(), "\\u{202e}a\\u{9b}\\r");
    }
}
