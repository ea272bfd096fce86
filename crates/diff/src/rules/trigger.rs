//! What sets off an alarm, as it is written: something appears, something disappears, a number crosses a line.

use std::fmt;
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::rule::shown;
use crate::Error;

/// A trigger as it is written and kept, on one line: `appears sold out`, `disappears sold out`, `number down 10 Price:`. A text between
/// slashes is a pattern: `/sold (out|off)/i`; any other is found in upper and lower case alike.
///
/// In JSON it is that line, which loses nothing of its number. What programs rather put together is read as well:
/// `{"appears": "sold out"}`, `{"number": {"find": "Price:", "line": 10, "crossing": "down"}}`.
///
/// ```
/// use diff::{Crossing, Trigger};
///
/// let trigger: Trigger = "number down 10 Price:".parse()?;
/// assert_eq!(trigger, Trigger::Number { find: "Price:".into(), line: 10.0, crossing: Crossing::Down });
/// # Ok::<(), diff::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(remote = "Self", rename_all = "lowercase", deny_unknown_fields)]
#[non_exhaustive]
pub enum Trigger {
    /// It is there now, and was not before.
    Appears(String),
    /// It was there before, and is not now.
    Disappears(String),
    /// A number crosses a line. It is the first behind the text, or in the first group of the pattern.
    Number {
        /// What stands before the number, or a pattern.
        find: String,
        /// The line.
        #[serde(deserialize_with = "read_line")]
        line: f64,
        /// Which way.
        #[serde(default)]
        crossing: Crossing,
    },
}

/// Which way a number crosses a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Crossing {
    /// From below to the line or above.
    Up,
    /// From above to the line or below.
    Down,
    /// Either way.
    #[default]
    Either,
}

impl Trigger {
    /// What is looked for.
    pub(super) fn find(&self) -> &str {
        let (Trigger::Appears(find) | Trigger::Disappears(find) | Trigger::Number { find, .. }) = self;
        find
    }
}

impl Crossing {
    const ALL: [Crossing; 3] = [Crossing::Up, Crossing::Down, Crossing::Either];

    fn word(self) -> &'static str {
        match self {
            Crossing::Up => "up",
            Crossing::Down => "down",
            Crossing::Either => "either",
        }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trigger::Appears(find) => write!(f, "appears {find}"),
            Trigger::Disappears(find) => write!(f, "disappears {find}"),
            Trigger::Number { find, line, crossing } => write!(f, "number {} {line} {find}", crossing.word()),
        }
    }
}

impl FromStr for Trigger {
    type Err = Error;

    fn from_str(text: &str) -> Result<Trigger, Error> {
        let fault = || Error::Trigger { trigger: shown(text) };
        let (word, rest) = text.split_once(' ').ok_or_else(fault)?;
        let trigger = match word {
            "appears" => Trigger::Appears(rest.to_owned()),
            "disappears" => Trigger::Disappears(rest.to_owned()),
            "number" => {
                let (crossing, rest) = rest.split_once(' ').ok_or_else(fault)?;
                let (line, find) = rest.split_once(' ').ok_or_else(fault)?;
                let crossing =
                    Crossing::ALL.into_iter().find(|known| known.word() == crossing).ok_or_else(fault)?;
                Trigger::Number { find: find.to_owned(), line: number(line)?, crossing }
            }
            _ => return Err(fault()),
        };
        if trigger.find().trim().is_empty() { Err(fault()) } else { Ok(trigger) }
    }
}

fn number(text: &str) -> Result<f64, Error> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| Error::NoNumber { text: shown(text) })
}

impl Serialize for Trigger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Trigger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Trigger, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

/// Reads either spelling.
struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Trigger;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a trigger such as \"appears sold out\"")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Trigger, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Trigger, A::Error> {
        Trigger::deserialize(MapAccessDeserializer::new(map))
    }
}

/// The line as a number, or as text, which older exports have so that none comes back as its neighbour.
fn read_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "the line must be a number")]
    enum Line {
        Number(f64),
        Text(String),
    }
    match Line::deserialize(deserializer)? {
        Line::Number(line) => Ok(line),
        Line::Text(text) => number(&text).map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triggers_are_read_as_they_are_written() {
        for text in
            ["appears sold out", "disappears /a b/i", "number down -0.1 Price: €", "number either 1 /(\\d+)/"]
        {
            let trigger: Trigger = text.parse().unwrap();
            assert_eq!(trigger.to_string(), text);
            let json = serde_json::to_value(&trigger).unwrap();
            assert_eq!(json, text);
            assert_eq!(serde_json::from_value::<Trigger>(json).unwrap(), trigger);
        }
        for text in [
            "",
            "appears",
            "appears ",
            "number",
            "number down",
            "number down x y",
            "number down NaN y",
            "other x",
        ] {
            assert!(text.parse::<Trigger>().is_err(), "{text}");
        }
    }

    #[test]
    fn triggers_may_be_put_together_of_parts() {
        for (json, line) in [
            (r#"{"appears": "sold out"}"#, "appears sold out"),
            (r#"{"disappears": "/a b/i"}"#, "disappears /a b/i"),
            (r#"{"number": {"find": "Price:", "line": 10}}"#, "number either 10 Price:"),
            (
                r#"{"number": {"find": "Price:", "line": "0.1", "crossing": "down"}}"#,
                "number down 0.1 Price:",
            ),
        ] {
            assert_eq!(serde_json::from_str::<Trigger>(json).unwrap().to_string(), line, "{json}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_trigger_is_told() {
        for (json, why) in [
            ("\"sold out\"", "`sold out` is no trigger such as `appears sold out`"),
            ("\"number up x Price:\"", "`x` is no number"),
            ("5", "expected a trigger such as \"appears sold out\""),
            (r#"{"comes": "a"}"#, "unknown variant `comes`"),
            (r#"{"appears": "a", "disappears": "b"}"#, ""),
            (r#"{"number": {"find": "a", "line": []}}"#, "the line must be a number"),
            (r#"{"number": {"find": "a", "line": "inf"}}"#, "`inf` is no number"),
            (r#"{"number": {"find": "a", "line": 1, "way": "up"}}"#, "unknown field `way`"),
        ] {
            let error = serde_json::from_str::<Trigger>(json).unwrap_err().to_string();
            assert!(error.contains(why), "{json}: {error}");
        }
    }
}
