//! Moments as people write them on the command line: `2026`, `20261116043246`, `2026-11-16`, `2026-11-16T04:32:46Z`.

use jiff::Timestamp;

/// Reads a moment; where it is cut off, the earliest that it may mean. UTC unless it says otherwise.
pub(crate) fn parse(text: &str) -> Result<Timestamp, String> {
    let text = text.trim();
    let is_digits = !text.is_empty() && text.len() <= 14 && text.bytes().all(|byte| byte.is_ascii_digit());
    let read = if is_digits {
        urlkey::time::parse_14(&urlkey::time::pad_earliest(text))
    } else {
        urlkey::time::parse_iso(text).map(|date| date.timestamp)
    };
    read.map_err(|_| {
        "write a time such as 2026, 20261116043246, 2026-11-16 or 2026-11-16T04:32:46Z".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(parse(text).ok().map(|time| time.to_string()).as_deref(), expected, "{text}");
    }

    #[test]
    fn digits_and_dates_are_read() {
        check("2026", Some("2026-01-01T00:00:00Z"));
        check("20261116043246", Some("2026-11-16T04:32:46Z"));
        check("2026-11-16", Some("2026-11-16T00:00:00Z"));
        check("2026-11-16T04:32:46+01:00", Some("2026-11-16T03:32:46Z"));
        for text in ["", "yesterday", "20261399", "202611160432461"] {
            check(text, None);
        }
    }
}
