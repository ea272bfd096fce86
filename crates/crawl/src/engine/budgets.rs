//! What a running crawl may still spend, which hosts have used up theirs, and why nothing is begun just now.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use job::tally::Counts;

use super::locks::lock;
use crate::spending::Spending;

/// Why nothing is begun when all that is left has used up its budget.
pub(super) const BUDGET_HOLD: &str = "a budget is used up: raise it or stop the job";

/// The budgets of a job and its hosts.
#[derive(Debug)]
pub(super) struct Budgets {
    pub(super) spending: Mutex<Spending>,
    /// Hosts that wait for the operator to raise a budget.
    pub(super) held: Mutex<HashSet<String>>,
    /// Why nothing is begun just now, though the operator has not asked for it.
    pub(super) hold: Mutex<Option<String>>,
}

impl Budgets {
    pub(super) fn new(spending: Spending) -> Budgets {
        Budgets { spending: Mutex::new(spending), held: Mutex::default(), hold: Mutex::default() }
    }

    /// Nothing is begun for this reason; `false` if there is a reason already.
    pub(super) fn hold_for(&self, why: &str) -> bool {
        let mut hold = lock(&self.hold);
        let is_new = hold.is_none();
        if is_new {
            *hold = Some(why.to_owned());
        }
        is_new
    }

    /// This is no reason any more; another one stays.
    pub(super) fn release(&self, why: &str) {
        let mut hold = lock(&self.hold);
        if hold.as_deref() == Some(why) {
            *hold = None;
        }
    }

    /// Seconds until the first budget of the job is used up.
    pub(super) fn seconds_left(&self, seconds: f64, per_second: f64, total: &Counts) -> Option<f64> {
        let budget = lock(&self.spending).budgets.job;
        let rate_of_bytes = total.got.bytes as f64 / seconds.max(0.001);
        let left = |bound: u64, used: u64, rate: f64| bound.saturating_sub(used) as f64 / rate.max(0.001);
        [
            budget.objects.map(|bound| left(bound, total.got.urls, per_second)),
            budget.bytes.map(|bound| left(bound, total.got.bytes, rate_of_bytes)),
            budget.time.map(|bound: Duration| (bound.as_secs_f64() - seconds).max(0.0)),
        ]
        .into_iter()
        .flatten()
        .reduce(f64::min)
    }
}
