//! From bytes to text: UTF-8, or UTF-16 with a mark in front, as spreadsheets save it.

use std::borrow::Cow;

use crate::{Error, Limits, Place};

/// The text of a list. A mark of the encoding in front is taken off.
///
/// # Errors
/// If it is too large or no text; the message names line and column.
pub fn decode<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Cow<'a, str>, Error> {
    bounded(bytes.len(), limits)?;
    if bytes.starts_with(b"PK\x03\x04") {
        return Err(Error::syntax(
            Place::of_byte("", 0),
            "this is a ZIP file: unpack it, and give the files that were in it",
        ));
    }
    let wide = match bytes {
        [0xff, 0xfe, rest @ ..] => Some((rest, u16::from_le_bytes as fn([u8; 2]) -> u16)),
        [0xfe, 0xff, rest @ ..] => Some((rest, u16::from_be_bytes as fn([u8; 2]) -> u16)),
        _ => None,
    };
    let text = match wide {
        Some((rest, unit)) => Cow::Owned(utf16(rest, unit)?),
        None => match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)),
            Err(error) => {
                let good =
                    str::from_utf8(bytes.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default();
                return Err(Error::syntax(Place::of_byte(good, good.len()), "this is not UTF-8"));
            }
        },
    };
    sound(&text)?;
    Ok(text)
}

/// Looks at a text that somebody has decoded already.
pub(crate) fn check<'a>(text: &'a str, limits: &Limits) -> Result<&'a str, Error> {
    bounded(text.len(), limits)?;
    sound(text)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn bounded(bytes: usize, limits: &Limits) -> Result<(), Error> {
    if bytes > limits.bytes_max { Err(Error::TooLarge { bytes, max: limits.bytes_max }) } else { Ok(()) }
}

fn sound(text: &str) -> Result<(), Error> {
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => Err(Error::syntax(Place::of_byte(text, at), "a NUL byte: this is no text")),
        None => Ok(()),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Error> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    for char in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match char {
            Ok(char) => text.push(char),
            Err(_) => return Err(Error::syntax(Place::of_byte(&text, text.len()), "this is not UTF-16")),
        }
    }
    if !rest.is_empty() {
        return Err(Error::syntax(
            Place::of_byte(&text, text.len()),
            "this is not UTF-16: half a character is left",
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], text: &str) {
        assert_eq!(decode(bytes, &Limits::default()).unwrap(), text);
    }

    #[track_caller]
    fn fault(bytes: &[u8], told: &str) {
        assert_eq!(decode(bytes, &Limits::default()).unwrap_err().to_string(), told);
    }

    #[test]
    fn marks_are_taken_off() {
        check(b"a", "a");
        check(b"\xef\xbb\xbfa", "a");
        check(b"\xff\xfea\0\xe9\0", "aé");
        check(b"\xfe\xff\0a", "a");
    }

    #[test]
    fn what_is_no_text_is_told_with_its_place() {
        fault(b"ab\nc\xe9d", "line 2, column 2: this is not UTF-8");
        fault(b"a\0", "line 1, column 2: a NUL byte: this is no text");
        fault(b"\xff\xfea\0b", "line 1, column 2: this is not UTF-16: half a character is left");
        fault(b"\xff\xfe\x00\xd8", "line 1, column 1: this is not UTF-16");
        let limits = Limits { bytes_max: 3, ..Limits::default() };
        assert_eq!(decode(b"abcd", &limits), Err(Error::TooLarge { bytes: 4, max: 3 }));
    }
}
