//! `data:` URIs, which carry a document within: <https://www.rfc-editor.org/rfc/rfc2397>.

use data_encoding::{BASE64, BASE64_NOPAD};

use crate::Error;
use crate::percent::decode;
use crate::repair::{PageEncoding, safe_url};

/// What a `data:` URI carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataUri {
    /// `text/plain` where none was said.
    pub media_type: String,
    /// In the order written. Where no media type was said, `charset=US-ASCII`.
    pub parameters: Vec<(String, String)>,
    /// The document.
    pub data: Vec<u8>,
}

impl DataUri {
    /// Reads a `data:` URI. Characters that are not ASCII are taken as UTF-8.
    ///
    /// ```
    /// let uri = urlkey::data_uri::DataUri::parse("data:text/html;base64,PGI+")?;
    /// assert_eq!((uri.media_type.as_str(), uri.data.as_slice()), ("text/html", b"<b>".as_slice()));
    /// # Ok::<(), urlkey::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotADataUri`].
    pub fn parse(uri: &str) -> Result<DataUri, Error> {
        let bad = || Error::NotADataUri { uri: crate::error::excerpt(uri) };
        let safe = safe_url(uri, PageEncoding::default()).map_err(|_| bad())?;
        DataUri::parse_bytes(safe.as_bytes()).map_err(|_| bad())
    }

    /// As [`DataUri::parse`], for bytes.
    ///
    /// # Errors
    /// [`Error::NotADataUri`].
    pub fn parse_bytes(uri: &[u8]) -> Result<DataUri, Error> {
        read(uri)
            .ok_or_else(|| Error::NotADataUri { uri: crate::error::excerpt(&String::from_utf8_lossy(uri)) })
    }
}

fn read(uri: &[u8]) -> Option<DataUri> {
    let rest = crate::session::after(uri, b"data:").filter(|rest| !rest.is_empty())?;
    // Delimiters should not be escaped; where they are, they were meant as delimiters.
    let decoded = decode(rest);
    let mut rest: &[u8] = &decoded;
    let mut parameters = Vec::new();
    let media_type = match media_type(rest) {
        Some((media_type, after)) => {
            rest = after;
            media_type
        }
        None => {
            parameters.push(("charset".to_owned(), "US-ASCII".to_owned()));
            "text/plain".to_owned()
        }
    };
    while let Some((name, value, after)) = parameter(rest) {
        match parameters.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => parameters.push((name, value)),
        }
        rest = after;
    }
    let (flag, data) = crate::handy::split_at_byte(rest, b',');
    let data = data.unwrap_or_default();
    let data = match flag {
        b"" => data.to_vec(),
        b";base64" => base64(data)?,
        _ => return None,
    };
    Some(DataUri { media_type, parameters, data })
}

fn media_type(text: &[u8]) -> Option<(String, &[u8])> {
    let (kind, rest) = token(text)?;
    let (subtype, rest) = token(rest.strip_prefix(b"/")?)?;
    Some((format!("{kind}/{subtype}"), rest))
}

fn parameter(text: &[u8]) -> Option<(String, String, &[u8])> {
    let (name, rest) = token(text.strip_prefix(b";")?)?;
    let rest = rest.strip_prefix(b"=")?;
    let (value, rest) = token(rest).or_else(|| quoted(rest))?;
    Some((name, value, rest))
}

/// Letters, digits and the marks that RFC 2045 does not reserve.
fn token(text: &[u8]) -> Option<(String, &[u8])> {
    let length = text
        .iter()
        .take_while(|byte| (b'!'..0x7f).contains(byte) && !b"()<>@,;:\\\"/[]?=".contains(byte))
        .count();
    let (token, rest) = text.split_at_checked(length).filter(|(token, _)| !token.is_empty())?;
    Some((String::from_utf8_lossy(token).into_owned(), rest))
}

fn quoted(text: &[u8]) -> Option<(String, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut value = String::new();
    loop {
        rest = match rest {
            [b'"', rest @ ..] => return Some((value, rest)),
            [b'\\', next, rest @ ..] if next.is_ascii() => {
                value.push(char::from(*next));
                rest
            }
            [b'\r', ..] | [b'\\', ..] | [] => return None,
            [next, rest @ ..] if next.is_ascii() => {
                value.push(char::from(*next));
                rest
            }
            _ => return None,
        };
    }
}

/// Base64 as it is found: what is no part of it is passed over, padding may be missing altogether.
fn base64(data: &[u8]) -> Option<Vec<u8>> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let digits: Vec<u8> = data.iter().copied().filter(is_digit).collect();
    BASE64.decode(&digits).or_else(|_| BASE64_NOPAD.decode(digits.trim_ascii_end())).ok()
}
