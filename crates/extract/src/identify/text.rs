//! What kind of text a text is, where nobody says so or nobody can be believed: JSON, playlists, style sheets, scripts.
//!
//! A wrong answer sends a text to the wrong reader, so each of these wants more than one sign.

/// The type of a text by its looks; `None` for plain text.
pub(super) fn mime(start: &[u8]) -> Option<&'static str> {
    if let Some(mime) = begins_as(start) {
        return Some(mime);
    }
    let text = trim(start);
    let sample = text.get(..4096).unwrap_or(text);
    if is_script(sample) {
        return Some("text/javascript");
    }
    is_css(sample).then_some("text/css")
}

/// The type of a text that its first words tell.
pub(super) fn begins_as(start: &[u8]) -> Option<&'static str> {
    let text = trim(start);
    if text.starts_with(b"#EXTM3U") {
        return Some("application/vnd.apple.mpegurl");
    }
    if text.starts_with(b"BEGIN:VCALENDAR") {
        return Some("text/calendar");
    }
    if text.starts_with(b"BEGIN:VCARD") {
        return Some("text/vcard");
    }
    if text.starts_with(b"WEBVTT") {
        return Some("text/vtt");
    }
    is_json(text).then_some("application/json")
}

/// Without the mark and blanks that may come first.
fn trim(start: &[u8]) -> &[u8] {
    super::sniff::trim_start(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start))
}

/// Whether this is the beginning of a JSON object or array: every token up to the end of what is there must fit.
pub(super) fn is_json(text: &[u8]) -> bool {
    let text = super::sniff::trim_start(text);
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return false;
    }
    let mut rest = text.get(..64 << 10).unwrap_or(text);
    let mut open: Vec<u8> = Vec::new();
    let mut tokens = 0_u32;
    // After a value comes a comma or the end; anywhere else a value, or a key and its colon.
    let mut expects = Expects::Value;
    loop {
        rest = super::sniff::trim_start(rest);
        let Some((&byte, behind)) = rest.split_first() else { return tokens > 1 };
        tokens += 1;
        rest = behind;
        expects = match (byte, expects) {
            (b'{' | b'[', Expects::Value | Expects::ValueOrEnd) if open.len() < 512 => {
                open.push(byte);
                if byte == b'{' { Expects::KeyOrEnd } else { Expects::ValueOrEnd }
            }
            (b'}', Expects::KeyOrEnd | Expects::Comma) if open.last() == Some(&b'{') => {
                open.pop();
                Expects::Comma
            }
            (b']', Expects::ValueOrEnd | Expects::Comma) if open.last() == Some(&b'[') => {
                open.pop();
                Expects::Comma
            }
            (b'"', expects) if expects != Expects::Comma && expects != Expects::Colon => {
                let Some(behind) = behind_string(rest) else { return tokens > 1 };
                rest = behind;
                let key = matches!(expects, Expects::Key | Expects::KeyOrEnd);
                if key { Expects::Colon } else { Expects::Comma }
            }
            (b':', Expects::Colon) => Expects::Value,
            (b',', Expects::Comma) if open.last() == Some(&b'{') => Expects::Key,
            (b',', Expects::Comma) if open.last() == Some(&b'[') => Expects::Value,
            (b'-' | b'0'..=b'9' | b't' | b'f' | b'n', Expects::Value | Expects::ValueOrEnd) => {
                let Some(behind) = behind_word(byte, rest) else { return false };
                rest = behind;
                Expects::Comma
            }
            // Several values in a row are a common way to write many.
            (b'{' | b'[', Expects::Comma) if open.is_empty() => {
                open.push(byte);
                if byte == b'{' { Expects::KeyOrEnd } else { Expects::ValueOrEnd }
            }
            _ => return false,
        };
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expects {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    Comma,
}

/// What follows the string whose quote has been passed; `None` if it does not end here.
fn behind_string(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        let at = memchr::memchr2(b'"', b'\\', rest)?;
        let skip = if rest.get(at) == Some(&b'"') { 1 } else { 2 };
        rest = rest.get(at + skip..)?;
        if skip == 1 {
            return Some(rest);
        }
    }
}

/// What follows a number or a word that began with `first`; `None` if it is no word of JSON.
fn behind_word(first: u8, rest: &[u8]) -> Option<&[u8]> {
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"+-.".contains(byte));
    let (word, behind) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    let whole: &[u8] = match first {
        b't' => b"rue",
        b'f' => b"alse",
        b'n' => b"ull",
        _ => {
            return word
                .iter()
                .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
                .then_some(behind);
        }
    };
    (word == whole || end.is_none() && whole.starts_with(word)).then_some(behind)
}

/// A script says so by at least two words that prose does not have, or by how it begins.
fn is_script(sample: &[u8]) -> bool {
    let begins: [&[u8]; 9] = [
        b"\"use strict\"",
        b"'use strict'",
        b"(function",
        b"!function",
        b"(()=>",
        b"(() =>",
        b"window.",
        b"document.",
        b";(function",
    ];
    if begins.iter().any(|begin| sample.starts_with(begin)) {
        return true;
    }
    let signs: [&[u8]; 14] = [
        b"function(",
        b"function (",
        b"=>{",
        b"=> {",
        b"var ",
        b"const ",
        b"let ",
        b"===",
        b"document.",
        b"window.",
        b"return ",
        b"module.exports",
        b"});",
        b"import ",
    ];
    let count = signs.iter().filter(|sign| memchr::memmem::find(sample, sign).is_some()).count();
    let ended = memchr::memchr(b';', sample).is_some();
    count >= 3 && ended && memchr::memchr2(b'(', b'{', sample).is_some()
}

/// A style sheet has rules: something, a brace, a name, a colon, a value, and a semicolon or the closing brace.
fn is_css(sample: &[u8]) -> bool {
    let rest = sample.strip_prefix(b"@charset ").unwrap_or(sample);
    if rest.len() < sample.len() {
        return true;
    }
    let mut rules = 0;
    let mut rest = sample;
    while let Some(open) = memchr::memchr(b'{', rest) {
        let inside = rest.get(open + 1..).unwrap_or_default();
        let end = inside.iter().position(|byte| matches!(byte, b'{' | b'}')).unwrap_or(inside.len());
        let block = inside.get(..end).unwrap_or_default();
        rules += i32::from(is_declaration(super::sniff::trim_start(block)));
        rest = inside;
    }
    rules >= 2 || rules == 1 && sample.len() < 512
}

/// `name: value;`
fn is_declaration(block: &[u8]) -> bool {
    let length = block.iter().position(|byte| !byte.is_ascii_lowercase() && *byte != b'-').unwrap_or(0);
    let behind = super::sniff::trim_start(block.get(length..).unwrap_or_default());
    length > 2 && behind.first() == Some(&b':') && !behind.starts_with(b"://")
}
