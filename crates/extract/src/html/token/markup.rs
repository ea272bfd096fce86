//! What begins with `<!` or `<?`: comments, doctypes, CDATA sections, and what is none of these.

use memchr::{memchr, memmem};

use super::{Mode, Run, Sink, State, Tokenizer};

impl Tokenizer {
    /// Finds out what a `<!` begins; false if more input is needed.
    pub(super) fn markup<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let content = run.bytes().get(2..).unwrap_or_default();
        let begins =
            |word: &[u8]| content.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        let may_begin = |word: &[u8]| {
            let start = word.get(..content.len());
            !run.last && start.is_some_and(|start| start.eq_ignore_ascii_case(content))
        };
        if begins(b"--") {
            return self.comment_start(run);
        }
        if begins(b"doctype") {
            return self.enter(run, 9, State::Doctype);
        }
        if content.starts_with(b"[CDATA[") && run.sink.is_in_foreign_content() {
            return self.enter(run, 9, State::Cdata);
        }
        if may_begin(b"--") || may_begin(b"doctype") || may_begin(b"[cdata[") {
            return false;
        }
        self.enter(run, 2, State::Bogus)
    }

    /// Behind `<!--`, where `>` and `->` end the comment at once.
    fn comment_start<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let ended = match run.bytes().get(4..).unwrap_or_default() {
            [b'>', ..] => 5,
            [b'-', b'>', ..] => 6,
            [] | [b'-'] if !run.last => return false,
            _ => return self.enter(run, 4, State::Comment),
        };
        run.sink.comment("", true);
        self.enter(run, ended, State::Text(Mode::Data))
    }

    /// A comment, up to `-->` or `--!>`.
    pub(super) fn comment<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let rest = run.rest();
        let mut from = 0;
        while let Some(length) = memchr(b'>', rest.as_bytes().get(from..).unwrap_or_default()) {
            let at = from + length;
            let before = rest.get(..at).unwrap_or_default();
            if let Some(content) = before.strip_suffix("--").or_else(|| before.strip_suffix("--!")) {
                run.sink.comment(content, true);
                return self.enter(run, at + 1, State::Text(Mode::Data));
            }
            from = at + 1;
        }
        let kept = ["--!", "--", "-"].into_iter().find(|end| rest.ends_with(end)).unwrap_or_default();
        let piece = rest.strip_suffix(kept).unwrap_or(rest);
        run.sink.comment(piece, false);
        run.at += piece.len();
        false
    }

    /// What is treated as a comment, up to the next `>`.
    pub(super) fn bogus<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let rest = run.rest();
        if let Some((content, _)) = rest.split_once('>') {
            run.sink.comment(content, true);
            return self.enter(run, content.len() + 1, State::Text(Mode::Data));
        }
        run.sink.comment(rest, false);
        run.at += rest.len();
        false
    }

    /// A doctype, up to the next `>`, be it quoted or not.
    pub(super) fn doctype<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        match memchr(b'>', run.bytes()) {
            Some(length) => self.enter(run, length + 1, State::Text(Mode::Data)),
            None => {
                run.at = run.input.len();
                false
            }
        }
    }

    /// A CDATA section, whose content is text.
    pub(super) fn cdata<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let bytes = run.bytes();
        if let Some(length) = memmem::find(bytes, b"]]>") {
            run.text(length, true);
            return self.enter(run, 3, State::Text(Mode::Data));
        }
        let kept = match bytes {
            _ if run.last => 0,
            [.., b']', b']'] => 2,
            [.., b']'] => 1,
            _ => 0,
        };
        run.text(bytes.len() - kept, true);
        false
    }
}
