//! How many captures one request may examine while it searches for a payload.

use std::cell::Cell;

use crate::error::Error;
use crate::limits::Limits;

/// The index lines and records that a search may still examine. A line costs little and a record a read of the disk, so both are counted.
#[derive(Debug)]
pub(super) struct SearchBudget {
    lines: Cell<usize>,
    records: Cell<usize>,
    limit: usize,
}

impl SearchBudget {
    pub(super) fn new(limits: &Limits) -> SearchBudget {
        let (lines, records) = (limits.examined_captures, limits.candidates);
        SearchBudget { lines: Cell::new(lines), records: Cell::new(records), limit: lines }
    }

    /// Whether another index line may be examined.
    pub(super) fn spend_line(&self) -> bool {
        spend(&self.lines)
    }

    /// Whether another record may be opened.
    pub(super) fn spend_record(&self) -> bool {
        spend(&self.records)
    }

    /// That the search for the payload of a URL ended because the budget is used up.
    pub(super) fn exhausted(&self, url: &str) -> Error {
        Error::TooManyCaptures { url: url.chars().take(URL_CHARS_MAX).collect(), limit: self.limit }
    }
}

/// Characters of a URL in an error.
const URL_CHARS_MAX: usize = 1000;

fn spend(left: &Cell<usize>) -> bool {
    left.get().checked_sub(1).inspect(|fewer| left.set(*fewer)).is_some()
}
