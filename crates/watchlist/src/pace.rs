//! How often a page is checked, and how times are written: `90s`, `1h30m`, `2 days`, `PT1H`, `daily`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Span;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Nothing is checked more rarely; longer pauses are written as this one.
pub(crate) const PAUSE_MAX: Duration = Duration::from_secs(100 * 365 * 86_400);

/// How often a page is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Pace {
    /// As often as the program does it if nothing is said.
    #[default]
    Usual,
    /// Always after this time.
    Every(Duration),
    /// Sooner where it changes, later where it does not.
    Adaptive {
        /// At the soonest.
        least: Duration,
        /// At the latest.
        most: Duration,
    },
}

impl Pace {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Pace::Usual
    }

    /// Bounds what a source says; a pause of nothing is no pace.
    pub(crate) fn every(seconds: f64) -> Result<Pace, String> {
        if seconds <= 0.0 || seconds.is_nan() {
            return Err("there is no pause between checks".to_owned());
        }
        match Duration::try_from_secs_f64(seconds) {
            Ok(pause) if pause <= PAUSE_MAX && !pause.is_zero() => Ok(Pace::Every(pause)),
            _ => Err("the pause between checks is longer than a hundred years".to_owned()),
        }
    }
}

/// Reads a time that people write.
pub(crate) fn pause(text: &str) -> Result<Duration, String> {
    let fault = || format!("`{text}` is no time such as `90s`, `1h30m`, `2 days` or `daily`");
    let word = match text.trim().to_lowercase().as_str() {
        "hourly" => "1h",
        "daily" => "24h",
        "weekly" => "168h",
        "monthly" => "720h",
        _ => text.trim(),
    };
    let span: Span = word.parse().map_err(|_| fault())?;
    if span.get_years() != 0 || span.get_months() != 0 || span.is_negative() || span.is_zero() {
        return Err(fault());
    }
    // A day is a day here: what the clocks do in spring is none of a pause's business.
    let days = i64::from(span.get_weeks()) * 7 + i64::from(span.get_days());
    let seconds = days * 86_400
        + i64::from(span.get_hours()) * 3600
        + span.get_minutes().saturating_mul(60)
        + span.get_seconds();
    let small = i128::from(span.get_milliseconds()) * 1_000_000
        + i128::from(span.get_microseconds()) * 1000
        + i128::from(span.get_nanoseconds());
    let nanos = i128::from(seconds) * 1_000_000_000 + small;
    let pause = u64::try_from(nanos).map(Duration::from_nanos).unwrap_or(Duration::MAX);
    if pause > PAUSE_MAX { Err(format!("`{text}` is longer than a hundred years")) } else { Ok(pause) }
}

/// Writes a time so that [`pause`] reads it.
struct Shown(Duration);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pause = self.0.clamp(Duration::from_nanos(1), PAUSE_MAX);
        let seconds = pause.as_secs();
        let nanos = u64::from(pause.subsec_nanos());
        let parts = [
            (seconds / 3600, "h"),
            (seconds / 60 % 60, "m"),
            (seconds % 60, "s"),
            (nanos / 1_000_000, "ms"),
            (nanos / 1000 % 1000, "us"),
            (nanos % 1000, "ns"),
        ];
        parts
            .into_iter()
            .filter(|(count, _)| *count != 0)
            .try_for_each(|(count, unit)| write!(f, "{count}{unit}"))
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Usual => f.write_str("usual"),
            Pace::Every(pause) => Shown(*pause).fmt(f),
            Pace::Adaptive { least, most } => write!(f, "adaptive {}..{}", Shown(*least), Shown(*most)),
        }
    }
}

impl FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Pace, String> {
        if text == "usual" {
            return Ok(Pace::Usual);
        }
        let Some(bounds) = text.strip_prefix("adaptive ") else { return pause(text).map(Pace::Every) };
        let (least, most) =
            bounds.split_once("..").ok_or_else(|| format!("`{text}` lacks `..` between its bounds"))?;
        let (least, most) = (pause(least)?, pause(most)?);
        if least > most {
            return Err(format!("`{text}` has the longer bound first"));
        }
        Ok(Pace::Adaptive { least, most })
    }
}

impl Serialize for Pace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pace, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, seconds: u64) {
        assert_eq!(pause(text), Ok(Duration::from_secs(seconds)), "{text}");
    }

    #[test]
    fn times_are_read_in_many_spellings() {
        check("90s", 90);
        check("1h30m", 5400);
        check("2 days", 172_800);
        check("1 week, 1 day", 8 * 86_400);
        check("PT1H", 3600);
        check("P1DT12H", 129_600);
        check(" Daily ", 86_400);
        check("15 minutes", 900);
    }

    #[test]
    fn what_is_no_time_is_told() {
        for text in ["", "60", "-1h", "0s", "1 month", "1y", "9999999h", "99999999999999999999s", "soon"] {
            assert!(pause(text).is_err(), "{text}");
        }
        assert!(Pace::every(0.0).is_err() && Pace::every(f64::NAN).is_err() && Pace::every(1e300).is_err());
        assert!("adaptive 2h..1h".parse::<Pace>().is_err());
        assert!("adaptive 2h".parse::<Pace>().is_err());
    }

    #[test]
    fn a_pace_is_read_as_it_was_written() {
        for text in ["usual", "1h30m", "168h", "1s500ms", "adaptive 10m..168h"] {
            assert_eq!(text.parse::<Pace>().unwrap().to_string(), text);
        }
        assert_eq!(Pace::Every(Duration::MAX).to_string(), "876000h");
    }
}
