//! Spans of time as people write them: `90s`, `1h30m`, `1d`, or a number of seconds.

use std::time::Duration;

/// What may stand behind a number, longest first, in milliseconds.
const UNITS: [(&str, u64); 7] = [
    ("w", 7 * 24 * 3_600_000),
    ("d", 24 * 3_600_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("min", 60_000),
    ("s", 1000),
    ("ms", 1),
];

/// What a time looks like, for whoever wrote something else.
pub(crate) const ALLOWED: &str = "a time such as 500ms, 90s, 6h or 1d";

/// Reads a span; `None` if it is none, or longer than anybody waits.
pub(crate) fn parse(text: &str) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let mut rest = text;
    let mut whole_ms = 0_f64;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|length| *length > 0)?;
        let (number, behind) = rest.split_at_checked(digits)?;
        let length = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at_checked(length)?;
        let (_, unit_ms) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
        #[allow(clippy::cast_precision_loss)] // A week in milliseconds is far from where a float loses any.
        let unit_ms = unit_ms as f64;
        whole_ms += number.parse::<f64>().ok()? * unit_ms;
        rest = behind.trim_start();
    }
    if text.is_empty() { None } else { Duration::try_from_secs_f64(whole_ms / 1000.0).ok() }
}

/// Writes a span in the largest unit that leaves nothing over.
pub(crate) fn show(time: Duration) -> String {
    let ms = time.as_millis();
    if ms == 0 {
        return "0s".to_owned();
    }
    let unit = UNITS.into_iter().find(|(_, unit_ms)| ms.is_multiple_of(u128::from(*unit_ms)));
    unit.map_or_else(|| format!("{ms}ms"), |(name, unit_ms)| format!("{}{name}", ms / u128::from(unit_ms)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, ms: Option<u64>) {
        assert_eq!(parse(text), ms.map(Duration::from_millis), "{text}");
    }

    #[test]
    fn times_have_units() {
        check("0", Some(0));
        check("0.5", Some(500));
        check("15", Some(15_000));
        check("500ms", Some(500));
        check("90s", Some(90_000));
        check("1.5h", Some(5_400_000));
        check("1h30m", Some(5_400_000));
        check("30min", Some(1_800_000));
        check("1h 30min", Some(5_400_000));
        check("1d 12h", Some(36 * 3_600_000));
        check(" 2w ", Some(14 * 24 * 3_600_000));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in ["", "s", "1x", "-1", "-1s", "1 s x", "h1", "..s", "inf", "nan", "1e300", "9e99s", "1m30"]
        {
            check(text, None);
        }
    }

    #[test]
    fn what_is_shown_is_read_again() {
        for (ms, shown) in [
            (0, "0s"),
            (1, "1ms"),
            (1500, "1500ms"),
            (90_000, "90s"),
            (120_000, "2m"),
            (3_600_000, "1h"),
            (86_400_000, "1d"),
            (604_800_000, "1w"),
        ] {
            let time = Duration::from_millis(ms);
            assert_eq!(show(time), shown);
            assert_eq!(parse(shown), Some(time));
        }
    }
}
