//! Names and what names stand in: `location` is called otherwise, and where an import leads is rewritten. Nothing else of a
//! script changes.

use super::piece::{More, Piece};
use super::{Mode, State};
use crate::script::NAME;
use crate::script::level::{Around, Fate, Kind, Token, fate};
use crate::script::specifier::{Literal, literal, rewritten};
use crate::script::word::{Word, goes_on};

impl State {
    pub(super) fn name_length(&self, piece: &Piece<'_>, from: usize) -> Result<usize, More> {
        let mut length = 0;
        while length < self.ahead_max {
            let byte = piece.ahead(from + length)?;
            // Braces belong to a name only in an escape: `\u{6c}`.
            let escape =
                byte == b'{' && piece.rest(from).get(..length).is_some_and(|name| name.ends_with(b"\\u"));
            if escape {
                while length < self.ahead_max && piece.ahead(from + length)? != b'}' {
                    if piece.byte(from + length).is_none() {
                        return Ok(length);
                    }
                    length += 1;
                }
            } else if !goes_on(byte) {
                break;
            }
            length += 1;
        }
        Ok(length.min(self.ahead_max))
    }

    pub(super) fn word(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let length = self.name_length(piece, 0)?.max(1);
        let name = piece.rest(0).get(..length).unwrap_or_default();
        let word = Word::of(name);
        if self.before == Token::Dot {
            if word == Word::Location {
                piece.put(piece.at, piece.at + length, NAME);
            }
            self.token(piece, length, Token::Value);
            return Ok(());
        }
        match word {
            Word::Location => self.location(piece, length)?,
            Word::Class => self.level().is_class = true,
            Word::Import => self.level().is_clause = true,
            Word::Export => self.level().is_clause = true,
            Word::Declaration | Word::Function => self.level().is_clause = false,
            _ => {}
        }
        let is_operator = word == Word::Of && self.before.is_value() && !self.is_new_line;
        let token = match word {
            Word::Of if !is_operator => Token::Value,
            Word::Name | Word::Location => Token::Value,
            word => Token::Word(word),
        };
        self.token(piece, length, token);
        Ok(())
    }

    fn location(&mut self, piece: &mut Piece<'_>, length: usize) -> Result<(), More> {
        let behind = self.behind(piece, length)?;
        let around = Around {
            before: self.before,
            before_that: self.before_that,
            is_new_line: self.is_new_line,
            behind,
        };
        match fate(self.level(), around) {
            Fate::Stays => {}
            Fate::Renamed => piece.put(piece.at, piece.at + length, NAME),
            Fate::Expanded => {
                let end = piece.at + length;
                piece.put(end, end, ": ");
                piece.out.extend_from_slice(NAME.as_bytes());
            }
        }
        Ok(())
    }

    /// The next two bytes that are neither blank nor comment; zero at the end, and where they are too far away.
    pub(super) fn behind(&self, piece: &Piece<'_>, from: usize) -> Result<(u8, u8), More> {
        let mut at = from;
        while at < self.ahead_max {
            match piece.ahead(at)? {
                byte if byte.is_ascii_whitespace() => at += 1,
                b'/' if piece.ahead(at + 1)? == b'/' => {
                    while at < self.ahead_max && !matches!(piece.ahead(at)?, b'\n' | b'\r' | 0) {
                        at += 1;
                    }
                }
                b'/' if piece.ahead(at + 1)? == b'*' => {
                    at += 2;
                    while at < self.ahead_max && !(piece.ahead(at)? == b'*' && piece.ahead(at + 1)? == b'/') {
                        if piece.byte(at).is_none() {
                            return Ok((0, 0));
                        }
                        at += 1;
                    }
                    at += 2;
                }
                byte => return Ok((byte, piece.ahead(at + 1)?)),
            }
        }
        Ok((0, 0))
    }

    /// `[`, behind which a string may name a member.
    pub(super) fn bracket(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        if self.before.is_value() || self.before == Token::Dot {
            let blanks = |mut at: usize| {
                while at < self.ahead_max && piece.ahead(at)?.is_ascii_whitespace() {
                    at += 1;
                }
                Ok(at)
            };
            let start = blanks(1)?;
            let quote = piece.ahead(start)?;
            if matches!(quote, b'"' | b'\'' | b'`') {
                let mut end = start + 1;
                for byte in b"location" {
                    if piece.ahead(end)? != *byte {
                        break;
                    }
                    end += 1;
                }
                let is_named = end == start + 9 && piece.ahead(end)? == quote;
                if is_named {
                    let close = blanks(end + 1)?;
                    if piece.ahead(close)? == b']' {
                        piece.put(piece.at + start + 1, piece.at + end, NAME);
                        self.token(piece, close + 1, Token::Bracket);
                        return Ok(());
                    }
                }
            }
        }
        self.open(piece, Kind::Bracket, Token::Opening);
        Ok(())
    }

    /// A string, which may be where an import leads.
    pub(super) fn quote(&mut self, piece: &mut Piece<'_>, quote: u8) -> Result<(), More> {
        let is_source = match self.before {
            Token::Word(Word::Import) => true,
            Token::Word(Word::From) => self.level().is_clause,
            Token::Opening => self.is_loaded,
            _ => false,
        };
        if is_source {
            match literal(piece.rest(0), self.ahead_max) {
                Literal::Open if !piece.last => return Err(More),
                Literal::Whole(value) => {
                    if let Some(link) = rewritten(value, quote, piece.place) {
                        let start = piece.at + 1;
                        piece.put(start, start + value.len(), &link);
                    }
                    self.level().is_clause = false;
                    self.token(piece, value.len() + 2, Token::Value);
                    return Ok(());
                }
                _ => {}
            }
        }
        self.mode = Mode::Text(quote);
        piece.at += 1;
        Ok(())
    }
}
