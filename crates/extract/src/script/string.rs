//! Escapes in strings of JavaScript and JSON.

use std::borrow::Cow;

/// Resolves `\/`, `\n`, `\x2f`, `\u002f`, `\u{2f}` and continued lines. What is no escape stands for itself.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', text.as_bytes()) else { return text.into() };
    let mut clear = String::with_capacity(text.len());
    let (before, mut rest) = text.split_at_checked(first).unwrap_or((text, ""));
    clear.push_str(before);
    while let Some(behind) = rest.strip_prefix('\\') {
        let mut chars = behind.chars();
        let kind = chars.next();
        let after = chars.as_str();
        rest = match kind {
            Some('u') => code_unit(after, &mut clear),
            Some('x') => hex(after, 2, &mut clear),
            Some(char) => {
                match char {
                    'n' => clear.push('\n'),
                    't' => clear.push('\t'),
                    'r' => clear.push('\r'),
                    'b' | 'f' | 'v' | '0' => clear.push(' '),
                    '\n' | '\r' => {}
                    char => clear.push(char),
                }
                after
            }
            None => "",
        };
        let plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        let (before, behind) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        clear.push_str(before);
        rest = behind;
    }
    clear.into()
}

/// What follows `\u`: four digits, perhaps a second half, or braces.
fn code_unit<'a>(after: &'a str, clear: &mut String) -> &'a str {
    if let Some((digits, rest)) = after.strip_prefix('{').and_then(in_braces) {
        let code = u32::from_str_radix(digits, 16).ok();
        clear.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
        return rest;
    }
    let Some((high, rest)) = digits(after, 4) else {
        clear.push('u');
        return after;
    };
    if let Some(char) = char::from_u32(high) {
        clear.push(char);
        return rest;
    }
    let low = rest.strip_prefix("\\u").and_then(|low| digits(low, 4));
    if let (0xd800..=0xdbff, Some((low @ 0xdc00..=0xdfff, rest))) = (high, low) {
        let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
        clear.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        return rest;
    }
    clear.push(char::REPLACEMENT_CHARACTER);
    rest
}

/// What stands before a brace and behind it. No number is longer than six digits, and a brace that is far away is another's:
/// looked for each time, it would be passed over again and again.
fn in_braces(inside: &str) -> Option<(&str, &str)> {
    let end = inside.bytes().take(7).position(|byte| byte == b'}')?;
    let (digits, rest) = inside.split_at_checked(end)?;
    Some((digits, rest.strip_prefix('}')?))
}

fn hex<'a>(after: &'a str, count: usize, clear: &mut String) -> &'a str {
    let Some((code, rest)) = digits(after, count) else {
        clear.push('x');
        return after;
    };
    clear.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    rest
}

fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    all.then(|| u32::from_str_radix(digits, 16).ok()).flatten().map(|code| (code, rest))
}
