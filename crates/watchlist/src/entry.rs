//! One watched page, as everybody would say it.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Time;
use serde::{Deserialize, Serialize};

use crate::{Pace, Rule, Trigger};

/// One watched page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Entry {
    /// What is watched: `http` or `https`.
    pub url: String,
    /// What people call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where people read it, if that is elsewhere: the page of a feed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// What is watched is a feed.
    #[serde(skip_serializing_if = "is_false")]
    pub is_feed: bool,
    /// The folder it lies in, the outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folder: Vec<String>,
    /// Words by which it is found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// How often it is checked.
    #[serde(rename = "every", skip_serializing_if = "Pace::is_usual")]
    pub pace: Pace,
    /// Not checked for the time being.
    #[serde(skip_serializing_if = "is_false")]
    pub is_paused: bool,
    /// Only these parts count; all if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<Rule>,
    /// These parts never count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<Rule>,
    /// If there are any, only what sets off one of these is worth telling.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<Trigger>,
    /// `GET` if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Fields of the request beyond the usual ones, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// What is sent along.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Who is told: addresses, as the source writes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notify: Vec<String>,
    /// When nobody is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Quiet>,
    /// What somebody wants to remember of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// What the source says and we cannot do, in plain words, each with its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsupported: Vec<String>,
}

/// Hours in which nobody is told: `22:00-07:00 Europe/Copenhagen`. They may go over midnight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quiet {
    /// From then on.
    pub from: Time,
    /// Until then.
    pub to: Time,
    /// The name of the time zone; the program's own if there is none. Whether there is such a zone is not asked here.
    pub zone: Option<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Entry {
    /// An entry of which only the URL is known.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Entry {
        Entry { url: url.into(), ..Entry::default() }
    }
}

impl fmt::Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (sign, time) in [("", self.from), ("-", self.to)] {
            write!(f, "{sign}{:02}:{:02}", time.hour(), time.minute())?;
            if time.second() != 0 || time.subsec_nanosecond() != 0 {
                write!(f, ":{:02}", time.second())?;
            }
            if time.subsec_nanosecond() != 0 {
                write!(f, ".{:09}", time.subsec_nanosecond())?;
            }
        }
        self.zone.as_ref().map_or(Ok(()), |zone| write!(f, " {zone}"))
    }
}

impl FromStr for Quiet {
    type Err = String;

    fn from_str(text: &str) -> Result<Quiet, String> {
        let fault = || format!("`{text}` is no time of quiet such as `22:00-07:00 Europe/Copenhagen`");
        let (hours, zone) = match text.trim().split_once(' ') {
            Some((hours, zone)) => (hours, Some(zone.trim().to_owned())),
            None => (text.trim(), None),
        };
        let (from, to) = hours.split_once('-').ok_or_else(fault)?;
        let time = |text: &str| text.parse::<Time>().map_err(|_| fault());
        Ok(Quiet { from: time(from)?, to: time(to)?, zone: zone.filter(|zone| !zone.is_empty()) })
    }
}

impl Serialize for Quiet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Quiet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Quiet, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_are_read_as_they_are_written() {
        for text in
            ["22:00-07:00 Europe/Copenhagen", "00:00-23:59", "12:30:05-13:00", "01:00:00.500000000-02:00 UTC"]
        {
            assert_eq!(text.parse::<Quiet>().unwrap().to_string(), text);
        }
        for text in ["", "22", "22:00", "25:00-07:00", "22:00-", "a-b"] {
            assert!(text.parse::<Quiet>().is_err(), "{text}");
        }
    }
}
