//! The table of how pages are watched, as far as a watch does not say otherwise.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ::notify::To;
use ::watch::Pace;
use jiff::tz::TimeZone;
use watchlist::Quiet;

use super::kind::{FilePath, Number, Parsed, Portion, Readable};
use super::table::table;

table! {
    /// How pages are watched.
    WatchValues, WatchLayer;

    section "Checks";
    /// How often a page is checked: `6h`, `daily`, or `adaptive 1h..24h`, which is sooner where it changes and later where it does not, and
    /// begins with four times the shorter pause
    every: Parsed<Every> = Parsed::of(Every(USUAL)), file();
    /// Checks under way at once, of all hosts together
    at_once: Number<1, 4096> = Number(64), file();
    /// Bring what was captured into the archive so often, while the rounds are made
    commit_every: Duration = Duration::from_secs(300), file();
    /// A larger document is compared by its headers alone, unless a watch or `--force` says otherwise
    document_max: Portion = Portion(10_000_000), file();
    /// A URL is asked at most once in this time; whoever asks earlier is told the last result. It is made shorter for tests
    again_after: Duration = Duration::from_secs(10), file();

    section "Who is told";
    /// Whoever is told of changes: `mailto:ann@example.org`, `https://hooks.example.org/varve`. Mail goes by the server of `[notify]`, webhooks
    /// are signed as there. A watch takes `notify`, `quiet`, `digest`, `gone_after` and `every` over when it is added
    notify: Vec<Parsed<To>> = Vec::new(), file();
    /// Hours in which nobody is told, such as `22:00-07:00 Europe/Prague`; what comes then is told afterwards
    quiet: Option<Parsed<Hours>> = None, file();
    /// Put what goes by mail together for so long; `none` tells it at once
    digest: Option<Duration> = None, file();
    /// After so many checks in a row at which a page was not there somebody is told; 0 is never
    gone_after: Number<0, 10_000> = Number(3), file();
    /// Whose a watch is, and who asks, if nobody is named
    person: String = "me".to_owned(), file();
    /// A folder with texts of your own for mails
    templates: Option<FilePath> = None, file();
}

const HOUR: Duration = Duration::from_secs(3600);
const USUAL: Pace =
    Pace::Adaptive { least: HOUR, most: Duration::from_secs(24 * 3600), now: Duration::from_secs(4 * 3600) };

/// A pace as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Every(pub Pace);

impl FromStr for Every {
    type Err = String;

    fn from_str(text: &str) -> Result<Every, String> {
        let pace = match text.trim().parse::<watchlist::Pace>()? {
            watchlist::Pace::Every(every) => Pace::Every(every),
            watchlist::Pace::Adaptive { least, most } => {
                Pace::Adaptive { least, most, now: least.saturating_mul(4).min(most) }
            }
            _ => return Err(format!("`{text}` says nothing")),
        };
        let shortest = match pace {
            Pace::Every(every) => every,
            Pace::Adaptive { least, .. } => least,
        };
        if shortest < Duration::from_secs(1) {
            return Err("pauses are a second at least".to_owned());
        }
        Ok(Every(pace))
    }
}

impl fmt::Display for Every {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Pace::Every(every) => watchlist::Pace::Every(every).fmt(f),
            Pace::Adaptive { least, most, .. } => watchlist::Pace::Adaptive { least, most }.fmt(f),
        }
    }
}

impl Readable for Every {
    const ALLOWED: &'static str = "a pause such as 6h or daily, or bounds such as adaptive 1h..24h";

    fn reason(error: String) -> Option<String> {
        Some(error)
    }
}

/// Hours of quiet in a time zone that there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hours(pub Quiet);

impl FromStr for Hours {
    type Err = String;

    fn from_str(text: &str) -> Result<Hours, String> {
        let quiet: Quiet = text.parse()?;
        match &quiet.zone {
            Some(zone) if TimeZone::get(zone).is_err() => Err(format!(
                "there is no time zone `{zone}`; they are called Europe/Prague, America/New_York or UTC"
            )),
            _ => Ok(Hours(quiet)),
        }
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Readable for Hours {
    const ALLOWED: &'static str = "hours such as 22:00-07:00 Europe/Prague";

    fn reason(error: String) -> Option<String> {
        Some(error)
    }
}

impl Readable for To {
    const ALLOWED: &'static str =
        "an address such as mailto:ann@example.org or https://hooks.example.org/varve";

    fn reason(error: ::notify::Error) -> Option<String> {
        super::notify::why(error)
    }

    fn discreet(text: &str) -> Option<String> {
        // Of what is understood it says itself what may be told.
        Some(text.parse::<To>().map_or_else(|_| ::notify::discreet(text), |to| to.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paces_are_read_as_they_are_written() {
        for text in ["6h", "adaptive 1h..24h", "1s"] {
            assert_eq!(text.parse::<Every>().unwrap().to_string(), text);
        }
        let Every(pace) = "adaptive 10m..30m".parse().unwrap();
        assert_eq!(pace.pause(), Duration::from_secs(1800));
        assert_eq!("adaptive 1h..24h".parse(), Ok(Every(USUAL)));
        for text in ["", "usual", "500ms", "often", "adaptive 2h..1h"] {
            assert!(text.parse::<Every>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_zone_that_nobody_knows_is_named() {
        assert!("22:00-07:00 Europe/Prague".parse::<Hours>().is_ok());
        let error = "22:00-07:00 Europe/Prag".parse::<Hours>().unwrap_err();
        assert!(error.contains("there is no time zone `Europe/Prag`"), "{error}");
    }
}
