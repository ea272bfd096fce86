//! The title of a page, from the bytes that it begins with.

use extract::charset::{Charset, Decoder};
use extract::mime::Mime;

/// How far into a page its title is looked for.
const LOOKED_AT: usize = 32 << 10;

/// Letters of a title that are shown.
const SHOWN: usize = 120;

/// What stands between `<title>` and `</title>`, decoded and without its entities.
pub(crate) fn title_of(start: &[u8], content_type: &str) -> Option<String> {
    let start = start.get(..LOOKED_AT).unwrap_or(start);
    let begin = find(start, b"<title")?;
    let inside = start.get(begin..)?;
    let open = inside.iter().position(|byte| *byte == b'>')? + 1;
    let inside = inside.get(open..)?;
    let end = find(inside, b"</title")?;
    let mime = Mime::parse(content_type).or_else(|| Mime::parse("text/html"))?;
    let encoding = Charset::find(start, &mime)?.encoding;
    let text = Decoder::new(encoding).decode(inside.get(..end)?, true).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let title: String = unescaped(&words.join(" ")).chars().take(SHOWN).collect();
    (!title.is_empty()).then_some(title)
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted))
}

/// The few entities that titles have.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let entity = behind.split_once(';').filter(|(name, _)| name.len() <= 8);
        match entity.and_then(|(name, rest)| Some((letter(name)?, rest))) {
            Some((letter, behind)) => {
                out.push(letter);
                rest = behind;
            }
            None => {
                out.push('&');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

fn letter(name: &str) -> Option<char> {
    let number = |number: u32| char::from_u32(number).filter(|letter| !letter.is_control());
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        "ndash" => Some('–'),
        "mdash" => Some('—'),
        "hellip" => Some('…'),
        "raquo" => Some('»'),
        "laquo" => Some('«'),
        "middot" => Some('·'),
        "auml" => Some('ä'),
        "ouml" => Some('ö'),
        "uuml" => Some('ü'),
        "szlig" => Some('ß'),
        "eacute" => Some('é'),
        _ => {
            let digits = name.strip_prefix('#')?;
            match digits.strip_prefix(['x', 'X']) {
                Some(digits) => number(u32::from_str_radix(digits, 16).ok()?),
                None => number(digits.parse().ok()?),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &[u8], content_type: &str, title: Option<&str>) {
        assert_eq!(title_of(page, content_type).as_deref(), title);
    }

    #[test]
    fn titles() {
        check(b"<html><TITLE lang=de>\n a  b\n</Title>", "text/html", Some("a b"));
        check(
            b"<title>\xfcber &amp; &#228;&ndash;&bogus; & so</title>",
            "text/html; charset=iso-8859-1",
            Some("über & ä–&bogus; & so"),
        );
        check(b"<title></title>", "text/html", None);
        check(b"<title>never ends", "text/html", None);
        check(b"", "", None);
    }
}
