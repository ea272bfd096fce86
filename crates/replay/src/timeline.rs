//! How often something was captured, month by month.
//!
//! Few captures are counted. Of very many each month is sampled by a seek, and what came of it is kept for a minute, as long as the
//! index stays as it is: no page view reads a hundred thousand rows.

use std::collections::BTreeMap;

use cdx::Timestamp;

use crate::error::Error;
use crate::versions::Versions;
use crate::visit::Visit;

/// Captures by month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Timeline {
    /// By year and month as in `202611`.
    pub(crate) months: BTreeMap<u64, u64>,
    /// How many there are, or at least how many.
    pub(crate) total: u64,
    /// Whether there are more than were counted.
    pub(crate) is_sampled: bool,
}

impl Timeline {
    /// Of all captures that this one may see.
    pub(crate) fn of(visit: &Visit, versions: &Versions) -> Result<Timeline, Error> {
        if let Some(whole) = versions.whole() {
            let mut timeline = Timeline::default();
            whole.iter().filter(|row| visit.may_see(row)).for_each(|row| timeline.count(row.timestamp));
            return Ok(timeline);
        }
        let name = format!("{} {} {}", state(visit), visit.asker.identity(), versions.key);
        if let Some(timeline) = visit.replay.timelines().get(&name) {
            return Ok(timeline);
        }
        let timeline = Timeline::read(visit, versions)?;
        visit.replay.timelines().put(name, timeline.clone());
        Ok(timeline)
    }

    fn read(visit: &Visit, versions: &Versions) -> Result<Timeline, Error> {
        let limits = visit.replay.limits();
        let mut timeline = Timeline::default();
        for (number, row) in versions.all().enumerate() {
            if number >= limits.counted {
                return timeline.sample(visit, versions);
            }
            let row = row?;
            if visit.may_see(&row) {
                timeline.count(row.timestamp);
            }
        }
        Ok(timeline)
    }

    /// Goes on behind what was counted, a seek for each month.
    fn sample(mut self, visit: &Visit, versions: &Versions) -> Result<Timeline, Error> {
        let limits = visit.replay.limits();
        self.is_sampled = true;
        let last = versions.all_backwards().next().transpose()?.and_then(|row| row.timestamp);
        let mut month = self.months.last_key_value().map_or(0, |(month, _)| *month);
        let end = last.map_or(0, month_of);
        while month < end {
            month = next_month(month);
            let Some(start) = Timestamp::from_number(month * 100_000_000) else { break };
            let in_month = versions.from(start).take(limits.counted_in_month);
            let mut is_first = true;
            for row in in_month {
                let row = row?;
                let Some(at) = row.timestamp else { continue };
                if is_first && month_of(at) > month {
                    // Nothing for a while: on to where there is something.
                    month = previous_month(month_of(at));
                }
                if month_of(at) != month {
                    break;
                }
                is_first = false;
                if visit.may_see(&row) {
                    self.count(Some(at));
                }
            }
        }
        Ok(self)
    }

    fn count(&mut self, at: Option<Timestamp>) {
        let Some(at) = at else { return };
        *self.months.entry(month_of(at)).or_default() += 1;
        self.total += 1;
    }

    /// Captures by year.
    pub(crate) fn years(&self) -> BTreeMap<u64, u64> {
        let mut years = BTreeMap::new();
        for (month, count) in &self.months {
            *years.entry(month / 100).or_default() += count;
        }
        years
    }

    /// How many, in words.
    pub(crate) fn total_words(&self) -> String {
        let number = grouped(self.total);
        match (self.total, self.is_sampled) {
            (1, false) => "1 capture".to_owned(),
            (_, false) => format!("{number} captures"),
            (_, true) => format!("more than {number} captures"),
        }
    }
}

/// What the index and the rules are at this moment, as far as a cache must know. Embargoes end at any time: nothing is kept for
/// longer than a minute.
fn state(visit: &Visit) -> String {
    let minute = visit.asker.now.as_second() / 60;
    let rules = visit.replay.settings().access_rules.get().revision();
    format!("{} {} {rules} {minute}", visit.collection.name(), visit.snapshot.generation())
}

fn month_of(at: Timestamp) -> u64 {
    at.as_number() / 100_000_000
}

fn next_month(month: u64) -> u64 {
    if month % 100 >= 12 { (month / 100 + 1) * 100 + 1 } else { month + 1 }
}

fn previous_month(month: u64) -> u64 {
    if month % 100 <= 1 { (month / 100).saturating_sub(1) * 100 + 12 } else { month - 1 }
}

/// A number with a mark for each thousand.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_follow_each_other() {
        assert_eq!((next_month(202_611), next_month(202_612)), (202_612, 202_701));
        assert_eq!((previous_month(202_701), previous_month(202_612)), (202_612, 202_611));
    }

    #[test]
    fn thousands_are_marked() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
