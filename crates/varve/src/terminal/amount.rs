//! Amounts as people read them.

/// A number of bytes in the largest unit that leaves at least one before the point: `1.4 MB`. Powers of ten.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if count < 1000 {
        return format!("{count} B");
    }
    // Tenths are kept exactly by dividing tens of bytes; a float would round 999,950 up to `1000.0 kB`.
    let mut tenths = u128::from(count) * 10;
    let mut unit = "B";
    for next in UNITS {
        if tenths < 10_000 {
            break;
        }
        tenths /= 1000;
        unit = next;
    }
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// A number with its thousands set apart: `1,234,567`.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 record`, `1,234 records`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_use_the_fitting_unit() {
        let cases = [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (1_449_999, "1.4 MB"),
            (999_999, "999.9 kB"),
            (5_000_000_000, "5.0 GB"),
            (u64::MAX, "18.4 EB"),
        ];
        for (count, text) in cases {
            assert_eq!(bytes(count), text);
        }
    }

    #[test]
    fn one_thing_is_not_several() {
        let counts = [0, 1, 1000].map(|count| counted(count, "record"));
        assert_eq!(counts, ["0 records", "1 record", "1,000 records"]);
    }

    #[test]
    fn thousands_are_set_apart() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(count), text);
        }
    }
}
