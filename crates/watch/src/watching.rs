//! Watches: which URL is to be checked for whom, how often, by which rules, and who is told.

use std::time::Duration;

use ::db::Row;
use diff::RuleSet;
use jiff::Timestamp;

use crate::db::{get, number};
use crate::error::Error;
use crate::moment;
use crate::settings::How;
use crate::telling::Telling;

/// After so many checks in a row at which a page was not there somebody is told, unless a watch says otherwise.
pub(crate) const GONE_AFTER: u32 = 3;

/// What a person wants of a watch.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// What people call it; may be empty.
    pub title: String,
    /// Words by which it is found.
    pub tags: Vec<String>,
    /// What somebody wants to remember of it.
    pub notes: String,
    /// How often.
    pub pace: Pace,
    /// How it is asked for.
    pub how: How,
    /// What counts as a change, and what is worth telling.
    pub rules: RuleSet,
    /// Who is told of it, and when.
    pub telling: Telling,
    /// Not checked for the time being.
    pub is_paused: bool,
}

/// How often a URL is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Always after this time.
    Every(Duration),
    /// Sooner where it changes, later where it does not, within these bounds.
    Adaptive {
        /// At the soonest.
        least: Duration,
        /// At the latest.
        most: Duration,
        /// As it stands just now.
        now: Duration,
    },
}

/// One watch.
#[derive(Debug, Clone, PartialEq)]
pub struct Watch {
    /// Its number.
    pub id: i64,
    /// Whose it is.
    pub owner: String,
    /// What is watched.
    pub url: String,
    /// What is wanted.
    pub wish: Wish,
    /// When it is to be checked next.
    pub due_at: Timestamp,
    /// Since when it is watched.
    pub added_at: Timestamp,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish {
            title: String::new(),
            tags: Vec::new(),
            notes: String::new(),
            pace: Pace::Every(Duration::from_secs(3600)),
            how: How::default(),
            rules: RuleSet::default(),
            telling: Telling::default(),
            is_paused: false,
        }
    }
}

impl Pace {
    /// The pause until the next check.
    #[must_use]
    pub fn pause(self) -> Duration {
        match self {
            Pace::Every(every) => every,
            Pace::Adaptive { now, .. } => now,
        }
    }

    /// The pace after a check: half the pause where the document changed, a quarter more where it did not.
    #[must_use]
    pub fn after(self, has_changed: bool) -> Pace {
        match self {
            Pace::Every(_) => self,
            Pace::Adaptive { least, most, now } => {
                let next = if has_changed { now / 2 } else { now.saturating_add(now / 4) };
                // Not `clamp`, which panics where somebody has set the least above the most.
                Pace::Adaptive { least, most, now: next.min(most).max(least) }
            }
        }
    }

    /// Seconds: the pause just now, and the bounds.
    pub(crate) fn numbers(self) -> (i64, Option<i64>, Option<i64>) {
        let seconds = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX).max(1);
        match self {
            Pace::Every(every) => (seconds(every), None, None),
            Pace::Adaptive { least, most, now } => (seconds(now), Some(seconds(least)), Some(seconds(most))),
        }
    }

    pub(crate) fn of(every: i64, least: Option<i64>, most: Option<i64>) -> Result<Pace, Error> {
        let time = |seconds: i64| Ok::<_, Error>(Duration::from_secs(number("every", seconds)?));
        Ok(match (least, most) {
            (Some(least), Some(most)) => {
                Pace::Adaptive { least: time(least)?, most: time(most)?, now: time(every)? }
            }
            _ => Pace::Every(time(every)?),
        })
    }
}

/// What was written as JSON; nothing is as usual.
pub(crate) fn read<T: serde::de::DeserializeOwned + Default>(
    what: &'static str,
    text: &str,
) -> Result<T, Error> {
    if text.is_empty() {
        return Ok(T::default());
    }
    serde_json::from_str(text).map_err(|_| Error::Damaged { what, found: text.chars().take(200).collect() })
}

impl Wish {
    /// Tags as they are kept: one a line.
    pub(crate) fn tag_lines(&self) -> String {
        let tags = self.tags.iter().map(|tag| tag.split_whitespace().collect::<Vec<_>>().join(" "));
        tags.filter(|tag| !tag.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

impl Watch {
    pub(crate) fn of(row: &Row) -> Result<Watch, Error> {
        let is = |column| Ok::<_, Error>(get::<i64>(row, column)? != 0);
        Ok(Watch {
            id: get(row, "id")?,
            owner: get(row, "owner")?,
            url: get(row, "url")?,
            wish: Wish {
                title: get(row, "title")?,
                tags: get::<String>(row, "tags")?.lines().map(str::to_owned).collect(),
                notes: get(row, "notes")?,
                pace: Pace::of(get(row, "every")?, get(row, "least")?, get(row, "most")?)?,
                how: How { head_first: is("head_first")?, force: is("force")? },
                rules: read("rules", &get::<String>(row, "rules")?)?,
                telling: Telling {
                    gone_after: number("gone_after", get(row, "gone_after")?)?,
                    ..read("notify", &get::<String>(row, "notify")?)?
                },
                is_paused: is("is_paused")?,
            },
            due_at: moment::parse("due_at", get(row, "due_at")?)?,
            added_at: moment::parse("added_at", get(row, "added_at")?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn an_adaptive_pace_stays_within_its_bounds() {
        let mut pace = Pace::Adaptive { least: HOUR, most: 10 * HOUR, now: 4 * HOUR };
        pace = pace.after(true);
        assert_eq!(pace.pause(), 2 * HOUR);
        pace = pace.after(true).after(true);
        assert_eq!(pace.pause(), HOUR);
        assert_eq!(pace.after(false).pause(), HOUR + HOUR / 4);
        for _ in 0..50 {
            pace = pace.after(false);
        }
        assert_eq!(pace.pause(), 10 * HOUR);
        assert_eq!(Pace::Every(HOUR).after(true), Pace::Every(HOUR));
    }

    #[test]
    fn a_pace_is_read_as_it_was_written() {
        for pace in [Pace::Every(HOUR), Pace::Adaptive { least: HOUR, most: 5 * HOUR, now: 2 * HOUR }] {
            let (every, least, most) = pace.numbers();
            assert_eq!(Pace::of(every, least, most).unwrap(), pace);
        }
        assert!(Pace::of(-1, None, None).is_err());
    }
}
