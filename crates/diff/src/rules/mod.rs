//! Which parts of a document count, when a change is worth telling, and what sets off an alarm.
//!
//! | question | file |
//! |---|---|
//! | How is one rule written, and one trigger? | `rule.rs`, `trigger.rs` |
//! | What does a rule choose? | `selector.rs` |
//! | What is left of a document? | `view.rs`, `lines.rs` |
//! | What sets off an alarm? | `alarm.rs`, `number.rs` |

mod alarm;
mod lines;
mod number;
mod rule;
mod selector;
mod trigger;
mod view;

use serde::{Deserialize, Serialize};

use crate::{Document, Error, Limits};
pub use alarm::Fired;
use alarm::Ready;
pub use rule::{Rule, RuleKind};
use selector::Selector;
pub use trigger::{Crossing, Trigger};
pub(crate) use view::View;

/// Rules as they are written and kept.
///
/// Each entry of `only` and `never` is a [`Rule`] as somebody wrote it, `css:div.price` or just `div.price`, so that a fault is told at
/// the character where that person finds it.
///
/// - CSS and XPath choose parts of pages, JSON path of JSON documents; on documents of another kind they choose nothing.
/// - `only` with a pattern keeps what matches, or its first group; `never` takes away each line that a match touches.
/// - `only` with a text keeps the lines that contain it, `never` takes them away; upper and lower case are the same.
///
/// ```
/// # use diff::RuleSet;
/// let rules: RuleSet = serde_json::from_str(
///     r#"{"only": ["css:main"], "never": [".advert"], "words_min": 3, "triggers": ["appears sold out"]}"#,
/// )?;
/// assert_eq!(rules.only, ["css:main"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RuleSet {
    /// Only these parts count; all if there are none. What is chosen counts also if it is a date, a counter, or different at every visit.
    pub only: Vec<String>,
    /// These parts never count.
    pub never: Vec<String>,
    /// A change of fewer words is not worth telling.
    pub words_min: usize,
    /// A change of a smaller share of the words, from 0 to 1, is not worth telling.
    pub share_min: f64,
    /// Navigation, headers, footers and asides count as well.
    pub margins: bool,
    /// What is known to change at every visit counts as well.
    pub noise: bool,
    /// If there are any, only what sets off one of these is worth telling.
    pub triggers: Vec<Trigger>,
}

/// Rules, ready to be applied.
///
/// ```
/// use diff::{Document, Limits, RuleSet, Rules};
///
/// let limits = Limits::default();
/// let rules = RuleSet { only: vec!["css:main".into()], never: vec![".advert".into()], ..RuleSet::default() };
/// let rules = Rules::new(&rules, &limits)?;
/// let page = Document::page("<nav>home</nav><main>Cod<p class=advert>Buy!</main>", &limits);
/// assert_eq!(rules.text(&page)?, "Cod\n");
/// # Ok::<(), diff::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rules {
    only: Vec<Selector>,
    never: Vec<Selector>,
    pub(crate) words_min: usize,
    pub(crate) share_min: f64,
    pub(crate) margins: bool,
    pub(crate) noise: bool,
    triggers: Vec<Ready>,
    pub(crate) limits: Limits,
}

impl RuleSet {
    /// Whether small changes are not worth telling: then a version is compared with the last one that was told of, so that small
    /// changes add up.
    #[must_use]
    pub fn has_thresholds(&self) -> bool {
        self.words_min > 1 || self.share_min > 0.0
    }

    /// Whether only what sets off one of the triggers is worth telling.
    #[must_use]
    pub fn has_triggers(&self) -> bool {
        !self.triggers.is_empty()
    }
}

impl Rules {
    /// Reads rules.
    ///
    /// # Errors
    /// If one makes no sense; the message names the rule and the place in it.
    pub fn new(set: &RuleSet, limits: &Limits) -> Result<Rules, Error> {
        let count = set.only.len() + set.never.len() + set.triggers.len();
        if count > limits.rules_max {
            return Err(Error::TooManyRules { count, max: limits.rules_max });
        }
        let read = |rules: &[String]| -> Result<Vec<Selector>, Error> {
            rules.iter().map(|rule| Selector::new(rule, limits)).collect()
        };
        Ok(Rules {
            only: read(&set.only)?,
            never: read(&set.never)?,
            words_min: set.words_min,
            share_min: set.share_min,
            margins: set.margins,
            noise: set.noise,
            triggers: set
                .triggers
                .iter()
                .map(|trigger| Ready::new(trigger, limits))
                .collect::<Result<_, _>>()?,
            limits: *limits,
        })
    }

    /// No rules: everything counts but margins and what is known to be noise.
    #[must_use]
    pub fn none(limits: &Limits) -> Rules {
        Rules {
            only: Vec::new(),
            never: Vec::new(),
            words_min: 0,
            share_min: 0.0,
            margins: false,
            noise: false,
            triggers: Vec::new(),
            limits: *limits,
        }
    }

    /// What the rules keep of a document, for people: the preview of a rule that is being written.
    ///
    /// # Errors
    /// If a rule takes too many steps on this document.
    pub fn text(&self, document: &Document) -> Result<String, Error> {
        Ok(self.view(document)?.text())
    }

    /// Whether parts were chosen, so that they count wherever they stand.
    pub(crate) fn chooses(&self) -> bool {
        !self.only.is_empty()
    }

    /// What sets off an alarm between two versions; `None` if no triggers were set.
    pub(crate) fn fired(&self, old: &View<'_>, new: &View<'_>) -> Result<Option<Vec<Fired>>, Error> {
        if self.triggers.is_empty() {
            return Ok(None);
        }
        let (old, new) = (old.text(), new.text());
        let fired =
            self.triggers.iter().filter_map(|trigger| trigger.fires(&old, &new, &self.limits).transpose());
        fired.collect::<Result<_, _>>().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_rules_is_plain_in_json() {
        let set = RuleSet {
            only: vec!["css:main".into(), "//h1".into()],
            triggers: vec!["appears sold out".parse().unwrap()],
            ..RuleSet::default()
        };
        let json = serde_json::to_string(&set).unwrap();
        assert_eq!(
            json,
            r#"{"only":["css:main","//h1"],"never":[],"words_min":0,"share_min":0.0,"margins":false,"noise":false,"triggers":["appears sold out"]}"#
        );
        assert_eq!(serde_json::from_str::<RuleSet>(&json).unwrap(), set);
        assert_eq!(serde_json::from_str::<RuleSet>("{}").unwrap(), RuleSet::default());
        let objects = r#"{"triggers": [{"appears": "sold out"}], "only": ["css:main", "//h1"]}"#;
        assert_eq!(serde_json::from_str::<RuleSet>(objects).unwrap(), set);
        assert!(serde_json::from_str::<RuleSet>(r#"{"onyl": []}"#).is_err());
    }
}
