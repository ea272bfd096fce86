//! Text as it runs on a page: blanks run together, blocks on lines of their own, preformatted text as it is.

use memchr::memchr;

/// What stands between the last character and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Blank,
    Line,
}

/// Text that grows, up to a bound.
#[derive(Debug)]
pub(super) struct Flow {
    text: String,
    gap: Gap,
    bytes_max: usize,
    is_cut: bool,
    /// A carriage return was the last preformatted character: a line feed behind it is the same end of line.
    after_return: bool,
}

impl Flow {
    /// Nothing yet.
    pub(super) fn new(bytes_max: usize) -> Flow {
        Flow { text: String::new(), gap: Gap::Line, bytes_max, is_cut: false, after_return: false }
    }

    /// The text so far, without blanks at its end.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text, for good.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Whether there was more than fits.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        (self.gap, self.is_cut, self.after_return) = (Gap::Line, false, false);
    }

    /// What follows stands on a line of its own.
    #[inline]
    pub(super) fn line(&mut self) {
        // Preformatted text often ends in an end of line of its own.
        while self.text.ends_with('\n') {
            self.text.pop();
        }
        self.gap = Gap::Line;
    }

    /// What follows is another word.
    #[inline]
    pub(super) fn blank(&mut self) {
        self.gap = self.gap.max(Gap::Blank);
    }

    /// Adds text whose blanks run together.
    #[inline]
    pub(super) fn push(&mut self, piece: &str) {
        let mut rest = piece;
        loop {
            let word = rest.trim_ascii_start();
            if word.len() < rest.len() {
                self.blank();
            }
            if word.is_empty() {
                return;
            }
            let (words, behind) = word.split_at_checked(regular(word.as_bytes())).unwrap_or((word, ""));
            self.append(words);
            rest = behind;
        }
    }

    /// Adds text as it is, with ends of lines made the same.
    pub(super) fn push_preformatted(&mut self, piece: &str) {
        let mut rest = piece;
        if self.after_return {
            rest = rest.strip_prefix('\n').unwrap_or(rest);
        }
        if !piece.is_empty() {
            self.after_return = piece.ends_with('\r');
        }
        while let Some(at) = memchr(b'\r', rest.as_bytes()) {
            let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.append_as_is(before);
            self.append_as_is("\n");
            let behind = behind.strip_prefix('\r').unwrap_or(behind);
            rest = behind.strip_prefix('\n').unwrap_or(behind);
        }
        self.append_as_is(rest);
    }

    /// Lines at the very start of preformatted text are dropped, as browsers do with the first.
    fn append_as_is(&mut self, piece: &str) {
        let piece = if self.gap == Gap::Line { piece.trim_start_matches('\n') } else { piece };
        if !piece.is_empty() {
            self.append(piece);
        }
    }

    /// Adds characters behind the gap.
    #[inline]
    fn append(&mut self, words: &str) {
        let gap = match self.gap {
            _ if self.text.is_empty() => "",
            Gap::None => "",
            Gap::Blank => " ",
            Gap::Line => "\n",
        };
        self.gap = Gap::None;
        if self.is_cut || self.text.len() + words.len() + 1 > self.bytes_max {
            return self.append_what_fits(gap, words);
        }
        self.text.push_str(gap);
        self.text.push_str(words);
    }

    /// The bound is near. Character by character, so that it does not matter in what pieces the text comes.
    #[cold]
    fn append_what_fits(&mut self, gap: &str, words: &str) {
        for character in gap.chars().chain(words.chars()) {
            if self.is_cut || self.text.len() + character.len_utf8() > self.bytes_max {
                self.is_cut = true;
                return;
            }
            self.text.push(character);
        }
    }
}

/// How far words go with single blanks between them and none at their end.
#[inline]
fn regular(bytes: &[u8]) -> usize {
    /// As many bytes as the processor compares at once.
    const STEP: usize = 16;
    let mut at = 0;
    // Most text is regular for long, which is told a step at a time; the rest of this function finds the place.
    while let (Some(here), Some(next)) = (bytes.get(at..at + STEP), bytes.get(at + 1..at + 1 + STEP)) {
        let odd = here.iter().zip(next).fold(0, |odd, (here, next)| {
            odd | (u8::from(*here <= b' ') & (u8::from(*here != b' ') | u8::from(*next <= b' ')))
        });
        if odd != 0 {
            break;
        }
        at += STEP;
    }
    let mut before = b'.';
    for (place, byte) in bytes.iter().enumerate().skip(at) {
        let is_odd_blank =
            matches!(byte, b'\n' | b'\t' | b'\r' | b'\x0c') || (*byte == b' ' && before == b' ');
        if *byte <= b' ' && is_odd_blank {
            return if before == b' ' { place - 1 } else { place };
        }
        before = *byte;
    }
    if before == b' ' { bytes.len() - 1 } else { bytes.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[&str], expected: &str) {
        let mut flow = Flow::new(100);
        pieces.iter().for_each(|piece| flow.push(piece));
        assert_eq!(flow.text(), expected, "{pieces:?}");
    }

    #[test]
    fn blanks_run_together() {
        check(&["  a  b\t\nc d \n"], "a b c d");
        check(&["a", " ", " b", "c ", "d"], "a bc d");
        check(&["a \n b", "\u{a0} c"], "a b\u{a0} c");
        check(&["  ", "\n"], "");
    }

    #[test]
    fn long_text_is_as_short_text() {
        let words = "one two three four five six seven";
        for blank in [" ", "  ", "\n", " \t"] {
            for at in 0..20 {
                let start = "x".repeat(at);
                check(&[&format!("{start}{blank}{words}")], format!("{start} {words}").trim());
            }
        }
    }

    #[test]
    fn lines_are_kept_apart() {
        let mut flow = Flow::new(100);
        flow.line();
        flow.push(" a ");
        flow.line();
        flow.line();
        flow.push(" ");
        flow.push("b");
        assert_eq!(flow.text(), "a\nb");
    }

    #[test]
    fn preformatted_text_is_kept() {
        for pieces in [&["\na\r\n  b\rc"][..], &["\n", "a\r", "\n", "  b", "\rc"]] {
            let mut flow = Flow::new(100);
            flow.push("x");
            flow.line();
            pieces.iter().for_each(|piece| flow.push_preformatted(piece));
            assert_eq!(flow.text(), "x\na\n  b\nc", "{pieces:?}");
        }
    }

    #[test]
    fn the_bound_holds_in_whatever_pieces_text_comes() {
        for pieces in [&["ab čd"][..], &["ab", " ", "č", "d"], &["ab č", "d"]] {
            let mut flow = Flow::new(4);
            pieces.iter().for_each(|piece| flow.push(piece));
            assert_eq!(flow.text(), "ab ", "{pieces:?}");
            assert!(flow.is_cut());
        }
    }
}
