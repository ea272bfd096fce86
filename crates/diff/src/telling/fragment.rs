//! Paragraphs as text or HTML, never longer than was asked for, whatever they cite.
//!
//! Room for what closes a paragraph is set aside when it is opened, so that the end is whole wherever the text is cut.

use crate::Kind;

/// How it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Plain text: `[-removed-]` and `{+added+}`.
    Text,
    /// `<p>`, `<del>`, `<ins>` and `<br>`, and nothing else.
    Html,
}

/// A paragraph that has no room for so much is not begun.
const PARAGRAPH_BYTES_MIN: usize = 40;

/// What stands where something is cut off.
const CUT: &str = "…";

/// Paragraphs while they are written.
pub(super) struct Fragment {
    form: Form,
    out: String,
    /// Bytes that may still be written, what is set aside not counted.
    room: usize,
    is_full: bool,
    bytes_max: usize,
}

impl Fragment {
    /// Of at most so many bytes.
    pub(super) fn new(form: Form, bytes_max: usize) -> Fragment {
        let room = bytes_max.saturating_sub(more(form, usize::MAX).len());
        Fragment { form, out: String::new(), room, is_full: false, bytes_max }
    }

    /// Begins a paragraph, unless there is no room for one.
    pub(super) fn begin(&mut self) -> bool {
        let (open, close) = paragraph(self.form);
        let cost = open.len() + close.len() + CUT.len();
        if self.is_full || self.room < cost + PARAGRAPH_BYTES_MIN {
            return false;
        }
        self.room -= cost;
        self.out.push_str(open);
        true
    }

    /// Ends it.
    pub(super) fn end(&mut self) {
        if !self.is_full {
            self.room += CUT.len();
        }
        self.out.push_str(paragraph(self.form).1);
    }

    /// Writes a stretch as what it is, and says whether there was room for some of it.
    pub(super) fn push(&mut self, kind: Kind, text: &str) -> bool {
        let (open, close) = marks(self.form, kind);
        if self.is_full || text.is_empty() {
            return false;
        }
        let Some(room) = self.room.checked_sub(open.len() + close.len()) else {
            self.cut();
            return false;
        };
        self.room = room;
        self.out.push_str(open);
        for char in text.chars().filter_map(fit) {
            self.push_char(char);
        }
        self.out.push_str(close);
        true
    }

    /// Whether nothing more is written.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// What was written, and that there is more.
    pub(super) fn finish(mut self, left_out: usize) -> String {
        let more = more(self.form, left_out);
        if left_out > 0 && self.out.len() + more.len() <= self.bytes_max {
            self.out.push_str(&more);
        }
        debug_assert!(self.out.len() <= self.bytes_max, "longer than was asked for");
        self.out
    }

    fn push_char(&mut self, char: char) {
        // A blank line would end the paragraph.
        if self.is_full || char == '\n' && self.form == Form::Text && self.out.ends_with('\n') {
            return;
        }
        let mut buffer = [0; 4];
        let written = match (self.form, char) {
            (Form::Html, '&') => "&amp;",
            (Form::Html, '<') => "&lt;",
            (Form::Html, '>') => "&gt;",
            (Form::Html, '"') => "&quot;",
            (Form::Html, '\'') => "&#39;",
            (Form::Html, '\n') => "<br>",
            (_, char) => char.encode_utf8(&mut buffer),
        };
        match self.room.checked_sub(written.len()) {
            Some(room) => {
                self.room = room;
                self.out.push_str(written);
            }
            None => self.cut(),
        }
    }

    /// No more is written of this and further paragraphs.
    fn cut(&mut self) {
        if !self.is_full {
            self.is_full = true;
            self.out.push_str(CUT);
        }
    }
}

/// A character as it may be shown, if it may. Control characters and what turns the direction of what follows would reach beyond the
/// text that holds them, and some cannot be written in XML at all.
pub(super) fn fit(char: char) -> Option<char> {
    match char {
        '\n' => Some(char),
        '\u{2028}' | '\u{2029}' | '\u{85}' => Some('\n'),
        '\t' => Some(' '),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => None,
        char if char.is_control() => None,
        char => Some(char),
    }
}

fn paragraph(form: Form) -> (&'static str, &'static str) {
    match form {
        Form::Text => ("", "\n\n"),
        Form::Html => ("<p>", "</p>\n"),
    }
}

fn marks(form: Form, kind: Kind) -> (&'static str, &'static str) {
    match (form, kind) {
        (_, Kind::Same) => ("", ""),
        (Form::Text, Kind::Removed) => ("[-", "-]"),
        (Form::Text, Kind::Added) => ("{+", "+}"),
        (Form::Html, Kind::Removed) => ("<del>", "</del>"),
        (Form::Html, Kind::Added) => ("<ins>", "</ins>"),
    }
}

fn more(form: Form, count: usize) -> String {
    let (open, close) = paragraph(form);
    let changes = if count == 1 { "change" } else { "changes" };
    format!("{open}… and {count} more {changes}{close}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_is_closed() {
        let mut fragment = Fragment::new(Form::Html, 130);
        assert!(fragment.begin());
        fragment.push(Kind::Removed, &"<".repeat(40));
        fragment.push(Kind::Added, "never seen");
        fragment.end();
        assert!(!fragment.begin());
        let html = fragment.finish(3);
        assert!(html.starts_with("<p><del>&lt;&lt;"), "{html}");
        assert!(html.ends_with("&lt;…</del></p>\n<p>… and 3 more changes</p>\n"), "{html}");
    }

    #[test]
    fn nothing_reaches_beyond_its_text() {
        let mut fragment = Fragment::new(Form::Text, 1000);
        assert!(fragment.begin());
        fragment.push(Kind::Same, "a\u{202e}b\0\r\n\n\u{2029}c\x1b[31m");
        fragment.end();
        assert_eq!(fragment.finish(1), "ab\nc[31m\n\n… and 1 more change\n\n");
    }
}
