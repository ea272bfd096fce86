//! What a rule chooses: its text, read as what it is.

use serde_json_path::JsonPath;

use super::rule::{RuleKind, shown};
use crate::css::Css;
use crate::error::RuleFault;
use crate::pattern::Pattern;
use crate::xpath::XPath;
use crate::{Error, Limits};

/// What names parts of a document.
#[derive(Debug, Clone)]
pub(super) enum Selector {
    Css(Css),
    XPath(XPath),
    Json(Box<JsonPath>),
    Pattern(Pattern),
    /// In lower case.
    Text(String),
}

impl Selector {
    /// Reads a rule.
    pub(super) fn new(rule: &str, limits: &Limits) -> Result<Selector, Error> {
        let length = rule.chars().count();
        Selector::read(rule, length, limits).map_err(|fault| Error::Rule {
            rule: shown(rule),
            at: fault.at.min(length + 1),
            why: fault.why,
        })
    }

    fn read(rule: &str, length: usize, limits: &Limits) -> Result<Selector, RuleFault> {
        if rule.len() > limits.rule_bytes_max {
            return Err(RuleFault::new(1, "the rule is too long"));
        }
        let (kind, body) = RuleKind::split(rule);
        if body.trim().is_empty() {
            return Err(RuleFault::new(length.max(1), "there is nothing in it"));
        }
        let selector = match kind {
            RuleKind::Css => Css::new(body).map(Selector::Css),
            RuleKind::XPath => XPath::new(body).map(Selector::XPath),
            RuleKind::Regex => pattern(body, limits).map(Selector::Pattern),
            RuleKind::JsonPath => json(body).map(Selector::Json),
            RuleKind::Text => Ok(Selector::Text(body.to_lowercase())),
        };
        // Places are told in the rule as it was written.
        selector.map_err(|fault| fault.behind(length - body.chars().count()))
    }
}

/// A pattern as it is, or between slashes with flags behind: `/sold \d+/i`.
pub(super) fn pattern(body: &str, limits: &Limits) -> Result<Pattern, RuleFault> {
    let (inner, flags, before) = match body.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')) {
        Some((inner, flags)) if flags.chars().all(|flag| "imsux".contains(flag)) => (inner, flags, 1),
        _ => (body, "", 0),
    };
    Pattern::new(inner, flags, limits.regex_bytes_max).map_err(|fault| fault.behind(before))
}

fn json(body: &str) -> Result<Box<JsonPath>, RuleFault> {
    let path = body.trim();
    JsonPath::parse(path).map(Box::new).map_err(|error| {
        // It counts bytes, and people count characters.
        let at = path.char_indices().take_while(|(at, _)| *at < error.position()).count();
        let before = body.chars().take_while(|char| char.is_whitespace()).count();
        RuleFault::new(at + 1, error.message()).behind(before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(rule: &str, at: usize, why: &str) {
        match Selector::new(rule, &Limits::default()) {
            Err(Error::Rule { at: found, why: said, .. }) => {
                assert!(found == at && said.contains(why), "{rule}: {found} {said}");
            }
            other => panic!("{rule}: {other:?}"),
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_in_the_whole_rule() {
        refused("css:p:nosuch", 7, "there is no `:nosuch`");
        refused("xpath://a[", 11, "missing at the end");
        refused("//a]", 4, "too much");
        refused("regex:a(b", 8, "unclosed group");
        refused("regex:/a(b/i", 9, "unclosed group");
        refused("regex:(?:a{1000}){1000}", 7, "too much memory");
        refused("json:$.a[", 9, "");
        refused("text:", 5, "nothing");
        refused(&"a".repeat(5000), 1, "too long");
    }

    #[test]
    fn the_kind_of_a_rule_is_told_by_its_start() {
        let limits = Limits::default();
        assert!(matches!(Selector::new("//a", &limits), Ok(Selector::XPath(_))));
        assert!(matches!(Selector::new("$.a", &limits), Ok(Selector::Json(_))));
        assert!(matches!(Selector::new("a:first-child", &limits), Ok(Selector::Css(_))));
        assert!(matches!(Selector::new("regex:(a+)+$", &limits), Ok(Selector::Pattern(_))));
        assert!(
            matches!(Selector::new("text:Cookies", &limits), Ok(Selector::Text(text)) if text == "cookies")
        );
    }
}
