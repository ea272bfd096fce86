//! Amounts of bytes as people write them: `10MB`, `1GiB`, or a number of bytes.

/// What may stand behind a number, in any case of letters: powers of ten, and with an `i` of two.
const UNITS: [(&str, u64); 14] = [
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
    ("T", 1_000_000_000_000),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("G", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("M", 1_000_000),
    ("KiB", 1 << 10),
    ("kB", 1000),
    ("k", 1000),
    ("B", 1),
    ("", 1),
];

/// What a size looks like, for whoever wrote something else.
pub(crate) const ALLOWED: &str = "a number of bytes such as 4096, 10MB or 1GiB";

/// The same where nothing would be no amount.
pub(crate) const ALLOWED_SOME: &str = "a number of bytes above 0, such as 4096, 10MB or 1GiB";

/// Reads an amount; `None` if it is none, or more than there can be.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let length = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(length)?;
    let unit = unit.trim();
    let (_, factor) = UNITS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
    let number = number.replace('_', "");
    // Whole numbers exactly; `1.5GB` only where a unit makes a whole number of it.
    match number.split_once('.') {
        None => number.parse::<u64>().ok()?.checked_mul(factor),
        Some((whole, part)) if factor > 1 && !part.is_empty() && part.len() <= 6 => {
            let scale = 10_u64.pow(u32::try_from(part.len()).ok()?);
            let part = u128::from(part.parse::<u64>().ok()?) * u128::from(factor) / u128::from(scale);
            whole.parse::<u64>().ok()?.checked_mul(factor)?.checked_add(u64::try_from(part).ok()?)
        }
        Some(_) => None,
    }
}

/// Writes an amount in the unit that says it exactly and in the fewest digits.
pub(crate) fn show(bytes: u64) -> String {
    let exact = UNITS.into_iter().filter(|(name, factor)| {
        let is_full_name = name.ends_with('B') && *factor > 1;
        is_full_name && bytes > 0 && bytes.is_multiple_of(*factor)
    });
    let shortest = exact.min_by_key(|(_, factor)| bytes / factor);
    shortest.map_or_else(|| bytes.to_string(), |(name, factor)| format!("{}{name}", bytes / factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [
            ("0", 0),
            ("12", 12),
            ("1_000", 1000),
            ("3k", 3000),
            ("4 MB", 4_000_000),
            ("5g", 5_000_000_000),
            ("1GiB", 1 << 30),
            ("1.5kB", 1500),
            ("0.5KiB", 512),
            ("7b", 7),
        ] {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_none() {
        for text in ["", "k", "1x", "-1", "1.5", "1.k", "99999999999999999999", "99999999999999999g", "1 2"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_shown_is_read_again() {
        for (bytes, shown) in [
            (0, "0"),
            (999, "999"),
            (1000, "1kB"),
            (1024, "1KiB"),
            (10_000_000, "10MB"),
            (1 << 30, "1GiB"),
            (64 << 20, "64MiB"),
        ] {
            assert_eq!(show(bytes), shown);
            assert_eq!(parse(shown), Some(bytes));
        }
    }
}
