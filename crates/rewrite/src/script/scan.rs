//! Takes a script apart into tokens, piece by piece.
//!
//! Wherever a decision needs more bytes than there are, reading stops before the token and goes on when there are more. How
//! far ahead a decision may look is bounded, and the bound does not depend on how the script was cut into pieces.

mod code;
mod names;
mod piece;
mod spans;

use crate::{Limits, Place};

use super::level::{Kind, Level, Token};
use piece::Piece;

/// Inside of what the next byte is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Code,
    LineComment,
    BlockComment,
    Text(u8),
    Expression {
        class: bool,
    },
    Template,
    /// Too deep: the rest passes.
    Passing,
}

/// What is remembered from one piece to the next.
#[derive(Debug)]
pub(super) struct State {
    mode: Mode,
    levels: Vec<Level>,
    before: Token,
    before_that: Token,
    /// There was a line break behind the last token.
    is_new_line: bool,
    /// The next string is what an `import(` loads.
    is_loaded: bool,
    is_module: bool,
    ahead_max: usize,
    depth_max: usize,
}

impl State {
    pub(super) fn new(limits: &Limits, is_module: bool) -> State {
        State {
            mode: Mode::Code,
            levels: vec![Level::new(Kind::Block)],
            before: Token::Start,
            before_that: Token::Start,
            is_new_line: true,
            is_loaded: false,
            is_module,
            ahead_max: limits.value_bytes_max.max(64),
            depth_max: limits.depth_max,
        }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.mode == Mode::Passing
    }

    /// Reads a piece, and says how much of it. The rest wants to be seen again, with more behind it.
    pub(super) fn scan(&mut self, code: &[u8], last: bool, place: &Place, out: &mut Vec<u8>) -> usize {
        let mut piece = Piece::new(code, last, place, out);
        while piece.at < code.len() {
            let step = match self.mode {
                Mode::Code => self.code(&mut piece),
                Mode::LineComment => self.line_comment(&mut piece),
                Mode::BlockComment => self.block_comment(&mut piece),
                Mode::Text(quote) => self.text(&mut piece, quote),
                Mode::Expression { class } => self.expression(&mut piece, class),
                Mode::Template => self.template(&mut piece),
                Mode::Passing => {
                    piece.at = code.len();
                    Ok(())
                }
            };
            if step.is_err() {
                break;
            }
        }
        let end = piece.at.min(code.len());
        piece.put(end, end, "");
        end
    }

    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::new(Kind::Block));
        }
        let top = self.levels.len() - 1;
        // The line above makes sure that there is one.
        self.levels.get_mut(top).unwrap_or_else(|| unreachable!())
    }

    /// Takes a token of so many bytes.
    fn token(&mut self, piece: &mut Piece<'_>, length: usize, token: Token) {
        piece.at += length;
        (self.before_that, self.before) = (self.before, token);
        self.is_new_line = false;
        self.is_loaded = false;
    }
}
