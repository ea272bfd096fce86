//! Finds the string literals of a script.

use memchr::{memchr, memchr3, memmem};

use super::class;

/// A string without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Literal<'a> {
    pub(super) raw: &'a str,
    /// Whether it holds backslashes.
    pub(super) escaped: bool,
    /// Whether it holds a slash or a point, without which it is no address, or may do so once its escapes are resolved.
    pub(super) promising: bool,
}

/// The strings of a script, one after another.
pub(super) struct Scanner<'a> {
    js: &'a str,
    /// It is what a string holds: markup as often as script, so that a slash or brace means nothing.
    nested: bool,
    at: usize,
    /// Braces opened in each `${` that is open.
    holes: Vec<u32>,
    /// Up to here it is known that no string ends that begins with `"`, `'`, or an escaped quote, and no regular
    /// expression: each unsuccessful search would otherwise be made again from the next quote or slash.
    fruitless: [usize; 4],
}

/// Templates in templates that are followed; deeper ones are passed over.
const HOLES_MAX: usize = 64;
/// A quote that is escaped belongs to a string in a string; the other one is looked for so far.
const ESCAPED_BYTES_MAX: usize = 8 << 10;
/// A regular expression longer than this is a division.
const PATTERN_BYTES_MAX: usize = 4 << 10;

impl<'a> Scanner<'a> {
    pub(super) fn new(js: &'a str, nested: bool) -> Scanner<'a> {
        Scanner { js, nested, at: 0, holes: Vec::new(), fruitless: [0; 4] }
    }

    fn rest(&self) -> &'a [u8] {
        self.js.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.js.get(from..to).unwrap_or_default()
    }

    /// The string whose quote has just been passed.
    fn string(&mut self, quote: u8) -> Option<Literal<'a>> {
        let from = self.at;
        let guard = usize::from(quote == b'\'');
        if self.fruitless.get(guard).is_some_and(|until| from < *until) {
            return None;
        }
        // Strings are many and short: one look at each byte tells where it ends and whether it is worth another.
        let ends = class::of(quote) | class::BACKSLASH | class::NEWLINE;
        let (mut end, mut seen, mut escaped) = (from, 0, false);
        loop {
            let rest = self.js.as_bytes().get(end..).unwrap_or_default();
            let stop = rest.iter().position(|byte| {
                let class = class::of(*byte);
                seen |= class;
                class & ends != 0
            });
            end += stop.unwrap_or(rest.len());
            match stop.and_then(|stop| rest.get(stop)) {
                Some(b'\\') => {
                    escaped = true;
                    end += 2;
                }
                Some(byte) if *byte == quote => {
                    self.at = end + 1;
                    let promising = escaped || seen & class::PROMISE != 0;
                    return Some(Literal { raw: self.slice(from, end), escaped, promising });
                }
                // The line ends before the string: the quote was an apostrophe.
                _ => {
                    if let Some(guard) = self.fruitless.get_mut(guard) {
                        *guard = end;
                    }
                    return None;
                }
            }
        }
    }

    /// The rest of a template, whose backtick or hole has just been passed. Only one without holes is a string.
    fn template(&mut self, whole: bool) -> Option<Literal<'a>> {
        let from = self.at;
        let mut escaped = false;
        loop {
            let rest = self.rest();
            let Some(found) = memchr3(b'`', b'\\', b'$', rest) else {
                self.at = self.js.len();
                return None;
            };
            let here = self.at + found;
            match rest.get(found..) {
                Some([b'\\', ..]) => {
                    escaped = true;
                    self.at = here + 2;
                }
                Some([b'$', b'{', ..]) => {
                    self.at = here + 2;
                    if self.holes.len() < HOLES_MAX {
                        self.holes.push(0);
                    }
                    return None;
                }
                Some([b'`', ..]) => {
                    self.at = here + 1;
                    return whole.then(|| Literal { raw: self.slice(from, here), escaped, promising: true });
                }
                _ => self.at = here + 1,
            }
        }
    }

    /// A slash: a comment, a regular expression, or a division.
    fn slash(&mut self, here: usize) {
        match self.rest().first() {
            Some(b'/') => self.at += memchr(b'\n', self.rest()).unwrap_or(self.rest().len()),
            Some(b'*') => {
                let length = memmem::find(self.rest(), b"*/").map_or(self.rest().len(), |end| end + 2);
                self.at += length;
            }
            _ if self.pattern_may_begin(here) => self.pattern(),
            _ => {}
        }
    }

    /// Whether what stands before a slash asks for a value rather than for an operator.
    fn pattern_may_begin(&self, here: usize) -> bool {
        let before = self.js.as_bytes().get(..here).unwrap_or_default();
        // Enough to look over the blanks of an indented line.
        let mut back = before.iter().rev().take(64).skip_while(|byte| byte.is_ascii_whitespace()).peekable();
        match back.peek() {
            None => true,
            Some(b')' | b']' | b'"' | b'\'' | b'`') => false,
            Some(byte) if is_word(**byte) => {
                let word: Vec<u8> = back.take(11).take_while(|byte| is_word(**byte)).copied().collect();
                KEYWORDS.iter().any(|keyword| keyword.bytes().rev().eq(word.iter().copied()))
            }
            Some(_) => true,
        }
    }

    /// Passes over a regular expression, if it ends on its line.
    fn pattern(&mut self) {
        if self.fruitless.get(3).is_some_and(|until| self.at < *until) {
            return;
        }
        let mut class = false;
        let rest = self.rest();
        let rest = rest.get(..PATTERN_BYTES_MAX).unwrap_or(rest);
        let mut bytes = rest.iter().enumerate();
        let mut end = rest.len();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'\\' => drop(bytes.next()),
                b'\n' => {
                    end = at;
                    break;
                }
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    self.at += at + 1;
                    return;
                }
                _ => {}
            }
        }
        if let Some(guard) = self.fruitless.get_mut(3) {
            *guard = self.at + end;
        }
    }

    /// An escape outside of any string: this script was a string itself. What its quotes enclose is one in it.
    fn escape(&mut self, here: usize) -> Option<Literal<'a>> {
        let rest = self.js.as_bytes().get(here..).unwrap_or_default();
        let quote = ESCAPED_QUOTES.iter().find(|quote| rest.starts_with(quote));
        let Some(quote) = quote else {
            self.at = here + 2;
            return None;
        };
        let from = here + quote.len();
        self.at = from;
        if self.fruitless.get(2).is_some_and(|until| from < *until) {
            return None;
        }
        let inside = self.js.as_bytes().get(from..).unwrap_or_default();
        let inside = inside.get(..ESCAPED_BYTES_MAX).unwrap_or(inside);
        match memmem::find(inside, quote) {
            Some(length) => {
                self.at = from + length + quote.len();
                let raw = self.slice(from, from + length);
                Some(Literal { raw, escaped: raw.contains('\\'), promising: true })
            }
            None => {
                if let Some(guard) = self.fruitless.get_mut(2) {
                    *guard = from + inside.len();
                }
                None
            }
        }
    }

    /// A closing brace: perhaps of a hole, behind which its template goes on.
    fn close(&mut self) {
        match self.holes.last_mut() {
            Some(0) => {
                self.holes.pop();
                self.template(false);
            }
            Some(open) => *open -= 1,
            None => {}
        }
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = Literal<'a>;

    fn next(&mut self) -> Option<Literal<'a>> {
        loop {
            let rest = self.rest();
            let found = if self.nested {
                memchr3(b'"', b'\'', b'\\', rest)?
            } else {
                // Braces only matter where one of them may close a hole.
                let wanted = if self.holes.is_empty() { class::CODE } else { class::CODE | class::BRACE };
                rest.iter().position(|byte| class::of(*byte) & wanted != 0)?
            };
            let here = self.at + found;
            let byte = rest.get(found).copied()?;
            self.at = here + 1;
            let literal = match byte {
                b'"' | b'\'' => self.string(byte),
                b'\\' => self.escape(here),
                _ if self.nested => None,
                b'`' => self.template(true),
                b'/' => {
                    self.slash(here);
                    None
                }
                b'}' => {
                    self.close();
                    None
                }
                _ => {
                    if let Some(open) = self.holes.last_mut() {
                        *open += 1;
                    }
                    None
                }
            };
            if literal.is_some() {
                return literal;
            }
        }
    }
}

/// Behind these a slash begins a regular expression.
const KEYWORDS: [&str; 12] =
    ["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "do", "else", "instanceof"];

const ESCAPED_QUOTES: [&[u8]; 6] = [b"\\\"", b"\\'", b"\\u0022", b"\\u0027", b"\\x22", b"\\x27"];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}
