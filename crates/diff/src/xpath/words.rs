//! Cuts an expression into words.

/// A word, and where it begins, in characters.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub(super) at: usize,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A name with or without a prefix; also `f:*` and `*:a`.
    Name(String),
    Text(String),
    Number(f64),
    Sign(&'static str),
    End,
}

/// Signs, longer ones first.
const SIGNS: [&str; 29] = [
    "//", "::", "!=", "<=", ">=", "<<", ">>", "||", ":=", "..", "/", "(", ")", "[", "]", "@", ",", "|", "+",
    "-", "=", "<", ">", "*", "$", ".", "!", "?", "#",
];

/// What is wrong, and where.
pub(super) type Fault = (usize, String);

pub(super) fn words(source: &str) -> Result<Vec<Word>, Fault> {
    let mut words = Vec::new();
    let (mut rest, mut at) = (source, 0);
    loop {
        let trimmed = rest.trim_start();
        at += rest.chars().count() - trimmed.chars().count();
        rest = trimmed;
        let Some(first) = rest.chars().next() else { break };
        let (kind, length) = if first == '"' || first == '\'' {
            text(rest, first).ok_or((at, "this text does not end".to_owned()))?
        } else if first.is_ascii_digit()
            || (first == '.' && rest.chars().nth(1).is_some_and(|next| next.is_ascii_digit()))
        {
            number(rest).ok_or((at, "this is no number".to_owned()))?
        } else if is_start(first) || rest.starts_with("*:") {
            name(rest)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            return Err((at, format!("`{first}` means nothing here")));
        };
        words.push(Word { at, kind });
        let (done, left) = rest.split_at_checked(length).unwrap_or((rest, ""));
        at += done.chars().count();
        rest = left;
    }
    words.push(Word { at, kind: Kind::End });
    Ok(words)
}

/// A text in quotes; a quote in it is written twice.
fn text(rest: &str, quote: char) -> Option<(Kind, usize)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, char)) = chars.next() {
        if char != quote {
            text.push(char);
        } else if chars.next_if(|(_, next)| *next == quote).is_some() {
            text.push(quote);
        } else {
            return Some((Kind::Text(text), at + 1));
        }
    }
    None
}

fn number(rest: &str) -> Option<(Kind, usize)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(rest);
    if rest.get(length..)?.starts_with('.') {
        length += 1 + digits(rest.get(length + 1..)?);
    }
    let exponent = rest.get(length..)?;
    if exponent.starts_with(['e', 'E']) {
        let sign = usize::from(exponent.get(1..)?.starts_with(['+', '-']));
        let count = digits(exponent.get(1 + sign..)?);
        if count > 0 {
            length += 1 + sign + count;
        }
    }
    Some((Kind::Number(rest.get(..length)?.parse().ok()?), length))
}

fn is_start(char: char) -> bool {
    char.is_alphabetic() || char == '_'
}

fn name(rest: &str) -> (Kind, usize) {
    let part = |text: &str| -> usize {
        let is_in = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
        text.find(|char| !is_in(char)).unwrap_or(text.len())
    };
    let mut length = if rest.starts_with('*') { 1 } else { part(rest) };
    // A prefix, but no axis: that has two colons.
    let after = rest.get(length..).unwrap_or_default();
    if let Some(local) = after.strip_prefix(':')
        && !local.starts_with([':', '='])
    {
        if local.starts_with('*') {
            length += 2;
        } else if local.starts_with(is_start) {
            length += 1 + part(local);
        }
    }
    (Kind::Name(rest.get(..length).unwrap_or_default().to_owned()), length)
}
