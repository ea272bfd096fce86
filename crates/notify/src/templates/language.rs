//! What a template may contain: far less than its engine knows.
//!
//! The engine counts steps, and not what they cost. With `set`, `~`, `+`, `*` and lists within lists, a few steps make a text of any size, or a comparison
//! without end; a letter needs none of them. A template that passes here can only show what it is given, as often as its steps allow. The tokens are
//! those of the engine's own lexer, so that nothing means one thing here and another there.

use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

use super::filters::{FILTERS, TESTS};

const STATEMENTS: [&str; 6] = ["elif", "else", "endfor", "endif", "for", "if"];
/// Words that may precede a bracket without calling anything.
const WORDS: [&str; 9] = ["and", "elif", "else", "for", "if", "in", "is", "not", "or"];

/// Whether the template may be used; if not, the line, and what is wrong there. The engine reports what is no template at all.
pub(super) fn check(source: &str, syntax: SyntaxConfig) -> Result<(), (usize, String)> {
    let mut rules = Rules::default();
    for token in tokenize(source, false, syntax) {
        let Ok((token, span)) = token else { break };
        rules.take(token).map_err(|why| (usize::from(span.start_line), why))?;
    }
    Ok(())
}

/// What has been seen of one `{{ … }}` or `{% … %}`.
#[derive(Default)]
struct Rules<'a> {
    before: Option<Token<'a>>,
    /// Whether the name of a test comes next.
    is_test: bool,
    /// For each open bracket, whether it holds the arguments of a filter.
    brackets: Vec<bool>,
}

impl<'a> Rules<'a> {
    fn take(&mut self, token: Token<'a>) -> Result<(), String> {
        let before = self.before.take();
        let is_test = self.is_test && !matches!(token, Token::Ident("not"));
        self.is_test = matches!(token, Token::Ident("is")) || (self.is_test && !is_test);
        match &token {
            Token::VariableStart | Token::BlockStart => *self = Rules::default(),
            Token::Ident(word) => match before {
                Some(Token::BlockStart) => one_of(word, &STATEMENTS, "statement")?,
                Some(Token::Pipe) => one_of(word, &FILTERS, "filter")?,
                _ if is_test => one_of(word, &TESTS, "test")?,
                _ if *word == "recursive" => return Err("`recursive` is not known here".to_owned()),
                _ => {}
            },
            Token::ParenOpen => {
                let is_call = matches!(before, Some(Token::Ident(word)) if !WORDS.contains(&word));
                self.brackets.push(is_call);
            }
            Token::ParenClose => drop(self.brackets.pop()),
            Token::Comma if self.brackets.last() != Some(&true) => return Err(unknown("lists")),
            Token::BracketOpen => return Err(unknown("`[`")),
            Token::BraceOpen => return Err(unknown("`{`")),
            Token::Tilde => return Err(unknown("`~`")),
            Token::Plus => return Err(unknown("`+`")),
            Token::Mul | Token::Pow => return Err(unknown("`*`")),
            _ => {}
        }
        self.before = Some(token);
        Ok(())
    }
}

fn unknown(what: &str) -> String {
    format!("{what} cannot be used here; there are `for`, `if` and filters")
}

fn one_of(word: &str, known: &[&str], what: &str) -> Result<(), String> {
    match known.contains(&word) {
        true => Ok(()),
        false => Err(format!("there is no {what} `{word}`; there are {}", known.join(", "))),
    }
}
