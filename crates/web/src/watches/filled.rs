//! The form of a watch as it was filled in: from a wish and back, and what is wrong beside the field where it stands.

use std::collections::BTreeMap;

use api::FieldFault;
use api::watches::WatchWish;
use diff::{Crossing, RuleSet, Trigger};

/// So many empty lines for triggers are offered.
const SPARE: usize = 2;

/// What is typed into the form.
#[derive(Default)]
pub(super) struct Filled {
    pub(super) url: String,
    pub(super) owner: String,
    pub(super) title: String,
    pub(super) tags: String,
    pub(super) notes: String,
    pub(super) every: String,
    pub(super) head_first: bool,
    pub(super) force: bool,
    pub(super) only: String,
    pub(super) never: String,
    pub(super) words_min: String,
    pub(super) share_min: String,
    pub(super) margins: bool,
    pub(super) noise: bool,
    pub(super) triggers: Vec<TriggerLine>,
    pub(super) notify: String,
    pub(super) quiet: String,
    pub(super) digest: String,
    pub(super) gone_after: String,
}

/// A line of the form that says what sets off an alarm.
#[derive(Clone, Default)]
pub(super) struct TriggerLine {
    /// `appears`, `disappears`, `up`, `down` or `either`; nothing if it is empty.
    pub(super) kind: String,
    pub(super) find: String,
    pub(super) line: String,
}

/// Ways to be set off, and how they are said.
pub(super) const KINDS: [(&str, &str); 6] = [
    ("", "–"),
    ("appears", "this text appears"),
    ("disappears", "this text disappears"),
    ("up", "the number behind it rises to"),
    ("down", "the number behind it falls to"),
    ("either", "the number behind it crosses"),
];

impl Filled {
    /// What a form has sent. What is not known is left out.
    pub(super) fn of_pairs(pairs: Vec<(String, String)>) -> Filled {
        let mut filled = Filled::default();
        let mut lines: [Vec<String>; 3] = Default::default();
        for (name, value) in pairs {
            let place = match name.as_str() {
                "url" => &mut filled.url,
                "owner" => &mut filled.owner,
                "title" => &mut filled.title,
                "tags" => &mut filled.tags,
                "notes" => &mut filled.notes,
                "every" => &mut filled.every,
                "only" => &mut filled.only,
                "never" => &mut filled.never,
                "words_min" => &mut filled.words_min,
                "share_min" => &mut filled.share_min,
                "notify" => &mut filled.notify,
                "quiet" => &mut filled.quiet,
                "digest" => &mut filled.digest,
                "gone_after" => &mut filled.gone_after,
                other => {
                    match other {
                        "head_first" => filled.head_first = true,
                        "force" => filled.force = true,
                        "margins" => filled.margins = true,
                        "noise" => filled.noise = true,
                        "trigger_kind" => lines[0].push(value),
                        "trigger_find" => lines[1].push(value),
                        "trigger_line" => lines[2].push(value),
                        _ => {}
                    }
                    continue;
                }
            };
            *place = value.replace("\r\n", "\n");
        }
        let [kinds, finds, numbers] = lines;
        let mut numbers = numbers.into_iter();
        for (kind, find) in kinds.into_iter().zip(finds) {
            filled.triggers.push(TriggerLine { kind, find, line: numbers.next().unwrap_or_default() });
        }
        filled.with_spare()
    }

    /// A wish, to be changed.
    pub(super) fn of_wish(wish: &WatchWish) -> Filled {
        let rules = &wish.rules;
        let said = |text: String, is_usual: bool| if is_usual { String::new() } else { text };
        let filled = Filled {
            url: wish.url.clone(),
            owner: wish.owner.clone(),
            title: wish.title.clone(),
            tags: wish.tags.join(", "),
            notes: wish.notes.clone(),
            every: wish.every.clone(),
            head_first: wish.head_first,
            force: wish.force,
            only: rules.only.join("\n"),
            never: rules.never.join("\n"),
            words_min: said(rules.words_min.to_string(), rules.words_min == 0),
            share_min: said(percent(rules.share_min), rules.share_min == 0.0),
            margins: rules.margins,
            noise: rules.noise,
            triggers: rules.triggers.iter().map(TriggerLine::of).collect(),
            notify: wish.notify.join("\n"),
            quiet: wish.quiet.clone(),
            digest: wish.digest.clone(),
            gone_after: wish.gone_after.map(|count| count.to_string()).unwrap_or_default(),
        };
        filled.with_spare()
    }

    /// With empty lines for more triggers.
    pub(super) fn with_spare(mut self) -> Filled {
        self.triggers.retain(|line| !line.is_empty());
        let count = self.triggers.len() + SPARE;
        self.triggers.resize_with(count.max(3), TriggerLine::default);
        self
    }

    /// What is wanted, as far as numbers are numbers.
    pub(super) fn wish(&self) -> Result<WatchWish, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let text = |text: &str| text.trim().to_owned();
        let lines = |text: &str| entries(text).map(|(_, entry)| entry.to_owned()).collect();
        let words_min = whole(&self.words_min, "/rules/words_min", &mut faults).unwrap_or_default();
        let share_min = match real(&self.share_min, "/rules/share_min", &mut faults).unwrap_or_default() {
            share if (0.0..=100.0).contains(&share) => share / 100.0,
            _ => {
                faults.push(FieldFault::new("/rules/share_min", "a share is a number from 0 to 100"));
                0.0
            }
        };
        let gone_after = whole(&self.gone_after, "/gone_after", &mut faults);
        let gone_after = gone_after.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let mut triggers = Vec::new();
        for (number, line) in self.triggers.iter().filter(|line| !line.is_empty()).enumerate() {
            let before = faults.len();
            let trigger = line.trigger(&format!("/rules/triggers/{number}"), &mut faults);
            if before == faults.len() {
                triggers.push(trigger);
            }
        }
        let wish = WatchWish {
            url: text(&self.url),
            owner: text(&self.owner),
            title: text(&self.title),
            tags: self.tags.split(',').map(text).filter(|tag| !tag.is_empty()).collect(),
            notes: self.notes.trim().to_owned(),
            every: text(&self.every),
            head_first: self.head_first,
            force: self.force,
            paused: false,
            rules: RuleSet {
                only: lines(&self.only),
                never: lines(&self.never),
                words_min: usize::try_from(words_min).unwrap_or(usize::MAX),
                share_min,
                margins: self.margins,
                noise: self.noise,
                triggers,
            },
            notify: lines(&self.notify),
            quiet: text(&self.quiet),
            digest: text(&self.digest),
            gone_after,
        };
        if faults.is_empty() { Ok(wish) } else { Err(faults) }
    }

    /// What is wrong, beside the fields where it stands.
    pub(super) fn faults(&self, faults: &[FieldFault]) -> Faults {
        let mut all = Faults::default();
        for fault in faults {
            let parts: Vec<&str> = fault.pointer.split('/').skip(1).collect();
            let (field, number) = match parts.as_slice() {
                ["rules", field, number] | [field, number] if *field != "rules" => {
                    (*field, number.parse().ok())
                }
                ["rules", field] | [field] => (*field, None::<usize>),
                _ => ("", None),
            };
            let list = match field {
                "only" => Some(&self.only),
                "never" => Some(&self.never),
                "notify" => Some(&self.notify),
                _ => None,
            };
            let entry = list.zip(number).and_then(|(text, number)| entries(text).nth(number));
            let mut message = crate::error::sentence(&fault.detail);
            if let (Some((line, _)), true) = (entry, list.is_some_and(|list| list.trim().contains('\n'))) {
                message = format!("Line {line}: {message}");
            }
            let marked = entry.zip(fault.at).map(|((_, rule), at)| marked(rule, at));
            match FIELDS.contains(&field) {
                true => all.fields.entry(field.to_owned()).or_default().push(Told { message, marked }),
                false => all.other.push(message),
            }
        }
        all
    }
}

/// Fields that have a place for what is wrong.
const FIELDS: [&str; 14] = [
    "url",
    "owner",
    "title",
    "tags",
    "notes",
    "every",
    "only",
    "never",
    "words_min",
    "share_min",
    "triggers",
    "notify",
    "quiet",
    "gone_after",
];

/// What is wrong.
#[derive(Default)]
pub(super) struct Faults {
    fields: BTreeMap<String, Vec<Told>>,
    /// What belongs to no field.
    pub(super) other: Vec<String>,
}

/// What is wrong with a field.
pub(super) struct Told {
    pub(super) message: String,
    /// The rule: what stands before the place, the character there, and what is behind it.
    pub(super) marked: Option<(String, String, String)>,
}

impl Faults {
    pub(super) fn of(&self, field: &str) -> &[Told] {
        self.fields.get(field).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.other.is_empty()
    }

    pub(super) fn count(&self) -> usize {
        self.fields.values().map(Vec::len).sum::<usize>() + self.other.len()
    }
}

impl TriggerLine {
    fn of(trigger: &Trigger) -> TriggerLine {
        let line = |kind: &str, find: &str, line: String| TriggerLine {
            kind: kind.to_owned(),
            find: find.to_owned(),
            line,
        };
        match trigger {
            Trigger::Appears(find) => line("appears", find, String::new()),
            Trigger::Disappears(find) => line("disappears", find, String::new()),
            Trigger::Number { find, line: at, crossing } => {
                line(crossing_name(*crossing), find, at.to_string())
            }
            _ => TriggerLine::default(),
        }
    }

    fn is_empty(&self) -> bool {
        self.kind.is_empty() && self.find.trim().is_empty()
    }

    fn trigger(&self, pointer: &str, faults: &mut Vec<FieldFault>) -> Trigger {
        let find = self.find.trim().to_owned();
        let crossing = match self.kind.as_str() {
            "appears" => return Trigger::Appears(find),
            "disappears" => return Trigger::Disappears(find),
            "up" => Crossing::Up,
            "down" => Crossing::Down,
            "either" => Crossing::Either,
            _ => {
                let detail = format!("say what is to happen to “{find}”");
                faults.push(FieldFault::new(pointer, detail));
                Crossing::Either
            }
        };
        let line = real(&self.line, pointer, faults);
        if line.is_none() && !self.kind.is_empty() && self.line.trim().is_empty() {
            faults.push(FieldFault::new(pointer, format!("say which number, behind “{find}”")));
        }
        Trigger::Number { find, line: line.unwrap_or_default(), crossing }
    }
}

/// A trigger, for people.
pub(super) fn trigger_words(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Appears(find) => format!("“{find}” appears"),
        Trigger::Disappears(find) => format!("“{find}” disappears"),
        Trigger::Number { find, line, crossing } => {
            let crosses = match crossing {
                Crossing::Up => "rises to",
                Crossing::Down => "falls to",
                _ => "crosses",
            };
            format!("the number behind “{find}” {crosses} {line}")
        }
        _ => "something else".to_owned(),
    }
}

fn crossing_name(crossing: Crossing) -> &'static str {
    match crossing {
        Crossing::Up => "up",
        Crossing::Down => "down",
        _ => "either",
    }
}

/// Lines that say something, each with its number.
fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty())
}

/// A rule cut at the character where it makes no sense; behind its end, there is a blank to be marked.
fn marked(rule: &str, at: usize) -> (String, String, String) {
    let mut chars = rule.chars();
    let before = chars.by_ref().take(at.saturating_sub(1)).collect();
    let here = chars.next().map_or_else(|| "\u{2423}".to_owned(), String::from);
    (before, here, chars.collect())
}

/// As a percentage, without what a share of one cannot say exactly.
fn percent(share: f64) -> String {
    let text = format!("{:.4}", share * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn whole(text: &str, pointer: &str, faults: &mut Vec<FieldFault>) -> Option<u64> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let found = text.parse().ok();
    if found.is_none() {
        faults.push(FieldFault::new(pointer, format!("“{text}” is no whole number")));
    }
    found
}

fn real(text: &str, pointer: &str, faults: &mut Vec<FieldFault>) -> Option<f64> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let found = text.parse().ok().filter(|number: &f64| number.is_finite());
    if found.is_none() {
        faults.push(FieldFault::new(pointer, format!("“{text}” is no number")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &[(&str, &str)]) -> Vec<(String, String)> {
        text.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_wish_survives_the_form() {
        let wish = WatchWish {
            url: "http://a.test/".to_owned(),
            tags: vec!["a".to_owned(), "b c".to_owned()],
            rules: RuleSet {
                only: vec!["main".to_owned(), "css:.price".to_owned()],
                words_min: 3,
                share_min: 0.07,
                margins: true,
                triggers: vec![
                    Trigger::Appears("sold out".to_owned()),
                    Trigger::Number { find: "Price:".to_owned(), line: 9.5, crossing: Crossing::Down },
                ],
                ..RuleSet::default()
            },
            notify: vec!["mailto:ann@example.org".to_owned()],
            gone_after: Some(3),
            ..WatchWish::default()
        };
        assert_eq!(Filled::of_wish(&wish).wish().unwrap(), wish);
    }

    #[test]
    fn faults_stand_beside_their_field_with_their_line() {
        let filled = Filled::of_pairs(pairs(&[
            ("only", "main\r\n\r\nregex:/a(/\r\n"),
            ("words_min", "some"),
            ("trigger_kind", ""),
            ("trigger_find", "cod"),
            ("trigger_line", ""),
            ("trigger_kind", "down"),
            ("trigger_find", "eel"),
            ("trigger_line", "cheap"),
        ]));
        let faults = filled.faults(&filled.wish().unwrap_err());
        assert_eq!(faults.of("words_min")[0].message, "“some” is no whole number.");
        assert_eq!(faults.of("triggers").len(), 2, "{:?}", filled.wish());
        let told =
            FieldFault { pointer: "/rules/only/1".to_owned(), at: Some(9), detail: "unclosed".to_owned() };
        let faults = filled.faults(&[told, FieldFault::new("/paused", "no")]);
        let told = &faults.of("only")[0];
        assert_eq!(told.message, "Line 3: Unclosed.");
        assert_eq!(told.marked, Some(("regex:/a".to_owned(), "(".to_owned(), "/".to_owned())));
        assert_eq!((faults.other.as_slice(), faults.count()), (["No.".to_owned()].as_slice(), 2));
        assert_eq!(marked("ab", 3).1, "␣");
    }
}
