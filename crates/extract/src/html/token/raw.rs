//! Text that only its own end tag ends: titles, styles, frames' fallbacks.

use memchr::memchr;

use super::{Run, Sink, Tokenizer, reference, tag};

/// Whether something stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Yes,
    No,
    /// The input ends before that is known.
    Maybe,
}

/// Whether a tag of this name begins the bytes: `</` or `<`, the name in any case, and something that ends a name.
pub(super) fn tag_at(bytes: &[u8], opening: &[u8], name: &str, last: bool) -> Found {
    let unknown = if last { Found::No } else { Found::Maybe };
    let mut bytes = bytes.iter();
    for wanted in opening.iter().chain(name.as_bytes()) {
        match bytes.next() {
            Some(byte) if byte.eq_ignore_ascii_case(wanted) => {}
            Some(_) => return Found::No,
            None => return unknown,
        }
    }
    match bytes.next() {
        Some(byte) if tag::ends_tag_name(*byte) => Found::Yes,
        Some(_) => Found::No,
        None => unknown,
    }
}

impl Tokenizer {
    /// Text up to the end tag of an element; false if more input is needed.
    pub(super) fn raw_text<S: Sink>(&mut self, run: &mut Run<'_, S>, name: &'static str, raw: bool) -> bool {
        let bytes = run.bytes();
        let mut from = 0;
        while let Some(length) = memchr(b'<', bytes.get(from..).unwrap_or_default()) {
            let at = from + length;
            match tag_at(bytes.get(at..).unwrap_or_default(), b"</", name, run.last) {
                Found::Yes => {
                    run.text(at, raw);
                    return self.end_tag(run);
                }
                Found::No => from = at + 1,
                Found::Maybe => {
                    run.text(at, raw);
                    return false;
                }
            }
        }
        let rest = run.rest();
        let kept = if raw || run.last { None } else { reference::unfinished(rest) };
        run.text(kept.unwrap_or(rest.len()), raw);
        false
    }
}
