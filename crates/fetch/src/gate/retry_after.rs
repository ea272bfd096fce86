//! `Retry-After`: seconds, or a date.
//!
//! <https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3>

use std::time::Duration;

use jiff::Timestamp;

/// How long a server asks us to wait. A date in the past is no time at all; what is neither is `None`.
#[must_use]
pub fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // So many digits that they do not fit mean "never", and the gate has a most for that.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = urlkey::time::parse_lenient(value).ok()?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_understood() {
        let now = "1994-11-06T08:49:00Z".parse().unwrap();
        for (value, seconds) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(37)),
            ("Sun, 06 Nov 1994 08:48:00 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(retry_after(value, now).map(|wait| wait.as_secs()), seconds, "{value}");
        }
    }
}
