//! Code between strings and comments: blanks, numbers, brackets and signs, each taken for the token it is.

use super::piece::{More, Piece};
use super::{Mode, State};
use crate::script::IMPORTED;
use crate::script::level::{Kind, Level, Token};
use crate::script::word::{Word, begins};

impl State {
    pub(super) fn code(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let Some(byte) = piece.byte(0) else { return Err(More) };
        match byte {
            b'\n' | b'\r' => {
                self.is_new_line = true;
                piece.at += 1;
            }
            b' ' | b'\t' | 0x0b | 0x0c => piece.at += 1,
            b'"' | b'\'' => return self.quote(piece, byte),
            b'`' => {
                self.mode = Mode::Template;
                piece.at += 1;
            }
            b'/' => return self.slash(piece),
            b'0'..=b'9' => return self.number(piece),
            _ if begins(byte) => return self.word(piece),
            _ => return self.punctuation(piece, byte),
        }
        Ok(())
    }

    fn punctuation(&mut self, piece: &mut Piece<'_>, byte: u8) -> Result<(), More> {
        match byte {
            b'{' => {
                let before = self.before;
                let kind = self.level().brace(before);
                self.level().is_class = false;
                self.open(piece, kind, Token::Brace);
            }
            b'(' => {
                let control = self.before == Token::Word(Word::Control);
                let loads = self.before == Token::Word(Word::Import);
                let leads = loads && self.is_computed(piece)?;
                self.open(piece, Kind::Parenthesis { control }, Token::Opening);
                self.is_loaded = loads;
                if leads && self.mode == Mode::Code {
                    piece.put(piece.at, piece.at, IMPORTED);
                    self.level().is_led = true;
                }
            }
            b'[' => return self.bracket(piece),
            b'}' | b')' | b']' => self.close(piece, byte),
            b',' => {
                if matches!(self.level().kind, Kind::Object | Kind::Pattern) {
                    self.level().ternaries = 0;
                }
                self.token(piece, 1, Token::Comma);
            }
            b';' => {
                let level = self.level();
                (level.ternaries, level.is_class, level.is_clause) = (0, false, false);
                self.token(piece, 1, Token::Semicolon);
            }
            b':' => {
                let level = self.level();
                let ternary = level.ternaries > 0;
                level.ternaries = level.ternaries.saturating_sub(1);
                self.token(piece, 1, Token::Colon { ternary });
            }
            b'?' => return self.question(piece),
            b'.' => return self.dot(piece),
            b'=' if piece.ahead(1)? == b'>' => self.token(piece, 2, Token::Arrow),
            b'*' => self.token(piece, 1, Token::Star),
            b'+' | b'-' if piece.ahead(1)? == byte => return self.twice(piece, byte),
            b'<' if !self.is_module && piece.ahead(1)? == b'!' => return self.old_comment(piece, b"<!--"),
            b'#' if self.before == Token::Start && piece.ahead(1)? == b'!' => self.mode = Mode::LineComment,
            // A private name is a name of its own.
            b'#' if begins(piece.ahead(1)?) => {
                let length = self.name_length(piece, 1)?;
                self.token(piece, length + 1, Token::Value);
            }
            _ => self.token(piece, 1, Token::Operator),
        }
        Ok(())
    }

    pub(super) fn open(&mut self, piece: &mut Piece<'_>, kind: Kind, token: Token) {
        if self.levels.len() >= self.depth_max {
            self.mode = Mode::Passing;
            return;
        }
        self.levels.push(Level::new(kind));
        self.token(piece, 1, token);
    }

    /// Whether what an `import(` loads is computed. A method of that name loads nothing, and has a body.
    fn is_computed(&self, piece: &Piece<'_>) -> Result<bool, More> {
        let (first, _) = self.behind(piece, 1)?;
        if matches!(first, b'"' | b'\'' | b')' | 0) {
            return Ok(false);
        }
        let (mut end, mut depth) = (1, 1);
        while depth > 0 && end < self.ahead_max {
            match piece.ahead(end)? {
                b'(' => depth += 1,
                b')' => depth -= 1,
                0 => break,
                _ => {}
            }
            end += 1;
        }
        Ok(self.behind(piece, end)?.0 != b'{')
    }

    fn close(&mut self, piece: &mut Piece<'_>, byte: u8) {
        // What was never opened closes nothing.
        let closed = if self.levels.len() > 1 { self.levels.pop() } else { None };
        if closed.is_some_and(|level| level.is_led) {
            piece.put(piece.at, piece.at, ")");
        }
        let kind = closed.map_or(Kind::Block, |level| level.kind);
        if kind == Kind::Template && byte == b'}' {
            self.mode = Mode::Template;
            piece.at += 1;
            return;
        }
        let token = match (byte, kind) {
            (b'}', kind) => Token::Closed { block: matches!(kind, Kind::Block | Kind::Class | Kind::Clause) },
            (b')', Kind::Parenthesis { control }) => Token::Parenthesis { control },
            (b')', _) => Token::Parenthesis { control: false },
            _ => Token::Bracket,
        };
        self.token(piece, 1, token);
    }

    fn question(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        match piece.ahead(1)? {
            b'.' if !piece.ahead(2)?.is_ascii_digit() => self.token(piece, 2, Token::Dot),
            b'?' => self.token(piece, 2, Token::Operator),
            _ => {
                let level = self.level();
                level.ternaries = level.ternaries.saturating_add(1);
                self.token(piece, 1, Token::Operator);
            }
        }
        Ok(())
    }

    fn dot(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        match piece.ahead(1)? {
            b'.' if piece.ahead(2)? == b'.' => self.token(piece, 3, Token::Operator),
            b'0'..=b'9' if !self.before.is_value() => return self.number(piece),
            _ => {
                if self.before == Token::Word(Word::Import) {
                    self.level().is_clause = false;
                }
                self.token(piece, 1, Token::Dot);
            }
        }
        Ok(())
    }

    /// `++` and `--`, which leave a value one; and `-->`, which was once the end of a comment.
    fn twice(&mut self, piece: &mut Piece<'_>, byte: u8) -> Result<(), More> {
        if byte == b'-' && self.is_new_line && !self.is_module && piece.ahead(2)? == b'>' {
            self.mode = Mode::LineComment;
            return Ok(());
        }
        let token = if self.before.is_value() && !self.is_new_line { Token::Value } else { Token::Operator };
        self.token(piece, 2, token);
        Ok(())
    }

    /// `<!--`, which browsers still take for a comment of one line.
    fn old_comment(&mut self, piece: &mut Piece<'_>, mark: &[u8]) -> Result<(), More> {
        for (behind, byte) in mark.iter().enumerate() {
            if piece.ahead(behind)? != *byte {
                self.token(piece, 1, Token::Operator);
                return Ok(());
            }
        }
        self.mode = Mode::LineComment;
        Ok(())
    }

    fn slash(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        match piece.ahead(1)? {
            b'/' => self.mode = Mode::LineComment,
            b'*' => {
                self.mode = Mode::BlockComment;
                piece.at += 2;
            }
            _ if self.before.is_value() => self.token(piece, 1, Token::Operator),
            _ => {
                self.mode = Mode::Expression { class: false };
                piece.at += 1;
            }
        }
        Ok(())
    }

    fn number(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        let digits = |from: usize| {
            let rest = piece.rest(from);
            rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
        };
        let mut length = digits(0);
        if piece.byte(length) == Some(b'.') {
            length += 1 + digits(length + 1);
        }
        // Numbers that are longer than any are taken as far as they are looked at.
        if length < self.ahead_max {
            piece.ahead(length)?;
        }
        self.token(piece, length.min(self.ahead_max), Token::Value);
        Ok(())
    }
}
