//! The rest of a tag that is too long to be kept: only its end matters.

use memchr::memchr;

use super::{Mode, Run, Sink, State, Tokenizer, tag};

/// Where in the tag we are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Before a name, or in one.
    Between,
    /// Behind a name and blanks; an equals sign makes it an attribute with a value.
    Name,
    /// Behind an equals sign.
    Equals,
    /// In a value without quotes.
    Unquoted,
    /// In a value with such quotes.
    Quoted(u8),
}

impl Tokenizer {
    /// Passes over the rest of a tag; false if more input is needed.
    pub(super) fn skip<S: Sink>(&mut self, run: &mut Run<'_, S>, mut place: Place, mode: Mode) -> bool {
        while let Some(byte) = run.bytes().first().copied() {
            if let Place::Quoted(quote) = place {
                let Some(length) = memchr(quote, run.bytes()) else {
                    run.at = run.input.len();
                    break;
                };
                run.at += length + 1;
                place = Place::Between;
                continue;
            }
            run.at += 1;
            place = match (place, byte) {
                (_, b'>') => {
                    self.state = State::Text(mode);
                    return true;
                }
                (Place::Equals, b'"' | b'\'') => Place::Quoted(byte),
                (Place::Unquoted, _) if !tag::is_blank(byte) => Place::Unquoted,
                (Place::Equals, _) if !tag::is_blank(byte) => Place::Unquoted,
                (Place::Equals, _) => Place::Equals,
                (Place::Name, b'=') => Place::Equals,
                (Place::Name, _) if tag::is_blank(byte) => Place::Name,
                (_, b'/') => Place::Between,
                (_, _) if tag::is_blank(byte) => Place::Between,
                _ => Place::Name,
            };
        }
        self.state = State::Skip(place, mode);
        false
    }
}
