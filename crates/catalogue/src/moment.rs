//! Times as they are kept: RFC 3339 in UTC with milliseconds, so that their texts sort as they do.

use jiff::Timestamp;

use crate::error::Error;

pub(crate) fn to_text(at: Timestamp) -> String {
    format!("{at:.3}")
}

pub(crate) fn parse(what: &'static str, text: &str) -> Result<Timestamp, Error> {
    text.parse().map_err(|_| Error::Damaged { what, found: text.to_owned() })
}

/// One that may not be there: an empty text is none.
pub(crate) fn parse_any(what: &'static str, text: &str) -> Result<Option<Timestamp>, Error> {
    if text.is_empty() { Ok(None) } else { parse(what, text).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_sort_as_times_do() {
        let times = [
            "2026-11-18T00:00:00Z",
            "2026-11-18T00:00:00.001Z",
            "2026-11-18T00:00:01Z",
            "2027-01-01T00:00:00Z",
        ];
        let texts: Vec<String> = times.iter().map(|time| to_text(time.parse().unwrap())).collect();
        assert!(texts.is_sorted(), "{texts:?}");
        assert_eq!(parse("t", &texts[1]).unwrap(), times[1].parse().unwrap());
        assert_eq!(parse_any("t", "").unwrap(), None);
        assert!(parse("t", "yesterday").is_err());
    }
}
