//! The words of the language that tell what follows them.

/// A word, by what it means to the tokens behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// The name we look for.
    Location,
    /// `return`, `typeof` and others behind which an expression begins.
    Operator,
    /// `case`, behind which one begins that ends with a colon.
    Case,
    /// `if` and others, behind whose parentheses a statement begins.
    Control,
    /// `else` and others, behind which a block begins.
    Block,
    /// `const`, `let`, `var`.
    Declaration,
    /// `break` and `continue`, behind which a label stands.
    Jump,
    /// `class`.
    Class,
    /// `function`.
    Function,
    /// `get`, `set`, `static`, `async`: before the name of a method, or names themselves.
    Prefix,
    /// `import`.
    Import,
    /// `export`.
    Export,
    /// `from`.
    From,
    /// `of`.
    Of,
    /// Any other name, and words that are values.
    Name,
}

impl Word {
    pub(super) fn of(word: &[u8]) -> Word {
        match word {
            b"location" => Word::Location,
            b"return" | b"typeof" | b"instanceof" | b"in" | b"new" | b"delete" | b"void" | b"throw"
            | b"yield" | b"await" | b"default" | b"extends" => Word::Operator,
            b"case" => Word::Case,
            b"if" | b"while" | b"for" | b"with" | b"switch" | b"catch" => Word::Control,
            b"else" | b"do" | b"try" | b"finally" => Word::Block,
            b"const" | b"let" | b"var" => Word::Declaration,
            b"break" | b"continue" => Word::Jump,
            b"class" => Word::Class,
            b"function" => Word::Function,
            b"get" | b"set" | b"static" | b"async" | b"accessor" => Word::Prefix,
            b"import" => Word::Import,
            b"export" => Word::Export,
            b"from" => Word::From,
            b"of" => Word::Of,
            _ if word.contains(&b'\\') && is_location(word) => Word::Location,
            _ => Word::Name,
        }
    }
}

/// Whether a name with escapes in it, such as `loc\u0061tion`, is the one.
fn is_location(word: &[u8]) -> bool {
    let Ok(word) = std::str::from_utf8(word) else { return false };
    let mut pieces = word.split("\\u");
    let mut name = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (digits, rest) = match piece.strip_prefix('{').and_then(|piece| piece.split_once('}')) {
            Some(parts) => parts,
            None => piece.split_at_checked(4).unwrap_or((piece, "")),
        };
        let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        name.extend(character);
        name.push_str(rest);
    }
    name == "location"
}

/// Bytes that names begin with.
pub(super) fn begins(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'\\' | 0x80..)
}

/// Bytes that names go on with. Braces of an escape are seen to by whoever reads the name.
pub(super) fn goes_on(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'\\' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_escapes_are_read() {
        assert_eq!(Word::of(b"loc\\u0061tion"), Word::Location);
        assert_eq!(Word::of(b"\\u{6c}ocation"), Word::Location);
        assert_eq!(Word::of(b"loc\\u0062tion"), Word::Name);
        assert_eq!(Word::of(b"location\\u"), Word::Location);
    }
}
