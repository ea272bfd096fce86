//! What goes on until something ends it: comments, strings, regular expressions and templates.

use memchr::{memchr2, memchr3};

use super::piece::{More, Piece};
use super::{Mode, State};
use crate::script::level::{Kind, Token};

impl State {
    fn ends(&mut self, piece: &mut Piece<'_>, at: usize) {
        self.mode = Mode::Code;
        self.token(piece, at, Token::Value);
    }

    pub(super) fn line_comment(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        match memchr2(b'\n', b'\r', piece.rest(0)) {
            Some(end) => {
                self.mode = Mode::Code;
                piece.at += end;
            }
            None => piece.at = piece.code.len(),
        }
        Ok(())
    }

    pub(super) fn block_comment(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let rest = piece.rest(0);
        match memchr2(b'*', b'\n', rest) {
            Some(found) if rest.get(found) == Some(&b'\n') => {
                self.is_new_line = true;
                piece.at += found + 1;
            }
            Some(found) => {
                piece.at += found;
                if piece.ahead(1)? == b'/' {
                    self.mode = Mode::Code;
                    piece.at += 1;
                }
                piece.at += 1;
            }
            None => piece.at = piece.code.len(),
        }
        Ok(())
    }

    pub(super) fn text(&mut self, piece: &mut Piece<'_>, quote: u8) -> Result<(), More> {
        let rest = piece.rest(0);
        let Some(found) = memchr3(quote, b'\\', b'\n', rest) else {
            piece.at = piece.code.len();
            return Ok(());
        };
        piece.at += found;
        match rest.get(found) {
            Some(b'\\') => self.escape(piece)?,
            // A line break ends a string that nobody closed.
            Some(b'\n') => self.ends(piece, 0),
            _ => self.ends(piece, 1),
        }
        Ok(())
    }

    fn escape(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let is_break = piece.ahead(1)? == b'\r' && piece.ahead(2)? == b'\n';
        piece.at += if is_break { 3 } else { 2 };
        Ok(())
    }

    pub(super) fn expression(&mut self, piece: &mut Piece<'_>, class: bool) -> Result<(), More> {
        let rest = piece.rest(0);
        let stop = |byte: &u8| matches!(byte, b'/' | b'\\' | b'[' | b']' | b'\n' | b'\r');
        let Some(found) = rest.iter().position(stop) else {
            piece.at = piece.code.len();
            return Ok(());
        };
        piece.at += found;
        match rest.get(found) {
            Some(b'\\') if !matches!(piece.ahead(1)?, b'\n' | b'\r') => piece.at += 2,
            Some(b'[') => {
                self.mode = Mode::Expression { class: true };
                piece.at += 1;
            }
            Some(b']') => {
                self.mode = Mode::Expression { class: false };
                piece.at += 1;
            }
            Some(b'/') if class => piece.at += 1,
            Some(b'/') => self.ends(piece, 1),
            Some(b'\\') => self.ends(piece, 1),
            _ => self.ends(piece, 0),
        }
        Ok(())
    }

    pub(super) fn template(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let rest = piece.rest(0);
        let Some(found) = memchr3(b'`', b'\\', b'$', rest) else {
            piece.at = piece.code.len();
            return Ok(());
        };
        piece.at += found;
        match rest.get(found) {
            Some(b'\\') => {
                piece.ahead(1)?;
                piece.at += 2;
            }
            Some(b'$') => {
                let opens = piece.ahead(1)? == b'{';
                piece.at += 1;
                if opens {
                    self.mode = Mode::Code;
                    self.open(piece, Kind::Template, Token::Operator);
                }
            }
            _ => self.ends(piece, 1),
        }
        Ok(())
    }
}
