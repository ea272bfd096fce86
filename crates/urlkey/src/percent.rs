//! Percent-encoding, on bytes: `%41` to `A` and back.
//!
//! Nothing here fails or assumes UTF-8. What needs no change is handed back as it came, without a copy.

use std::borrow::Cow;

/// Decodes every `%` followed by two hexadecimal digits, once. Other `%` stay.
pub fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        match (*first, after) {
            (b'%', [high, low, tail @ ..]) if let (Some(high), Some(low)) = (hex(*high), hex(*low)) => {
                decoded.push(high << 4 | low);
                rest = tail;
            }
            _ => {
                decoded.push(*first);
                rest = after;
            }
        }
    }
    Cow::Owned(decoded)
}

/// Decodes again and again until nothing is left to decode: `%252525` is `%`.
///
/// One pass does it: whenever the end of the output has become an escape, it is folded at once. So a text made to be
/// decoded a million times takes no longer than any other.
pub fn decode_repeatedly(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'%', bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut decoded: Vec<u8> = Vec::with_capacity(bytes.len());
    for byte in bytes {
        decoded.push(*byte);
        while let [.., b'%', high, low] = decoded.as_slice()
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            decoded.truncate(decoded.len() - 3);
            decoded.push(high << 4 | low);
        }
    }
    Cow::Owned(decoded)
}

/// Decodes once, but only escapes that together make whole UTF-8 characters: `%E2%9A%91` is `⚑`, `%E2%9A` stays.
pub fn decode_utf8(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    let mut run = Vec::new();
    let mut rest = text;
    loop {
        let escape = match rest.as_bytes() {
            [b'%', high, low, ..] => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        if let Some(byte) = escape {
            run.push(byte);
            rest = rest.get(3..).unwrap_or_default();
            continue;
        }
        push_utf8_or_escapes(&mut decoded, &run);
        run.clear();
        let mut chars = rest.chars();
        match chars.next() {
            Some(char) => decoded.push(char),
            None => return Cow::Owned(decoded),
        }
        rest = chars.as_str();
    }
}

/// Decodes `+` as a blank and escapes once, as in the body of a form.
pub fn decode_form(bytes: &[u8]) -> Vec<u8> {
    let blanks: Vec<u8> = bytes.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    decode(&blanks).into_owned()
}

/// Escapes, with capital letters, every byte for which the test is true.
pub fn encode(bytes: &[u8], must_escape: impl Fn(u8) -> bool) -> Cow<'_, [u8]> {
    if !bytes.iter().any(|byte| must_escape(*byte)) {
        return Cow::Borrowed(bytes);
    }
    let mut encoded = Vec::with_capacity(bytes.len() + 16);
    for byte in bytes {
        if must_escape(*byte) {
            push_escape(&mut encoded, *byte);
        } else {
            encoded.push(*byte);
        }
    }
    Cow::Owned(encoded)
}

/// Encodes as `application/x-www-form-urlencoded` does in Python and in forms: letters, digits and `-._~` stay, a
/// blank becomes `+`, all else is escaped.
pub fn encode_form(bytes: &[u8]) -> String {
    let mut encoded = Vec::with_capacity(bytes.len() + 16);
    for byte in bytes {
        match byte {
            b' ' => encoded.push(b'+'),
            byte if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) => encoded.push(*byte),
            byte => push_escape(&mut encoded, *byte),
        }
    }
    into_text(encoded)
}

/// Escapes controls, blank, `#`, `%` and whatever is not ASCII: the least that makes a line of text out of bytes.
/// The rule of Google's safe browsing, which the Internet Archive took over.
pub fn encode_least(bytes: &[u8]) -> Cow<'_, [u8]> {
    encode(bytes, is_unprintable)
}

pub(crate) fn is_unprintable(byte: u8) -> bool {
    byte <= b' ' || byte >= 0x7f || byte == b'#' || byte == b'%'
}

/// Bytes that are known to be ASCII, or at worst were not: then the odd ones out become U+FFFD.
pub(crate) fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

pub(crate) fn push_escape(out: &mut Vec<u8>, byte: u8) {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'A' + value - 10 };
    out.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte & 15)]);
}

pub(crate) fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

fn push_utf8_or_escapes(out: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let mut escape = Vec::with_capacity(3);
            push_escape(&mut escape, *byte);
            out.push_str(&into_text(escape));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_repeatedly_reaches_the_bottom() {
        for (text, expect) in [
            ("%", "%"),
            ("%2", "%2"),
            ("%252525", "%"),
            ("%25%32%35", "%"),
            ("%%36%31", "a"),
            ("%%300", "\0"),
        ] {
            assert_eq!(decode_repeatedly(text.as_bytes()), expect.as_bytes(), "{text}");
        }
    }

    #[test]
    fn a_million_layers_take_one_pass() {
        let text = "%".to_owned() + &"25".repeat(1_000_000);
        assert_eq!(decode_repeatedly(text.as_bytes()).as_ref(), b"%");
    }

    #[test]
    fn only_whole_characters_are_decoded_as_utf8() {
        assert_eq!(decode_utf8("%E2%9A%91%E2%9A%21é%"), "⚑%E2%9A!é%");
    }
}
