//! Entries while they are made: what is taken over, what is told, and what becomes of it in the end.

use url::Url;

use crate::error::excerpt;
use crate::{Entry, Error, LeftOut, Limits, List, Place, Rule, RuleKind, Trigger};

/// The most that is told of one entry.
const TOLD_MAX: usize = 100;

/// A list while it is read.
pub(crate) struct Drafts<'l> {
    list: List,
    limits: &'l Limits,
}

impl<'l> Drafts<'l> {
    pub(crate) fn new(limits: &'l Limits) -> Drafts<'l> {
        Drafts { list: List::default(), limits }
    }

    pub(crate) fn limits(&self) -> &'l Limits {
        self.limits
    }

    /// Takes an entry in, or says why not.
    pub(crate) fn add(&mut self, place: Place, entry: Entry) -> Result<(), Error> {
        let mut entry = entry;
        entry.url = entry.url.trim().to_owned();
        if let Some(why) = url_fault(&entry.url).or_else(|| self.limits.fault(&entry)) {
            return self.leave_out(place, why);
        }
        if self.list.entries.len() >= self.limits.entries_max {
            return Err(Error::TooMany { place, what: "entries", max: self.limits.entries_max });
        }
        self.list.entries.push(entry);
        Ok(())
    }

    /// Says that something becomes no entry.
    pub(crate) fn leave_out(&mut self, place: Place, why: impl Into<String>) -> Result<(), Error> {
        if self.list.left_out.len() >= self.limits.entries_max {
            return Err(Error::TooMany {
                place,
                what: "things that are left out",
                max: self.limits.entries_max,
            });
        }
        self.list.left_out.push(LeftOut { place, why: why.into() });
        Ok(())
    }

    pub(crate) fn finish(self) -> List {
        self.list
    }
}

impl Entry {
    /// Says that something is not done.
    pub(crate) fn tell(&mut self, told: impl Into<String>) {
        match self.unsupported.len() {
            TOLD_MAX.. => {}
            count if count + 1 == TOLD_MAX => self.unsupported.push("and more that is not told".to_owned()),
            _ => self.unsupported.push(told.into()),
        }
    }

    /// Takes over a rule, unless it says nothing.
    pub(crate) fn only(&mut self, kind: RuleKind, text: impl Into<String>) {
        push(&mut self.only, Rule::new(kind, text));
    }

    /// Takes over a rule, unless it says nothing.
    pub(crate) fn never(&mut self, kind: RuleKind, text: impl Into<String>) {
        push(&mut self.never, Rule::new(kind, text));
    }

    /// Takes over a trigger.
    pub(crate) fn trigger(&mut self, trigger: Trigger) {
        if !self.triggers.contains(&trigger) {
            self.triggers.push(trigger);
        }
    }

    /// Takes over a word, once.
    pub(crate) fn tag(&mut self, tag: &str) {
        let tag = tag.trim();
        if !tag.is_empty() && !self.tags.iter().any(|known| known == tag) {
            self.tags.push(tag.to_owned());
        }
    }
}

fn push(rules: &mut Vec<Rule>, rule: Rule) {
    if !rule.text.trim().is_empty() && !rules.contains(&rule) {
        rules.push(rule);
    }
}

/// Why a text cannot be watched.
pub(crate) fn url_fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("it has no URL".to_owned());
    }
    if text.contains("{{") || text.contains("{%") {
        return Some(format!("`{}` is a template, which is not filled in", excerpt(text)));
    }
    // The parser passes over line breaks and tabs within a URL; people would see another URL than is watched.
    if text.contains(char::is_control) {
        return Some(format!("`{}` has line breaks, tabs or the like inside", excerpt(text)));
    }
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => None,
        Ok(url) if text.starts_with(&format!("{}://", url.scheme())) => {
            Some(format!("`{}` is neither http nor https", excerpt(text)))
        }
        _ => Some(format!("`{}` is no URL; it would begin with https:// or http://", excerpt(text))),
    }
}

/// `None` of what is blank.
pub(crate) fn said(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
