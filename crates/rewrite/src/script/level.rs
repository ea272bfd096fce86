//! Brackets that are open, and what a name means inside of them.

use super::word::Word;

/// The token before, as far as it tells what comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Start,
    /// A name, number, string, template or regular expression.
    Value,
    Word(Word),
    /// `.` and `?.`.
    Dot,
    Comma,
    Semicolon,
    Colon {
        ternary: bool,
    },
    /// `{`
    Brace,
    /// `(` or `[`
    Opening,
    /// `}`
    Closed {
        block: bool,
    },
    /// `)`
    Parenthesis {
        control: bool,
    },
    /// `]`
    Bracket,
    Arrow,
    Star,
    Operator,
}

impl Token {
    /// Whether a value ends with it, so that a slash divides and a bracket takes a member.
    pub(super) fn is_value(self) -> bool {
        match self {
            Token::Value | Token::Bracket => true,
            Token::Parenthesis { control } => !control,
            Token::Closed { block } => !block,
            Token::Word(word) => {
                matches!(word, Word::Location | Word::Prefix | Word::From | Word::Of | Word::Name)
            }
            _ => false,
        }
    }
}

/// What a bracket opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Statements.
    Block,
    /// An object literal; perhaps a pattern, which only what follows it would tell.
    Object,
    /// Certainly a pattern.
    Pattern,
    /// The body of a class.
    Class,
    /// Names that are imported or exported.
    Clause,
    Parenthesis {
        control: bool,
    },
    Bracket,
    /// `${`
    Template,
}

/// A bracket that is open, and what was seen inside so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    pub(super) kind: Kind,
    /// Question marks that wait for their colon.
    pub(super) ternaries: u8,
    /// The next brace is the body of a class.
    pub(super) is_class: bool,
    /// An `import` or `export` that may have a `from`.
    pub(super) is_clause: bool,
    /// What an `import(` computes, inside of a call that leads it into the archive.
    pub(super) is_led: bool,
}

impl Level {
    pub(super) fn new(kind: Kind) -> Level {
        Level { kind, ternaries: 0, is_class: false, is_clause: false, is_led: false }
    }

    /// What a brace opens here, behind this token.
    pub(super) fn brace(&self, before: Token) -> Kind {
        if self.is_class {
            return Kind::Class;
        }
        match before {
            Token::Word(Word::Import | Word::Export) => Kind::Clause,
            Token::Comma if self.is_clause => Kind::Clause,
            Token::Word(Word::Declaration) => Kind::Pattern,
            Token::Word(Word::Operator | Word::Case | Word::Of) => Kind::Object,
            Token::Colon { ternary: false } => match self.kind {
                Kind::Pattern => Kind::Pattern,
                Kind::Object => Kind::Object,
                _ => Kind::Block,
            },
            Token::Colon { ternary: true }
            | Token::Comma
            | Token::Opening
            | Token::Operator
            | Token::Star
            | Token::Dot => Kind::Object,
            _ => Kind::Block,
        }
    }
}

/// What becomes of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Stays,
    Renamed,
    /// `{location}` becomes `{location: __varve_location}`.
    Expanded,
}

/// What surrounds a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    /// The token before, and the one before that.
    pub(super) before: Token,
    pub(super) before_that: Token,
    /// There is a line break between it and the name.
    pub(super) is_new_line: bool,
    /// The byte behind, and the next; zero at the end.
    pub(super) behind: (u8, u8),
}

/// What becomes of a name that is no member of something.
pub(super) fn fate(level: &Level, around: Around) -> Fate {
    let Around { before, before_that, is_new_line, behind } = around;
    if before == Token::Word(Word::Jump) && !is_new_line {
        return Fate::Stays;
    }
    match level.kind {
        // Every module is rewritten, so that what one exports under the new name another imports under it.
        Kind::Clause => Fate::Renamed,
        Kind::Object | Kind::Pattern => {
            let starts = |token| matches!(token, Token::Brace | Token::Comma);
            let prefixed = matches!(before, Token::Word(Word::Prefix) | Token::Star) && behind.0 == b'(';
            if starts(before) {
                key(level.kind == Kind::Pattern, behind)
            } else if prefixed && (starts(before_that) || before_that == Token::Word(Word::Prefix)) {
                Fate::Stays
            } else {
                Fate::Renamed
            }
        }
        Kind::Class if is_member_name(before, before_that, is_new_line) => Fate::Stays,
        Kind::Block if behind.0 == b':' && level.ternaries == 0 && before != Token::Word(Word::Case) => {
            Fate::Stays
        }
        _ => Fate::Renamed,
    }
}

/// A key of an object. In a pattern it may be renamed too, because every object has a member of the new name.
fn key(is_pattern: bool, behind: (u8, u8)) -> Fate {
    match behind {
        (b'(', _) => Fate::Stays,
        (b':', _) if is_pattern => Fate::Renamed,
        (b':', _) => Fate::Stays,
        (b'=', next) if next != b'=' && next != b'>' => Fate::Renamed,
        (b',' | b'}', _) if !is_pattern => Fate::Expanded,
        _ => Fate::Renamed,
    }
}

/// Whether a name directly in the body of a class is that of a member.
fn is_member_name(before: Token, before_that: Token, is_new_line: bool) -> bool {
    let starts = |token| {
        matches!(token, Token::Brace | Token::Semicolon | Token::Closed { .. } | Token::Word(Word::Prefix))
    };
    match before {
        Token::Star => starts(before_that),
        before if starts(before) => true,
        before => before.is_value() && is_new_line,
    }
}
