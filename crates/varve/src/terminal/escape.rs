//! Makes strangers' text safe to show.
//!
//! A page title may hold an escape sequence that retitles the window, a URL may hold a right-to-left override that
//! makes `…gpj.exe` read as `…exe.jpg`, a header may hold bytes that are no text at all. Each such character is shown as
//! its number (`\x1b`, `\u{202e}`) instead of being obeyed. A backslash that was in the text stays as it is: the result
//! is for reading, not for turning back.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text in which everything that would act on the terminal, or hide in it, is shown as its number.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(acts_or_hides) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|char| push(&mut shown, char));
    Cow::Owned(shown)
}

/// The same for bytes that should be UTF-8 and need not be: those that are not are shown as `\x` and two digits.
pub(crate) fn escape_bytes(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return escape(text);
    }
    let mut shown = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|char| push(&mut shown, char));
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    Cow::Owned(shown)
}

/// JSON in which the same characters are written as their numbers. It still says the same.
pub(crate) fn escape_json(json: &str) -> Cow<'_, str> {
    if !json.contains(acts_or_hides) {
        return Cow::Borrowed(json);
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for char in json.chars() {
        // Outside of its strings JSON is ASCII; line breaks between members may stay.
        if acts_or_hides(char) && !matches!(char, '\n' | '\r' | '\t') {
            for unit in char.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(char);
        }
    }
    Cow::Owned(shown)
}

/// Appends a character or its number.
fn push(shown: &mut String, char: char) {
    match char {
        '\t' => shown.push_str("\\t"),
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\0'..='\x7f' if acts_or_hides(char) => {
            let _ = write!(shown, "\\x{:02x}", u32::from(char));
        }
        _ if acts_or_hides(char) => {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(char));
        }
        _ => shown.push(char),
    }
}

/// Whether a character moves the cursor, starts a sequence, changes the direction of its neighbours or takes no room.
fn acts_or_hides(char: char) -> bool {
    char.is_control() // C0 with ESC, DEL, and C1 with the one-character CSI and OSC
        || matches!(char,
            '\u{ad}'                    // soft hyphen
            | '\u{34f}'                 // combining grapheme joiner
            | '\u{61c}'                 // Arabic letter mark
            | '\u{115f}'..='\u{1160}'   // Hangul fillers
            | '\u{180e}'                // Mongolian vowel separator
            | '\u{200b}'..='\u{200f}'   // zero width, left-to-right and right-to-left marks
            | '\u{2028}'..='\u{202e}'   // line and paragraph separators, embeddings and overrides
            | '\u{2060}'..='\u{206f}'   // word joiner, invisible operators, isolates
            | '\u{3164}'                // Hangul filler
            | '\u{feff}'                // byte order mark
            | '\u{ffa0}'                // half-width Hangul filler
            | '\u{fff9}'..='\u{fffb}'   // interlinear annotation
            | '\u{1bca0}'..='\u{1bca3}' // shorthand format controls
            | '\u{e0000}'..='\u{e007f}' // tags
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], shown: &str) {
        assert_eq!(escape_bytes(bytes), shown);
        if let Ok(text) = str::from_utf8(bytes) {
            assert_eq!(escape(text), shown);
        }
    }

    #[test]
    fn ordinary_text_of_any_script_is_left_alone() {
        for text in ["", "http://example.org/a?b=c", "Příliš žluťoučký kůň", "日本語", "עברית", "a\\x1b"]
        {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn escape_sequences_are_shown() {
        check(b"\x1b]0;owned\x07", "\\x1b]0;owned\\x07");
        check("\u{9b}31m".as_bytes(), "\\u{9b}31m");
        check(b"a\x7fb\x00", "a\\x7fb\\x00");
    }

    #[test]
    fn lines_stay_one_line() {
        check(b"a\r\nb\tc", "a\\r\\nb\\tc");
        check("a\u{2028}b".as_bytes(), "a\\u{2028}b");
    }

    #[test]
    fn overrides_and_invisible_characters_are_shown() {
        check("a\u{202e}gpj.exe".as_bytes(), "a\\u{202e}gpj.exe");
        check("pay\u{200b}pal\u{feff}".as_bytes(), "pay\\u{200b}pal\\u{feff}");
        check("\u{2066}x\u{2069}".as_bytes(), "\\u{2066}x\\u{2069}");
        check("\u{e0041}".as_bytes(), "\\u{e0041}");
    }

    #[test]
    fn json_says_the_same_without_acting() {
        for text in ["a\u{202e}b", "\u{9b}31m\x7f", "\u{e0041}", "\x1b\t\n\\", "日本語"] {
            let json = serde_json::to_string(text).unwrap();
            let shown = escape_json(&json);
            assert!(!shown.contains(acts_or_hides), "{shown}");
            assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_shown() {
        check(b"caf\xe9 \xff\x1b", "caf\\xe9 \\xff\\x1b");
    }
}
