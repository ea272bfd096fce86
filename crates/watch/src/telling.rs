//! Who is told of what a watch finds, and when.

use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use serde::{Deserialize, Serialize};
use watchlist::Quiet;

use crate::watching::GONE_AFTER;

/// Who is told, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Telling {
    /// Addresses: `mailto:ann@example.org`, `https://hooks.example.org/varve`. Whoever sends understands them.
    pub to: Vec<String>,
    /// When nobody is told; what comes then is told afterwards.
    pub quiet: Option<Quiet>,
    /// How long what goes by mail is put together.
    #[serde(rename = "digest_s", with = "seconds")]
    pub digest: Duration,
    /// After so many checks in a row at which the page was not there somebody is told; 0 is never.
    #[serde(skip)]
    pub gone_after: u32,
}

impl Default for Telling {
    fn default() -> Telling {
        Telling { to: Vec::new(), quiet: None, digest: Duration::ZERO, gone_after: GONE_AFTER }
    }
}

/// The end of the hours of quiet, if this is a time within them. Without a zone of their own, or with one that nobody knows, they are those of
/// this zone.
pub(crate) fn quiet_until(quiet: &Quiet, now: Timestamp, here: &TimeZone) -> Option<Timestamp> {
    let named = quiet.zone.as_ref().and_then(|name| TimeZone::get(name).ok());
    let zone = named.unwrap_or_else(|| here.clone());
    let here = now.to_zoned(zone.clone());
    let time = here.time();
    let is_over_midnight = quiet.from > quiet.to;
    let is_quiet = if is_over_midnight {
        time >= quiet.from || time < quiet.to
    } else {
        time >= quiet.from && time < quiet.to
    };
    if !is_quiet {
        return None;
    }
    let is_tomorrow = is_over_midnight && time >= quiet.from;
    let day = if is_tomorrow { here.date().tomorrow().ok()? } else { here.date() };
    let end: Zoned = day.to_datetime(quiet.to).to_zoned(zone).ok()?;
    // Where clocks are put back the end may come twice.
    Some(end.timestamp()).filter(|end| *end > now)
}

/// Whole seconds.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(time.as_secs())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(quiet: &str, now: &str, until: Option<&str>) {
        let found = quiet_until(&quiet.parse().unwrap(), now.parse().unwrap(), &TimeZone::UTC);
        assert_eq!(found, until.map(|until| until.parse().unwrap()), "{quiet} at {now}");
    }

    #[test]
    fn hours_of_quiet_are_those_of_their_zone() {
        let prague = "22:00-07:00 Europe/Prague";
        check(prague, "2026-11-18T20:59:59Z", None);
        check(prague, "2026-11-18T21:00:00Z", Some("2026-11-19T06:00:00Z"));
        check(prague, "2026-11-19T05:59:59Z", Some("2026-11-19T06:00:00Z"));
        check(prague, "2026-11-19T06:00:00Z", None);
        // In summer it is an hour earlier.
        check(prague, "2026-07-18T20:30:00Z", Some("2026-07-19T05:00:00Z"));
        check("12:00-13:30 UTC", "2026-11-18T12:30:00Z", Some("2026-11-18T13:30:00Z"));
        check("12:00-13:30 UTC", "2026-11-18T13:30:00Z", None);
        check("08:00-08:00 UTC", "2026-11-18T08:00:00Z", None);
    }

    #[test]
    fn the_night_when_clocks_change_ends() {
        // 02:00 to 03:00 is there twice on this night, and is not there at all on the other.
        check("01:00-02:30 Europe/Prague", "2026-10-24T23:30:00Z", Some("2026-10-25T00:30:00Z"));
        check("01:00-02:30 Europe/Prague", "2026-03-29T00:30:00Z", Some("2026-03-29T01:30:00Z"));
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        let telling = Telling {
            to: vec!["mailto:ann@example.org".to_owned()],
            quiet: Some("22:00-07:00 Europe/Prague".parse().unwrap()),
            digest: Duration::from_secs(86_400),
            ..Telling::default()
        };
        let text = serde_json::to_string(&telling).unwrap();
        assert_eq!(
            text,
            r#"{"to":["mailto:ann@example.org"],"quiet":"22:00-07:00 Europe/Prague","digest_s":86400}"#
        );
        assert_eq!(serde_json::from_str::<Telling>(&text).unwrap(), telling);
    }
}
