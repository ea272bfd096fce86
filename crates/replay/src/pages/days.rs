//! The captures of a year or a day, read for a calendar.

use std::collections::BTreeMap;

use cdx::Timestamp;

use crate::error::Error;
use crate::versions::{Row, Versions};
use crate::visit::Visit;

/// What a calendar knows of one day.
#[derive(Debug, Clone, Default)]
pub(super) struct Day {
    /// How many captures there are, as far as they were counted.
    pub(super) count: usize,
    /// Whether there are more.
    pub(super) is_more: bool,
    /// Whether one of them is the first, or differs from the one before it.
    pub(super) is_new: bool,
    /// The address of the first.
    pub(super) path: String,
}

/// A capture in a table.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) row: Row,
    pub(super) change: Change,
}

/// What a capture is to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    First,
    Changed,
    Same,
    /// One of them has no digest, or it only leads elsewhere.
    Unknown,
}

/// Compares captures by the digests of their payloads.
#[derive(Debug, Default)]
struct Comparing {
    last: Option<Option<String>>,
}

impl Comparing {
    /// Begins behind the capture before these.
    fn behind(visit: &Visit, versions: &Versions, start: Timestamp) -> Result<Comparing, Error> {
        let before = visit.first_seen_of(versions.before(start), |row| !is_way(row))?;
        Ok(Comparing { last: before.map(|row| row.digest.map(|digest| digest.into_owned())) })
    }

    fn compare(&mut self, row: &Row) -> Change {
        if is_way(row) {
            return Change::Unknown;
        }
        let digest = row.digest.as_deref().map(str::to_owned);
        let change = match (&self.last, &digest) {
            (None, _) => Change::First,
            (Some(Some(last)), Some(digest)) if bare(last) == bare(digest) => Change::Same,
            (Some(Some(_)), Some(_)) => Change::Changed,
            _ => Change::Unknown,
        };
        self.last = Some(digest);
        change
    }
}

/// Whether it only leads elsewhere, as from `http` to `https`: what it leads to has not changed by that.
fn is_way(row: &Row) -> bool {
    row.status.is_some_and(|status| (300..=399).contains(&status)) && !row.is_revisit()
}

/// Without the name of the algorithm, which some lines have and some lack.
fn bare(digest: &str) -> &str {
    digest.split_once(':').map_or(digest, |(_, digest)| digest)
}

/// The days of a year on which something was captured, by month and day.
pub(super) fn of_year(
    visit: &Visit,
    versions: &Versions,
    year: u64,
) -> Result<BTreeMap<(u64, u64), Day>, Error> {
    let max = visit.replay.limits().counted_in_day;
    let mut days: BTreeMap<(u64, u64), Day> = BTreeMap::new();
    let (Some(start), Some(end)) = (time(year, 0, 0), time(year + 1, 0, 0)) else { return Ok(days) };
    let mut comparing = Comparing::behind(visit, versions, start)?;
    let mut rows = versions.from(start);
    while let Some(row) = rows.next().transpose()? {
        let Some(at) = row.timestamp.filter(|at| *at < end) else { break };
        if !visit.may_see(&row) {
            continue;
        }
        let parts = super::dates::parts(at);
        let day = days.entry((parts.month, parts.day)).or_default();
        let change = comparing.compare(&row);
        day.is_new |= matches!(change, Change::First | Change::Changed);
        if day.count == 0 {
            day.path = visit.row_path(&row, "");
        }
        day.count += 1;
        if day.count >= max {
            // Enough of this day: a seek to the next.
            day.is_more = true;
            let Some(next) = Timestamp::from_number((at.as_number() / 1_000_000 + 1) * 1_000_000) else {
                break;
            };
            rows = versions.from(next);
        }
    }
    Ok(days)
}

/// The captures from one time and before another, as many as are shown; whether there are more.
pub(super) fn entries(
    visit: &Visit,
    versions: &Versions,
    start: Timestamp,
    end: Timestamp,
    max: usize,
) -> Result<(Vec<Entry>, bool), Error> {
    let mut comparing = Comparing::behind(visit, versions, start)?;
    let mut entries = Vec::new();
    for row in versions.from(start) {
        let row = row?;
        if row.timestamp.is_none_or(|at| at >= end) {
            break;
        }
        if !visit.may_see(&row) {
            continue;
        }
        if entries.len() >= max {
            return Ok((entries, true));
        }
        let change = comparing.compare(&row);
        entries.push(Entry { row, change });
    }
    Ok((entries, false))
}

/// The start of a year, month or day; what is 0 is left out.
pub(super) fn time(year: u64, month: u64, day: u64) -> Option<Timestamp> {
    Timestamp::from_number(((year * 100 + month) * 100 + day) * 1_000_000)
}
