//! Takes a script apart into tokens, piece by piece.
//!
//! Wherever a decision needs more bytes than there are, reading stops before the token and goes on when there are more. How
//! far ahead a decision may look is bounded, and the bound does not depend on how the script was cut into pieces.

use memchr::{memchr2, memchr3};

use crate::{Limits, Place};

use super::NAME;
use super::level::{Around, Fate, Kind, Level, Token, fate};
use super::specifier::{Literal, literal, rewritten};
use super::word::{Word, begins, goes_on};

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

/// Not enough bytes to decide.
struct More;

struct Piece<'a> {
    code: &'a [u8],
    at: usize,
    /// From here on nothing is written yet.
    from: usize,
    last: bool,
    place: &'a Place,
    out: &'a mut Vec<u8>,
}

impl<'a> Piece<'a> {
    fn rest(&self, behind: usize) -> &'a [u8] {
        self.code.get(self.at + behind..).unwrap_or_default()
    }

    fn byte(&self, behind: usize) -> Option<u8> {
        self.code.get(self.at + behind).copied()
    }

    /// A byte ahead; zero behind the end of the script.
    fn ahead(&self, behind: usize) -> Result<u8, More> {
        match self.byte(behind) {
            Some(byte) => Ok(byte),
            None if self.last => Ok(0),
            None => Err(More),
        }
    }

    /// Writes all up to a place, then something else for the bytes up to another.
    fn put(&mut self, start: usize, end: usize, text: &str) {
        self.out.extend_from_slice(self.code.get(self.from..start).unwrap_or_default());
        self.out.extend_from_slice(text.as_bytes());
        self.from = end;
    }
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
        let mut piece = Piece { code, at: 0, from: 0, last, place, out };
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

    fn code(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
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
                self.open(piece, Kind::Parenthesis { control }, Token::Opening);
                self.is_loaded = loads;
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

    fn open(&mut self, piece: &mut Piece<'_>, kind: Kind, token: Token) {
        if self.levels.len() >= self.depth_max {
            self.mode = Mode::Passing;
            return;
        }
        self.levels.push(Level::new(kind));
        self.token(piece, 1, token);
    }

    fn close(&mut self, piece: &mut Piece<'_>, byte: u8) {
        // What was never opened closes nothing.
        let closed = if self.levels.len() > 1 { self.levels.pop() } else { None };
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

    fn name_length(&self, piece: &Piece<'_>, from: usize) -> Result<usize, More> {
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

    fn word(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
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
    fn behind(&self, piece: &Piece<'_>, from: usize) -> Result<(u8, u8), More> {
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
    fn bracket(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
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
    fn quote(&mut self, piece: &mut Piece<'_>, quote: u8) -> Result<(), More> {
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

    fn ends(&mut self, piece: &mut Piece<'_>, at: usize) {
        self.mode = Mode::Code;
        self.token(piece, at, Token::Value);
    }

    fn line_comment(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
        match memchr2(b'\n', b'\r', piece.rest(0)) {
            Some(end) => {
                self.mode = Mode::Code;
                piece.at += end;
            }
            None => piece.at = piece.code.len(),
        }
        Ok(())
    }

    fn block_comment(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
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

    fn text(&mut self, piece: &mut Piece<'_>, quote: u8) -> Result<(), More> {
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

    fn expression(&mut self, piece: &mut Piece<'_>, class: bool) -> Result<(), More> {
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

    fn template(&mut self, piece: &mut Piece<'_>) -> Result<(), More> {
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
