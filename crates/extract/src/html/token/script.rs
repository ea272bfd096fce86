//! Scripts, and the odd ways in which they do not end.
//!
//! A script inside of `<!--` may hold `<script>` and its end tag, which then do not end the outer one.
//! <https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements>

use memchr::{memchr, memchr2};

use super::raw::{Found, tag_at};
use super::{Mode, Run, Sink, State, Tokenizer};

impl Tokenizer {
    /// A script; false if more input is needed.
    pub(super) fn script<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let bytes = run.bytes();
        let mut from = 0;
        while let Some(length) = memchr(b'<', bytes.get(from..).unwrap_or_default()) {
            let at = from + length;
            let here = bytes.get(at..).unwrap_or_default();
            if here.starts_with(b"<!--") {
                // The dashes may be part of a `-->` at once.
                run.text(at + 2, true);
                self.state = State::Escaped;
                return true;
            }
            let found = match tag_at(here, b"</", "script", run.last) {
                Found::No if !run.last && b"<!--".starts_with(here) => Found::Maybe,
                found => found,
            };
            match found {
                Found::Yes => {
                    run.text(at, true);
                    return self.end_tag(run);
                }
                Found::No => from = at + 1,
                Found::Maybe => {
                    run.text(at, true);
                    return false;
                }
            }
        }
        run.text(bytes.len(), true);
        false
    }

    /// Inside of a script's comment.
    pub(super) fn escaped<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let (at, here) = match self.next_in_comment(run) {
            Ok(found) => found,
            Err(goes_on) => return goes_on,
        };
        let ends = tag_at(here, b"</", "script", run.last);
        if ends == Found::Yes {
            run.text(at, true);
            return self.end_tag(run);
        }
        match tag_at(here, b"<", "script", run.last) {
            Found::Yes => {
                run.text(at + "<script".len(), true);
                self.state = State::DoubleEscaped;
                true
            }
            Found::No if ends == Found::No => {
                run.text(at + 1, true);
                true
            }
            _ => {
                run.text(at, true);
                false
            }
        }
    }

    /// Inside of a script in a script's comment.
    pub(super) fn double_escaped<S: Sink>(&mut self, run: &mut Run<'_, S>) -> bool {
        let (at, here) = match self.next_in_comment(run) {
            Ok(found) => found,
            Err(goes_on) => return goes_on,
        };
        match tag_at(here, b"</", "script", run.last) {
            Found::Yes => {
                run.text(at + "</script".len(), true);
                self.state = State::Escaped;
                true
            }
            Found::No => {
                run.text(at + 1, true);
                true
            }
            Found::Maybe => {
                run.text(at, true);
                false
            }
        }
    }

    /// The next `<` in a script's comment, or else whether there is more to read behind the comment's end.
    fn next_in_comment<'a, S: Sink>(&mut self, run: &mut Run<'a, S>) -> Result<(usize, &'a [u8]), bool> {
        let bytes = run.bytes();
        let mut from = 0;
        while let Some(length) = memchr2(b'<', b'-', bytes.get(from..).unwrap_or_default()) {
            let at = from + length;
            let here = bytes.get(at..).unwrap_or_default();
            if here.starts_with(b"<") {
                return Ok((at, here));
            }
            if here.starts_with(b"-->") {
                run.text(at + 3, true);
                self.state = State::Text(Mode::Script);
                return Err(true);
            }
            if !run.last && b"-->".starts_with(here) {
                run.text(at, true);
                return Err(false);
            }
            from = at + 1;
        }
        run.text(bytes.len(), true);
        Err(false)
    }
}
