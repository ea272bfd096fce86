//! What is told at once: notices of one kind, or of several that had to wait.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::bounded::cut;
use crate::limits::{GROUPS_MAX, NOTICES_MAX, TEXT_MAX};
use crate::notice::{Notice, Severity};

/// Notices of one kind: the first of them in full, all of them counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Their kind.
    pub kind: String,
    /// How much the worst of them matters.
    pub severity: Severity,
    /// How many there were.
    pub count: u64,
    /// When the first came.
    pub first: Timestamp,
    /// When the last came.
    pub last: Timestamp,
    /// The first of them.
    pub notices: Vec<Notice>,
}

impl Group {
    /// A group of one.
    pub(crate) fn of(notice: Notice) -> Group {
        let (first, severity) = (notice.at, notice.severity);
        Group { kind: notice.kind.clone(), severity, count: 1, first, last: first, notices: vec![notice] }
    }

    /// One more.
    pub(crate) fn take(&mut self, notice: Notice) {
        self.count = self.count.saturating_add(1);
        self.severity = self.severity.max(notice.severity);
        self.first = self.first.min(notice.at);
        self.last = self.last.max(notice.at);
        // What matters most is told in full, however late it comes.
        match self.notices.len() < NOTICES_MAX {
            true => self.notices.push(notice),
            false => {
                let least = self.notices.iter_mut().rev().min_by_key(|notice| notice.severity);
                if let Some(least) = least.filter(|least| least.severity < notice.severity) {
                    *least = notice;
                }
            }
        }
    }

    /// Those of another group of this kind.
    fn join(&mut self, other: Group) {
        let told = other.notices.len() as u64;
        other.notices.into_iter().for_each(|notice| self.take(notice));
        self.count = self.count.saturating_add(other.count.saturating_sub(told));
        self.last = self.last.max(other.last);
    }

    /// How many are only counted.
    #[must_use]
    pub fn more(&self) -> u64 {
        self.count.saturating_sub(self.notices.len() as u64)
    }

    /// What matters most of it, the first of those.
    fn worst(&self) -> Option<&Notice> {
        self.notices.iter().rev().max_by_key(|notice| notice.severity)
    }
}

/// What goes to a channel in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// A name of its own, which stays the same however often it is tried: whoever gets it twice knows by it.
    pub id: String,
    /// What it tells, by kinds.
    pub groups: Vec<Group>,
}

impl Message {
    /// Of one notice.
    pub(crate) fn of(id: String, notice: Notice) -> Message {
        Message { id, groups: vec![Group::of(notice)] }
    }

    /// One notice more.
    pub(crate) fn take(&mut self, notice: Notice) {
        let is_full = self.groups.len() >= GROUPS_MAX;
        match self.groups.iter_mut().find(|group| group.kind == notice.kind) {
            Some(group) => group.take(notice),
            None if !is_full => self.groups.push(Group::of(notice)),
            None => self.add_uncounted(1),
        }
    }

    /// All that another message tells.
    pub(crate) fn join(&mut self, other: Message) {
        for group in other.groups {
            let is_full = self.groups.len() >= GROUPS_MAX;
            match self.groups.iter_mut().find(|own| own.kind == group.kind) {
                Some(own) => own.join(group),
                None if !is_full => self.groups.push(group),
                None => self.add_uncounted(group.count),
            }
        }
    }

    /// Some that are counted and not told.
    pub(crate) fn add_uncounted(&mut self, count: u64) {
        if let Some(last) = self.groups.last_mut() {
            last.count = last.count.saturating_add(count);
        }
    }

    /// How many notices it tells of.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.groups.iter().fold(0, |sum, group| sum.saturating_add(group.count))
    }

    /// How much the worst of it matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.groups.iter().map(|group| group.severity).max().unwrap_or(Severity::Info)
    }

    /// When the first of it happened.
    #[must_use]
    pub fn first(&self) -> Timestamp {
        self.groups.iter().map(|group| group.first).min().unwrap_or_default()
    }

    /// When the last of it happened.
    #[must_use]
    pub fn last(&self) -> Timestamp {
        self.groups.iter().map(|group| group.last).max().unwrap_or_default()
    }

    /// The kind of all of it, if it is of one.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        match self.groups.as_slice() {
            [group] => Some(&group.kind),
            _ => None,
        }
    }

    /// In a line: what matters most, and how much more there is.
    #[must_use]
    pub fn subject(&self) -> String {
        let worst = self.groups.iter().rev().max_by_key(|group| group.severity).and_then(Group::worst);
        let subject = worst.map_or("", |notice| notice.subject.as_str());
        match self.count().saturating_sub(1) {
            0 => subject.to_owned(),
            more => format!("{subject} (and {} more)", grouped(more)),
        }
    }

    /// All of it, for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, group) in self.groups.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            write_group(&mut text, group);
            if text.len() > TEXT_MAX {
                break;
            }
        }
        cut(text, TEXT_MAX)
    }
}

fn write_group(text: &mut String, group: &Group) {
    // Writing to a string does not fail.
    for notice in &group.notices {
        let _ = writeln!(text, "{}: {}", notice.severity, notice.subject);
        let _ = writeln!(text, "  {}", shown(notice.at));
        for (key, value) in &notice.about {
            let _ = writeln!(text, "  {key}: {value}");
        }
        for line in &notice.lines {
            let _ = writeln!(text, "  {line}");
        }
    }
    if group.more() > 0 {
        let _ = writeln!(text, "and {} more like this, until {}", grouped(group.more()), shown(group.last));
    }
}

/// A time as people read it.
fn shown(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// A number in groups of three.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(kind: &str, severity: Severity, subject: &str) -> Notice {
        Notice::new("2026-11-18T03:00:00Z".parse().unwrap(), kind, severity, subject)
    }

    #[test]
    fn one_notice_is_told_as_it_is() {
        let notice = notice("audit", Severity::Alarm, "a file is missing")
            .about("replica", "cellar")
            .line("a.warc.gz");
        let message = Message::of("1".to_owned(), notice);
        assert_eq!(message.subject(), "a file is missing");
        let text = "alarm: a file is missing\n  2026-11-18 03:00:00 UTC\n  replica: cellar\n  a.warc.gz\n";
        assert_eq!(message.text(), text);
    }

    #[test]
    fn many_are_counted_and_the_worst_is_told_first() {
        let mut message = Message::of("1".to_owned(), notice("audit", Severity::Info, "begun"));
        for number in 0..1223 {
            message.take(notice("audit", Severity::Warning, &format!("file {number}")));
        }
        message.take(notice("audit", Severity::Alarm, "all is lost"));
        assert_eq!(message.subject(), "all is lost (and 1,224 more)");
        assert!(message.text().ends_with("and 1,205 more like this, until 2026-11-18 03:00:00 UTC\n"));
        assert!(message.text().contains("alarm: all is lost"));
        assert_eq!(message.severity(), Severity::Alarm);
        assert_eq!((message.count(), message.kind()), (1225, Some("audit")));
    }

    #[test]
    fn what_two_messages_tell_one_tells() {
        let mut message = Message::of("1".to_owned(), notice("audit", Severity::Info, "a"));
        let mut other = Message::of("2".to_owned(), notice("disk", Severity::Warning, "b"));
        for _ in 0..99 {
            other.take(notice("disk", Severity::Warning, "b"));
        }
        other.take(notice("audit", Severity::Info, "c"));
        message.join(other);
        assert_eq!((message.count(), message.kind(), message.groups.len()), (102, None, 2));
        assert_eq!(message.subject(), "b (and 101 more)");
    }

    #[test]
    fn a_flood_of_kinds_and_of_text_is_cut() {
        let long = |number: u32| {
            let mut notice = notice(&format!("kind{number}"), Severity::Info, "s");
            notice.lines = vec!["€".repeat(500); 50];
            notice
        };
        let mut message = Message::of("1".to_owned(), long(0));
        (1..1000).for_each(|number| message.take(long(number)));
        assert_eq!((message.groups.len(), message.count()), (GROUPS_MAX, 1000));
        assert!(message.text().len() < TEXT_MAX + 100);
    }
}
