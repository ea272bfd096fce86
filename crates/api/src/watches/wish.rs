//! What somebody wants of a watch, as it is written in JSON.

use diff::{RuleSet, Rules};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Error, FieldFault, Limits};

/// The word for "nobody" and "never", where the settings would say otherwise.
pub const NOBODY: &str = "none";

/// What is wanted of a watch. What is not said is taken over from the settings when the watch is added or changed; a later change of them
/// does not reach it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WatchWish {
    /// What is watched; `http://` may be left out.
    pub url: String,
    /// Whose it is; `me` if nothing is said.
    pub owner: String,
    /// What people call it.
    pub title: String,
    /// Words by which it is found.
    pub tags: Vec<String>,
    /// What somebody wants to remember of it.
    pub notes: String,
    /// How often: `1h`, `daily`, `adaptive 10m..24h`; as the settings have it now if it is empty.
    pub every: String,
    /// Ask by HEAD first: for servers that send a digest.
    pub head_first: bool,
    /// Take the document also where it is larger than usual.
    pub force: bool,
    /// Not checked for the time being.
    pub paused: bool,
    /// What counts, and what is worth telling.
    pub rules: RuleSet,
    /// Who is told: `mailto:ann@example.org`, `https://hooks.example.org/varve`; as the settings have it now if there are none,
    /// and nobody if it is [`NOBODY`] alone.
    pub notify: Vec<String>,
    /// When nobody is told: `22:00-07:00 Europe/Prague`; as the settings have it now if it is empty, and never if it is [`NOBODY`].
    pub quiet: String,
    /// How long mails are put together: `24h`; as the settings have it now if it is empty, and not at all if it is [`NOBODY`].
    pub digest: String,
    /// After so many checks in a row at which it was not there somebody is told; 0 is never.
    pub gone_after: Option<u32>,
}

impl WatchWish {
    /// Whether it keeps to the bounds, and its rules make sense.
    ///
    /// # Errors
    /// [`Error::Fields`] with everything that is wrong.
    pub fn check(&self, limits: &Limits) -> Result<(), Error> {
        let mut faults = Vec::new();
        if self.url.trim().is_empty() {
            faults.push(FieldFault::new("/url", "it is needed"));
        }
        if self.url.len() > limits.url_bytes {
            faults.push(too_long("/url", limits.url_bytes, "bytes"));
        }
        if self.notes.len() > limits.notes_bytes {
            faults.push(too_long("/notes", limits.notes_bytes, "bytes"));
        }
        if self.owner.chars().nth(limits.name_chars).is_some() {
            faults.push(too_long("/owner", limits.name_chars, "characters"));
        }
        let words = [
            ("/title", &self.title),
            ("/every", &self.every),
            ("/quiet", &self.quiet),
            ("/digest", &self.digest),
        ];
        for (pointer, text) in words {
            if text.chars().nth(limits.words_chars).is_some() {
                faults.push(too_long(pointer, limits.words_chars, "characters"));
            }
        }
        let lists =
            [("/tags", &self.tags, limits.words_chars), ("/notify", &self.notify, limits.url_bytes / 4)];
        for (pointer, list, chars) in lists {
            if list.len() > limits.entries {
                faults.push(FieldFault::new(pointer, format!("at most {} are taken", limits.entries)));
            }
            for (number, entry) in list.iter().enumerate() {
                if entry.chars().nth(chars).is_some() {
                    faults.push(too_long(&format!("{pointer}/{number}"), chars, "characters"));
                }
            }
        }
        faults.extend(self.rule_faults());
        if faults.is_empty() { Ok(()) } else { Err(Error::Fields(faults)) }
    }

    /// Whether its rules make sense.
    pub(super) fn check_rules(&self) -> Result<(), Error> {
        let faults = self.rule_faults();
        if faults.is_empty() { Ok(()) } else { Err(Error::Fields(faults)) }
    }

    /// Each rule is read on its own, so that every fault is told with its place.
    fn rule_faults(&self) -> Vec<FieldFault> {
        let RuleSet { only, never, triggers, share_min, .. } = &self.rules;
        let limits = diff::Limits::default();
        if only.len() + never.len() + triggers.len() > limits.rules_max {
            return vec![FieldFault::new("/rules", format!("at most {} are taken", limits.rules_max))];
        }
        let one = RuleSet::default;
        let only =
            only.iter().map(|rule| ("only", RuleSet { only: vec![rule.clone()], ..one() })).enumerate();
        let never =
            never.iter().map(|rule| ("never", RuleSet { never: vec![rule.clone()], ..one() })).enumerate();
        let triggers = triggers
            .iter()
            .map(|trigger| ("triggers", RuleSet { triggers: vec![trigger.clone()], ..one() }))
            .enumerate();
        let faults = only.chain(never).chain(triggers).filter_map(|(number, (list, set))| {
            let error = Rules::new(&set, &limits).err()?;
            let pointer = format!("/rules/{list}/{number}");
            Some(match error {
                diff::Error::Rule { at, why, .. } => FieldFault { pointer, at: Some(at), detail: why },
                error => FieldFault::new(pointer, error.to_string()),
            })
        });
        let mut faults: Vec<FieldFault> = faults.collect();
        if !(0.0..=1.0).contains(share_min) {
            faults.push(FieldFault::new("/rules/share_min", "a share is a number from 0 to 1"));
        }
        faults
    }

    /// The same with what was sent in place of what was there; `null` is as usual. Objects are taken field by field (RFC 7396).
    ///
    /// # Errors
    /// When a field is not known or of another type, or is one that stays.
    pub(super) fn changed_by(&self, sent: Value) -> Result<WatchWish, Error> {
        let Value::Object(members) = &sent else { return Err(Error::bad("the body is to be an object")) };
        let stays = ["url", "owner"].into_iter().filter(|field| members.contains_key(*field));
        let faults: Vec<FieldFault> =
            stays.map(|field| FieldFault::new(format!("/{field}"), "it stays as it is")).collect();
        if !faults.is_empty() {
            return Err(Error::Fields(faults));
        }
        let mut whole = serde_json::to_value(self).map_err(|error| Error::bad(error.to_string()))?;
        merge(&mut whole, sent);
        serde_json::from_value(whole).map_err(|error| Error::bad(error.to_string()))
    }
}

fn too_long(pointer: &str, max: usize, of_what: &str) -> FieldFault {
    FieldFault::new(pointer, format!("it has more than {max} {of_what}"))
}

fn merge(whole: &mut Value, sent: Value) {
    match (whole, sent) {
        (Value::Object(whole), Value::Object(sent)) => {
            for (name, value) in sent {
                match value {
                    Value::Null => drop(whole.remove(&name)),
                    value => merge(whole.entry(name).or_insert(Value::Null), value),
                }
            }
        }
        (whole, sent) => *whole = sent,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_given_changes() {
        let rules = RuleSet { only: vec!["main".to_owned()], words_min: 3, ..RuleSet::default() };
        let wish = WatchWish {
            url: "http://a.test/".to_owned(),
            gone_after: Some(3),
            rules,
            ..WatchWish::default()
        };
        let sent = json!({ "title": "A", "gone_after": null, "rules": { "only": [], "margins": true } });
        let changed = wish.changed_by(sent).unwrap();
        let rules = RuleSet { words_min: 3, margins: true, ..RuleSet::default() };
        let expected = WatchWish {
            title: "A".to_owned(),
            gone_after: None,
            rules,
            url: wish.url.clone(),
            ..WatchWish::default()
        };
        assert_eq!(changed, expected);
        for sent in [json!([]), json!({ "pace": 1 }), json!({ "title": 1 }), json!({ "owner": "eve" })] {
            assert!(wish.changed_by(sent.clone()).is_err(), "{sent}");
        }
    }

    #[test]
    fn every_fault_has_its_place() {
        let rules = RuleSet {
            only: vec!["main".to_owned(), "regex:/a(/".to_owned()],
            triggers: vec![diff::Trigger::Appears(String::new())],
            share_min: f64::NAN,
            ..RuleSet::default()
        };
        let wish = WatchWish { rules, title: "x".repeat(301), ..WatchWish::default() };
        let Err(Error::Fields(faults)) = wish.check(&Limits::default()) else { panic!("nothing is wrong") };
        let places: Vec<(&str, Option<usize>)> =
            faults.iter().map(|fault| (fault.pointer.as_str(), fault.at)).collect();
        let expected = [
            ("/url", None),
            ("/title", None),
            ("/rules/only/1", Some(9)),
            ("/rules/triggers/0", Some(1)),
            ("/rules/share_min", None),
        ];
        assert_eq!(places, expected, "{faults:?}");
    }
}
