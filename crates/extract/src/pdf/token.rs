//! The tokens of a PDF.
//!
//! ISO 32000-1, 7.2 and 7.3. Whatever the bytes are, each call moves on, and nothing is looked at twice.

use memchr::memmem;

/// A token; strings and names are as their bytes mean, not as they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `<<`
    Open,
    /// `>>`
    Close,
    /// `[`
    ArrayOpen,
    /// `]`
    ArrayClose,
    /// `/Name`, escapes resolved.
    Name(Vec<u8>),
    /// `(text)` or `<68656c6c6f>`.
    String(Vec<u8>),
    /// A number or keyword.
    Word(&'a [u8]),
}

/// Reads tokens from bytes.
pub(super) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    string_bytes_max: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(bytes: &'a [u8], string_bytes_max: usize) -> Tokens<'a> {
        Tokens { bytes, at: 0, string_bytes_max }
    }

    /// The data of the stream whose keyword has just been read; the tokens go on behind it. `length` is what its
    /// dictionary says, which counts only if it is right.
    pub(super) fn stream(&mut self, length: Option<usize>) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let rest = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")).unwrap_or(rest);
        let from = self.bytes.len() - rest.len();
        let told = length.filter(|length| {
            let behind = rest.get(*length..).unwrap_or_default();
            behind.get(..16).unwrap_or(behind).trim_ascii_start().starts_with(b"endstream")
        });
        let found = told.or_else(|| memmem::find(rest, b"endstream"));
        let length = found.unwrap_or(rest.len());
        self.at = from + length;
        rest.get(..length).unwrap_or_default()
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// `(text)`, whose parentheses may be nested and escaped.
    fn literal(&mut self) -> Token<'a> {
        let mut text = Vec::new();
        let mut depth = 1_u32;
        let mut bytes = self.rest().iter().enumerate().peekable();
        let mut end = self.rest().len();
        while let Some((at, byte)) = bytes.next() {
            let byte = match byte {
                b'(' => {
                    depth += 1;
                    b'('
                }
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        end = at + 1;
                        break;
                    }
                    b')'
                }
                b'\\' => match bytes.next() {
                    Some((_, b'n')) => b'\n',
                    Some((_, b'r')) => b'\r',
                    Some((_, b't')) => b'\t',
                    Some((_, b'b' | b'f')) => b' ',
                    Some((_, b'\r')) => {
                        bytes.next_if(|(_, byte)| **byte == b'\n');
                        continue;
                    }
                    Some((_, b'\n')) => continue,
                    Some((_, digit @ b'0'..=b'7')) => {
                        let mut code = u32::from(digit - b'0');
                        for _ in 0..2 {
                            let next = bytes.next_if(|(_, byte)| matches!(byte, b'0'..=b'7'));
                            code = next.map_or(code, |(_, digit)| code * 8 + u32::from(digit - b'0'));
                        }
                        u8::try_from(code & 0xff).unwrap_or_default()
                    }
                    Some((_, byte)) => *byte,
                    None => break,
                },
                byte => *byte,
            };
            if text.len() < self.string_bytes_max {
                text.push(byte);
            }
        }
        self.at += end;
        Token::String(text)
    }

    /// `<68656c6c6f>`
    fn hexadecimal(&mut self) -> Token<'a> {
        let rest = self.rest();
        let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        let inside = rest.get(..end).unwrap_or_default();
        self.at += (end + 1).min(rest.len());
        let mut digits =
            inside.iter().filter_map(|byte| char::from(*byte).to_digit(16)).take(2 * self.string_bytes_max);
        let mut text = Vec::new();
        while let Some(high) = digits.next() {
            let low = digits.next().unwrap_or(0);
            text.push(u8::try_from(high << 4 | low).unwrap_or_default());
        }
        Token::String(text)
    }

    /// `/Name`, where `#41` is `A`.
    fn name(&mut self) -> Token<'a> {
        let rest = self.rest();
        let end = rest.iter().position(|byte| !is_regular(*byte)).unwrap_or(rest.len());
        self.at += end;
        let raw = rest.get(..end.min(NAME_BYTES_MAX)).unwrap_or_default();
        let mut name = Vec::with_capacity(raw.len());
        let mut bytes = raw.iter();
        while let Some(byte) = bytes.next() {
            let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
            let ahead = bytes.as_slice();
            match (byte, digit(ahead.first()), digit(ahead.get(1))) {
                (b'#', Some(high), Some(low)) => {
                    name.push(u8::try_from(high << 4 | low).unwrap_or_default());
                    bytes.nth(1);
                }
                _ => name.push(*byte),
            }
        }
        Token::Name(name)
    }
}

const NAME_BYTES_MAX: usize = 128;

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = self.rest();
            let (byte, behind) = rest.split_first()?;
            self.at += 1;
            return Some(match byte {
                b'%' => {
                    self.at +=
                        behind.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(behind.len());
                    continue;
                }
                b'<' if behind.first() == Some(&b'<') => {
                    self.at += 1;
                    Token::Open
                }
                b'<' => self.hexadecimal(),
                b'>' if behind.first() == Some(&b'>') => {
                    self.at += 1;
                    Token::Close
                }
                b'(' => self.literal(),
                b'/' => self.name(),
                b'[' => Token::ArrayOpen,
                b']' => Token::ArrayClose,
                byte if is_regular(*byte) => {
                    let end = rest.iter().position(|byte| !is_regular(*byte)).unwrap_or(rest.len());
                    self.at += end - 1;
                    Token::Word(rest.get(..end).unwrap_or_default())
                }
                _ => continue,
            });
        }
    }
}

/// Neither blank nor delimiter.
fn is_regular(byte: u8) -> bool {
    !matches!(
        byte,
        0 | b'\t'
            | b'\n'
            | b'\x0c'
            | b'\r'
            | b' '
            | b'('
            | b')'
            | b'<'
            | b'>'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'/'
            | b'%'
    )
}
