//! Addresses in style sheets: what they stand for, and how another is written in their place.

use std::borrow::Cow;

use crate::Modifier;

use super::{More, Piece};

/// Whether the address that begins so far ahead is `data:`, which holds what it leads to.
pub(super) fn is_data(piece: &Piece<'_>, start: usize) -> Result<bool, More> {
    for (behind, byte) in b"data:".iter().enumerate() {
        if piece.ahead(start + behind)?.to_ascii_lowercase() != *byte {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes another address in the place of one, with or without quotes.
pub(super) fn replace(piece: &mut Piece<'_>, from: usize, to: usize, quote: Option<u8>, modifier: Modifier) {
    let Some(Ok(raw)) = piece.css.get(from..to).map(std::str::from_utf8) else { return };
    let trimmed = raw.trim_ascii();
    let odd = |character: char| character.is_ascii_whitespace() || matches!(character, '"' | '\'' | '(');
    // Browsers take nothing of this for an address.
    if quote.is_none() && !trimmed.contains('\\') && trimmed.contains(odd) {
        return;
    }
    let Some(link) = piece.place.rewritten(&unescape(trimmed), modifier) else { return };
    let start = from + (raw.len() - raw.trim_ascii_start().len());
    let link = escape(&link, quote);
    piece.put(start, start + trimmed.len(), &link);
}

fn escape(link: &str, quote: Option<u8>) -> Cow<'_, str> {
    let quote = quote.map(char::from);
    let special = |character: char| match quote {
        Some(quote) => character == quote || matches!(character, '\\' | '\n' | '\r' | '\x0c'),
        None => character <= ' ' || matches!(character, '"' | '\'' | '(' | ')' | '\\' | '\x7f'),
    };
    if !link.contains(special) {
        return link.into();
    }
    let mut escaped = String::with_capacity(link.len() + 8);
    for character in link.chars() {
        match character {
            character if !special(character) => escaped.push(character),
            '"' | '\'' | '(' | ')' | '\\' => escaped.extend(['\\', character]),
            character => escaped.push_str(&format!("\\{:x} ", u32::from(character))),
        }
    }
    escaped.into()
}

/// Resolves escapes: `\26 ` is `&`, `\)` is `)`, and a line break behind a backslash is nothing.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut clear = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            clear.push(character);
            continue;
        }
        let (mut code, mut digits) = (0, 0);
        while let Some(digit) = characters.peek().and_then(|digit| digit.to_digit(16)).filter(|_| digits < 6)
        {
            (code, digits) = (code * 16 + digit, digits + 1);
            characters.next();
        }
        if digits > 0 {
            clear.push(
                char::from_u32(code).filter(|code| *code != '\0').unwrap_or(char::REPLACEMENT_CHARACTER),
            );
            // One blank belongs to the escape.
            characters.next_if(|blank| blank.is_ascii_whitespace());
        } else {
            clear.extend(characters.next().filter(|next| !matches!(next, '\n' | '\r' | '\x0c')));
        }
    }
    clear.into()
}
