//! Numbers as people write them: `1,234.50`, `1.234,50`, `€ 12`, `−3`.

/// The first number in a text.
pub(super) fn first(text: &str) -> Option<f64> {
    let start = text.find(|char: char| char.is_ascii_digit())?;
    let (before, rest) = text.split_at(start);
    let is_negative = before.trim_end_matches(['$', '€', '£', ' ']).ends_with(['-', '−']);
    let is_part =
        |char: char| char.is_ascii_digit() || matches!(char, '.' | ',' | '\'' | ' ' | '\u{a0}' | '\u{202f}');
    let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
    let number = plain(rest.get(..end.min(40))?)?;
    Some(if is_negative { -number } else { number })
}

/// A number without the signs between thousands. A single sign before three digits stands between thousands if it is a
/// comma or the like, and is a point if it is one.
fn plain(text: &str) -> Option<f64> {
    let text = text.trim_end_matches(|char: char| !char.is_ascii_digit());
    // Two numbers with a blank between are two numbers, unless the second has three digits.
    let mut kept = String::new();
    for (at, part) in text.split([' ', '\u{a0}', '\u{202f}', '\'']).enumerate() {
        let digits = part.find(|char: char| !char.is_ascii_digit()).unwrap_or(part.len());
        if at > 0 && digits != 3 {
            break;
        }
        kept.push_str(part);
    }
    let last = kept.rfind(['.', ',']);
    let Some(last) = last else { return kept.parse().ok() };
    let (whole, rest) = kept.split_at_checked(last)?;
    let sign = rest.chars().next()?;
    let fraction = rest.get(1..)?;
    let is_thousands =
        whole.contains(sign) || (sign == ',' && fraction.len() == 3 && !whole.contains('.') && whole != "0");
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    if is_thousands {
        format!("{whole}{fraction}").parse().ok()
    } else {
        format!("{whole}.{fraction}").parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, expect) in [
            ("12", Some(12.0)),
            ("Price: € 1.234,50 only", Some(1234.5)),
            ("$1,234.50", Some(1234.5)),
            ("1,234", Some(1234.0)),
            ("3.5 of 10", Some(3.5)),
            ("12 345 km", Some(12345.0)),
            ("1 2", Some(1.0)),
            ("-7 °C", Some(-7.0)),
            ("−$3", Some(-3.0)),
            ("1.234.567", Some(1234567.0)),
            ("0,5", Some(0.5)),
            ("none", None),
        ] {
            assert_eq!(first(text), expect, "{text}");
        }
    }
}
