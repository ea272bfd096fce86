//! As much JSON as a CDXJ line needs: reading members of an object without copying, and writing strings as Python does.
//!
//! Values of unknown members are checked and kept as they stand, so that nothing is lost and nothing is built in memory.

use std::borrow::Cow;

use memchr::memchr2;

use crate::Error;

/// Reads JSON from the front of a text.
#[derive(Debug, Clone)]
pub(crate) struct Scanner<'a> {
    rest: &'a str,
    length: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text, length: text.len() }
    }

    pub(crate) fn fault<T>(&self, what: &'static str) -> Result<T, Error> {
        Err(Error::BadJson { at: self.length - self.rest.len(), what })
    }

    /// The next byte that is not white space, which stays where it is.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            let first = self.rest.as_bytes().first().copied();
            match first {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.skip(1),
                _ => return first,
            }
        }
    }

    /// Takes this byte, behind white space, if it is next.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.skip(1);
        }
        is_next
    }

    /// Takes a string and gives what it means.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Error> {
        let raw = self.raw_string()?;
        if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
            return Ok(Cow::Borrowed(raw));
        }
        match unescape(raw) {
            Some(text) => Ok(Cow::Owned(text)),
            None => self.fault("an escape that JSON does not have"),
        }
    }

    /// Takes a value of any kind and gives it as it stands.
    pub(crate) fn raw_value(&mut self, depth_left: usize, depth: usize) -> Result<&'a str, Error> {
        self.peek();
        let start = self.rest;
        self.pass_value(depth_left, depth)?;
        Ok(start.get(..start.len() - self.rest.len()).unwrap_or_default())
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Takes a string and gives what stands between its quotes.
    fn raw_string(&mut self) -> Result<&'a str, Error> {
        if !self.take(b'"') {
            return self.fault("a string was expected");
        }
        let start = self.rest;
        let mut end = 0;
        loop {
            let ahead = start.as_bytes().get(end..).unwrap_or_default();
            let Some(at) = memchr2(b'"', b'\\', ahead) else { return self.fault("a string without an end") };
            end += at;
            if ahead.get(at) == Some(&b'"') {
                break;
            }
            end += 2;
        }
        // Both ends lie beside ASCII bytes, so they are boundaries of characters.
        self.rest = start.get(end + 1..).unwrap_or_default();
        Ok(start.get(..end).unwrap_or_default())
    }

    fn pass_value(&mut self, depth_left: usize, depth: usize) -> Result<(), Error> {
        match self.peek() {
            Some(b'"') => self.raw_string().map(drop),
            Some(b'{' | b'[') if depth_left == 0 => {
                Err(Error::JsonTooBig { limit: depth, what: "levels of nesting" })
            }
            Some(b'{') => self.pass_all(b'}', |scanner| {
                scanner.raw_string()?;
                if !scanner.take(b':') {
                    return scanner.fault("a colon was expected");
                }
                scanner.pass_value(depth_left - 1, depth)
            }),
            Some(b'[') => self.pass_all(b']', |scanner| scanner.pass_value(depth_left - 1, depth)),
            Some(b'-' | b'0'..=b'9') => self.pass_number(),
            _ => self.pass_word(),
        }
    }

    /// Takes the opening bracket, then what `one` takes as often as there are commas, then the closing bracket.
    fn pass_all(
        &mut self,
        close: u8,
        mut one: impl FnMut(&mut Scanner<'a>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.skip(1);
        if self.take(close) {
            return Ok(());
        }
        loop {
            one(self)?;
            if self.take(close) {
                return Ok(());
            }
            if !self.take(b',') {
                return self.fault("a comma or the end was expected");
            }
        }
    }

    fn pass_word(&mut self) -> Result<(), Error> {
        for word in ["true", "false", "null"] {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(());
            }
        }
        self.fault("a value was expected")
    }

    fn pass_number(&mut self) -> Result<(), Error> {
        if self.rest.starts_with('-') {
            self.skip(1);
        }
        let mut is_sound = self.pass_digits();
        if self.rest.starts_with('.') {
            self.skip(1);
            is_sound &= self.pass_digits();
        }
        if self.rest.starts_with(['e', 'E']) {
            self.skip(1);
            if self.rest.starts_with(['+', '-']) {
                self.skip(1);
            }
            is_sound &= self.pass_digits();
        }
        if is_sound { Ok(()) } else { self.fault("a number without digits") }
    }

    fn pass_digits(&mut self) -> bool {
        let count = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        self.skip(count);
        count > 0
    }
}

/// Undoes the escapes of a JSON string. Half a surrogate pair, which Python writes for undecodable bytes, becomes U+FFFD.
fn unescape(raw: &str) -> Option<String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        text.push_str(plain);
        let mut chars = escaped.chars();
        let character = match chars.next()? {
            letter @ ('"' | '\\' | '/') => letter,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let (character, behind) = unescape_unicode(chars.as_str())?;
                text.push(character);
                rest = behind;
                continue;
            }
            _ => return None,
        };
        text.push(character);
        rest = chars.as_str();
    }
    text.push_str(rest);
    Some(text)
}

/// The character of the four digits behind `\u`, and of a second such escape where two make one character.
fn unescape_unicode(digits: &str) -> Option<(char, &str)> {
    let (first, behind) = four_digits(digits)?;
    if !(0xd800..0xdc00).contains(&first) {
        return Some((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), behind));
    }
    let second = behind.strip_prefix("\\u").and_then(four_digits);
    match second.filter(|(low, _)| (0xdc00..0xe000).contains(low)) {
        Some((low, behind)) => {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            Some((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), behind))
        }
        None => Some((char::REPLACEMENT_CHARACTER, behind)),
    }
}

fn four_digits(text: &str) -> Option<(u32, &str)> {
    let (digits, behind) = text.split_at_checked(4)?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten().map(|code| (code, behind))
}

/// Writes a string with its quotes, in ASCII only, as Python's `json.dumps` does unless told otherwise.
pub(crate) fn write_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !is_plain(byte)) {
        let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.extend_from_slice(plain.as_bytes());
        let mut chars = behind.chars();
        if let Some(character) = chars.next() {
            write_escaped(out, character);
        }
        rest = chars.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'"');
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

fn write_escaped(out: &mut Vec<u8>, character: char) {
    let short = match character {
        '"' => b'"',
        '\\' => b'\\',
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        _ => {
            for unit in character.encode_utf16(&mut [0; 2]) {
                out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
            }
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_string(json: &str, expect: &str) {
        assert_eq!(Scanner::new(json).string().unwrap(), expect, "{json}");
    }

    #[test]
    fn escapes_are_undone() {
        check_string(r#""plain""#, "plain");
        check_string(r#""a\"b\\c\/d\n""#, "a\"b\\c/d\n");
        check_string(r#""\u00e9\ud83d\ude00""#, "é😀");
        check_string(r#""\ud83d!""#, "\u{fffd}!");
        check_string(r#""\ude00""#, "\u{fffd}");
        check_string(r#""\ud83d\u0041""#, "\u{fffd}A");
    }

    #[test]
    fn broken_values_are_refused() {
        for bad in [
            "",
            "\"",
            "\"\\",
            "\"\\x\"",
            "\"\\u12\"",
            "{",
            "[1,]",
            "{\"a\"}",
            "tru",
            "-",
            "1.",
            "1e",
            "+1",
            "[1 2]",
            "{1:2}",
            "nan",
        ] {
            let mut scanner = Scanner::new(bad);
            let value = if bad.starts_with('"') {
                scanner.string().map(drop)
            } else {
                scanner.raw_value(9, 9).map(drop)
            };
            assert!(value.is_err(), "{bad}");
        }
    }

    #[test]
    fn values_are_kept_as_they_stand() {
        for json in [
            r#"{"a": [1, -2.5e+3, {"b": null}], "c\"": "d"}"#,
            "[]",
            "{ }",
            "true",
            "0",
            "-0.1E-7",
            "\"\\u0041\"",
        ] {
            assert_eq!(Scanner::new(&format!(" {json} ,")).raw_value(9, 9).unwrap(), json);
        }
    }

    #[test]
    fn deep_nesting_is_refused() {
        let json = "[".repeat(100_000);
        assert!(matches!(Scanner::new(&json).raw_value(32, 32), Err(Error::JsonTooBig { limit: 32, .. })));
    }

    #[test]
    fn strings_are_written_as_python_writes_them() {
        let mut out = Vec::new();
        write_string(&mut out, "a\"\\\n\u{1}\u{7f}é😀/");
        assert_eq!(String::from_utf8(out).unwrap(), r#""a\"\\\n\u0001\u007f\u00e9\ud83d\ude00/""#);
    }
}
