//! From what is wanted to how it is had: which rows are read in which direction, and which must wait for others.

use std::collections::VecDeque;
use std::sync::Arc;

use api::{Error, Limits};
use cdx::query::Nearest;
use index::Snapshot;

use super::answer::{Answer, Held, Plan};
use super::gate::Gate;
use super::mark::{Mark, Tracker};
use super::rows::{Order, Rows, rows, rows_from};
use super::scope::Scope;
use super::wanted::{Sort, Wanted};

/// Rows that were chosen already, because a page of them is asked for. They come by key and time.
pub(crate) struct Chosen {
    pub(crate) rows: Rows,
    /// Where they begin.
    pub(crate) start: Option<Mark>,
}

/// The answer to a question, to be made.
pub(crate) fn plan(
    wanted: Wanted,
    snapshot: &Snapshot,
    gate: Arc<Gate>,
    chosen: Option<Chosen>,
    limits: &Limits,
) -> Result<Answer, Error> {
    let (order, held) = way(&wanted, chosen.is_some())?;
    let (time, is_plain) = (wanted.sieve.time, held.is_none() && order == Order::Forward);
    let (rows, start) = match (chosen, wanted.resume) {
        (Some(_), Some(_)) => return Err(Error::bad("a resumeKey goes with no page")),
        (Some(chosen), None) => (chosen.rows, chosen.start),
        (None, Some(mark)) if is_plain => (rows_from(snapshot, &wanted.scope, &mark, &gate), Some(mark)),
        (None, Some(_)) => {
            return Err(Error::bad("a resumeKey goes with no other order and no negative limit"));
        }
        (None, None) => (rows(snapshot, &wanted.scope, order, time, &gate), None),
    };
    // What is held back counts for itself.
    let limit = wanted.limit.filter(|_| held.is_none()).map_or(u64::MAX, i64::unsigned_abs);
    let shows_mark = wanted.shows_mark && is_plain && !wanted.keeps_last && wanted.limit.is_some();
    Ok(Answer::new(Plan {
        rows,
        snapshot: snapshot.clone(),
        gate,
        sieve: wanted.sieve,
        output: wanted.output,
        limit,
        skip: wanted.skip,
        keeps_last: wanted.keeps_last,
        held,
        tracker: shows_mark.then(|| Tracker::behind(start.as_ref())),
        limits: limits.clone(),
    }))
}

/// In which direction rows are read, and what is held back. Of captures that are alike it is the first in the order of the index that
/// is kept: where that matters, or rows were chosen that come in that order, they are read in it whatever is wanted.
fn way(wanted: &Wanted, is_chosen: bool) -> Result<(Order, Option<Held>), Error> {
    let count = match wanted.limit.map(i64::unsigned_abs).map(usize::try_from) {
        Some(Ok(count)) => count,
        _ => usize::MAX,
    };
    let is_last = wanted.limit.is_some_and(i64::is_negative);
    let is_forward = is_chosen || !wanted.sieve.collapses.is_empty();
    let lines = VecDeque::new();
    Ok(match wanted.sort {
        Sort::Forward if is_last && is_forward => {
            (Order::Forward, Some(Held::Last { lines, count, is_reversed: false }))
        }
        Sort::Forward if is_last => (Order::Backward, Some(Held::First { lines, count })),
        Sort::Forward => (Order::Forward, None),
        Sort::Reverse if is_last => (Order::Forward, Some(Held::First { lines, count })),
        Sort::Reverse if is_forward => (Order::Forward, Some(Held::Last { lines, count, is_reversed: true })),
        Sort::Reverse => (Order::Backward, None),
        Sort::Nearest(_) if !matches!(wanted.scope, Scope::Key(_)) => {
            return Err(Error::bad("`closest` goes with one URL only"));
        }
        Sort::Nearest(_) if is_last => return Err(Error::bad("`closest` goes with no negative limit")),
        Sort::Nearest(time) if is_forward => {
            (Order::Forward, Some(Held::Nearest(Some(Nearest::new(time, count)))))
        }
        Sort::Nearest(time) => (Order::Nearest(time), None),
    })
}
