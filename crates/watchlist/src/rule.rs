//! Which parts of a page count, and what sets off an alarm.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a rule's text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleKind {
    /// A CSS selector.
    Css,
    /// An XPath expression.
    XPath,
    /// A regular expression, or one between slashes with flags behind it.
    Regex,
    /// A path into a JSON document, from `$`.
    JsonPath,
    /// A text, found in upper and lower case alike.
    Text,
}

/// Names parts of a document. It is written with its kind in front: `css:div.price`, `xpath://h1`, `regex:/sold \d+/i`,
/// `json:$.items[*].name`, `text:cookies`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What it is.
    pub kind: RuleKind,
    /// The selector, path, pattern or text.
    pub text: String,
}

/// What sets off an alarm. A text between slashes is a pattern: `/sold (out|off)/i`; any other is found in upper and lower case
/// alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
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
        /// The line. Kept as text, because a number in JSON may come back as its neighbour.
        #[serde(serialize_with = "write_line", deserialize_with = "read_line")]
        line: f64,
        /// Which way.
        #[serde(default)]
        crossing: Crossing,
    },
}

/// Which way a number crosses a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
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

impl RuleKind {
    const ALL: [RuleKind; 5] =
        [RuleKind::Css, RuleKind::XPath, RuleKind::Regex, RuleKind::JsonPath, RuleKind::Text];

    /// The word in front of a rule.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            RuleKind::Css => "css",
            RuleKind::XPath => "xpath",
            RuleKind::Regex => "regex",
            RuleKind::JsonPath => "json",
            RuleKind::Text => "text",
        }
    }

    /// Whether it chooses lines of a text, not parts of a page or of a JSON document.
    #[must_use]
    pub fn is_of_lines(self) -> bool {
        matches!(self, RuleKind::Regex | RuleKind::Text)
    }
}

impl Rule {
    /// A rule of a kind.
    #[must_use]
    pub fn new(kind: RuleKind, text: impl Into<String>) -> Rule {
        Rule { kind, text: text.into() }
    }

    /// A rule for everything with this value of an attribute.
    pub(crate) fn attribute(name: &str, value: &str) -> Rule {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\a ");
        Rule::new(RuleKind::Css, format!("[{name}=\"{value}\"]"))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.word(), self.text)
    }
}

impl FromStr for Rule {
    type Err = String;

    /// Without a word in front, what begins with `/` or `(` is XPath, what begins with `$` is a JSON path, and all else is CSS.
    fn from_str(text: &str) -> Result<Rule, String> {
        let named = text.split_once(':').and_then(|(word, rest)| {
            let kind = RuleKind::ALL.into_iter().find(|kind| kind.word() == word)?;
            Some(Rule::new(kind, rest))
        });
        let rule = named.unwrap_or_else(|| {
            let kind = match text.trim_start().as_bytes().first() {
                Some(b'/' | b'(') => RuleKind::XPath,
                Some(b'$') => RuleKind::JsonPath,
                _ => RuleKind::Css,
            };
            Rule::new(kind, text)
        });
        if rule.text.trim().is_empty() { Err(format!("the rule `{text}` says nothing")) } else { Ok(rule) }
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rule, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Crossing {
    fn word(self) -> &'static str {
        match self {
            Crossing::Up => "up",
            Crossing::Down => "down",
            Crossing::Either => "either",
        }
    }
}

/// On one line: `appears sold out`, `disappears sold out`, `number down 10 Price:`.
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
    type Err = String;

    fn from_str(text: &str) -> Result<Trigger, String> {
        let fault = || {
            format!(
                "`{text}` is no trigger such as `appears sold out`, `disappears sold out` or `number down 10 Price:`"
            )
        };
        let (word, rest) = text.split_once(' ').ok_or_else(fault)?;
        let trigger = match word {
            "appears" => Trigger::Appears(rest.to_owned()),
            "disappears" => Trigger::Disappears(rest.to_owned()),
            "number" => {
                let (crossing, rest) = rest.split_once(' ').ok_or_else(fault)?;
                let (line, find) = rest.split_once(' ').ok_or_else(fault)?;
                let all = [Crossing::Up, Crossing::Down, Crossing::Either];
                let crossing = all.into_iter().find(|known| known.word() == crossing).ok_or_else(fault)?;
                Trigger::Number { find: find.to_owned(), line: number(line)?, crossing }
            }
            _ => return Err(fault()),
        };
        let (Trigger::Appears(find) | Trigger::Disappears(find) | Trigger::Number { find, .. }) = &trigger;
        if find.trim().is_empty() { Err(fault()) } else { Ok(trigger) }
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| format!("`{text}` is no number"))
}

fn write_line<S: Serializer>(line: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(line)
}

fn read_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    number(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_without_a_word_in_front_is_guessed() {
        for (text, whole) in [
            ("div.price", "css:div.price"),
            ("a:hover", "css:a:hover"),
            ("//h1", "xpath://h1"),
            ("(//h1)[1]", "xpath:(//h1)[1]"),
            ("$.a", "json:$.a"),
            ("regex:/a/i", "regex:/a/i"),
        ] {
            assert_eq!(text.parse::<Rule>().unwrap().to_string(), whole, "{text}");
        }
        assert!("css: ".parse::<Rule>().is_err());
    }

    #[test]
    fn triggers_are_read_as_they_are_written() {
        for text in
            ["appears sold out", "disappears /a b/i", "number down -0.1 Price: €", "number either 1 /(\\d+)/"]
        {
            assert_eq!(text.parse::<Trigger>().unwrap().to_string(), text);
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
    fn a_value_stays_within_its_quotes() {
        assert_eq!(Rule::attribute("id", "a\"] *, [b=\"\\").text, r#"[id="a\"] *, [b=\"\\"]"#);
    }
}
