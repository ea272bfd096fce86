//! How options name a version of a watched page: by its number, or by a time.

use api::watches::Which;

use crate::moment;

/// Reads a version number such as `v3`, or a time. Numbers alone are times: 2026 is a year.
pub(crate) fn parse_version(text: &str) -> Result<Which, String> {
    if text == "now" {
        return Ok(Which::Current);
    }
    if let Some(number) = text.strip_prefix(['v', 'V'])
        && let Ok(number) = number.parse::<u32>()
    {
        return Ok(Which::Number(number));
    }
    // Four digits are a year; what is shorter is none, and probably a version.
    if text.len() < 4 && text.parse::<u32>().is_ok() {
        return Err(format!("write v{text} for version {text}, or a time such as 2026-11-16"));
    }
    moment::parse(text).map(Which::At).map_err(|why| format!("{why}; a version is written v3"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_not_mistaken_for_years() {
        assert_eq!(parse_version("v3"), Ok(Which::Number(3)));
        assert_eq!(parse_version("now"), Ok(Which::Current));
        let year = "2026-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(parse_version("2026"), Ok(Which::At(year)));
        assert!(parse_version("3").unwrap_err().starts_with("write v3"));
        assert!(parse_version("yesterday").is_err() && parse_version("vv").is_err());
    }
}
