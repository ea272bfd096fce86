//! One rule as it is written: what it is, and its text.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Error;

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
/// `json:$.items[*].name`, `text:cookies`. Without such a word, what begins with `/` or `(` is XPath, what begins with `$` is a JSON
/// path, and all else is CSS. In JSON it is that text.
///
/// Whether the text makes sense is found out by [`Rules::new`](crate::Rules::new).
///
/// ```
/// use diff::{Rule, RuleKind};
///
/// let rule: Rule = "//h1".parse()?;
/// assert_eq!(rule, Rule::new(RuleKind::XPath, "//h1"));
/// assert_eq!(rule.to_string(), "xpath://h1");
/// # Ok::<(), diff::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    /// What it is.
    pub kind: RuleKind,
    /// The selector, path, pattern or text.
    pub text: String,
}

impl RuleKind {
    /// Every kind there is.
    pub const ALL: [RuleKind; 5] =
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

    /// What a rule is as it is written, and its text within that.
    pub(super) fn split(written: &str) -> (RuleKind, &str) {
        let named = written.split_once(':').and_then(|(word, text)| {
            Some((RuleKind::ALL.into_iter().find(|kind| kind.word() == word)?, text))
        });
        named.unwrap_or_else(|| match written.trim_start().as_bytes().first() {
            Some(b'/' | b'(') => (RuleKind::XPath, written),
            Some(b'$') => (RuleKind::JsonPath, written),
            _ => (RuleKind::Css, written),
        })
    }
}

impl Rule {
    /// A rule of a kind.
    #[must_use]
    pub fn new(kind: RuleKind, text: impl Into<String>) -> Rule {
        Rule { kind, text: text.into() }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.word(), self.text)
    }
}

impl FromStr for Rule {
    type Err = Error;

    fn from_str(written: &str) -> Result<Rule, Error> {
        let (kind, text) = RuleKind::split(written);
        if text.trim().is_empty() {
            return Err(Error::EmptyRule { rule: shown(written) });
        }
        Ok(Rule::new(kind, text))
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

/// A rule or trigger in a message: not longer than a line.
pub(super) fn shown(written: &str) -> String {
    let mut chars = written.chars();
    let mut shown: String = chars.by_ref().take(120).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
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
            let rule: Rule = text.parse().unwrap();
            assert_eq!(rule.to_string(), whole, "{text}");
            assert_eq!(serde_json::from_value::<Rule>(serde_json::to_value(&rule).unwrap()).unwrap(), rule);
        }
        let error = "css: ".parse::<Rule>().unwrap_err().to_string();
        assert_eq!(error, "the rule `css: ` says nothing");
        let error = serde_json::from_str::<Rule>("\"text:\"").unwrap_err().to_string();
        assert!(error.starts_with("the rule `text:` says nothing"), "{error}");
    }
}
