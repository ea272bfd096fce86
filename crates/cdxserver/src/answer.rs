//! Makes an answer, a part at a time: rows, policy, sieve, order and limit, output.

use std::collections::VecDeque;
use std::sync::Arc;

use api::Scan;
use api::stepwise::Progress;
use api::{Error, Limits};
use cdx::Capture;
use cdx::query::{Nearest, Sieve};
use index::Snapshot;

use super::gate::Gate;
use super::mark::Tracker;
use super::output::Output;
use super::rows::{Looked, Rows};

/// An answer that is being made.
pub(crate) struct Answer {
    rows: Rows,
    snapshot: Snapshot,
    gate: Arc<Gate>,
    sieve: Sieve,
    pub(crate) output: Output,
    /// Rows that are still wanted.
    left: u64,
    /// Rows that are passed over first.
    skip: u64,
    /// Of rows that are alike the last is kept, not the first.
    keeps_last: bool,
    held: Option<Held>,
    /// Says where to go on, if that is wanted.
    tracker: Option<Tracker>,
    /// Rows that are held, and the bytes of their lines.
    held_rows: usize,
    held_bytes: usize,
    limits: Limits,
    /// Rows that were looked at and are not in the answer.
    passed_over: u64,
    stage: Stage,
    is_empty: bool,
    /// The last of a run so far.
    last_of_run: Option<Capture<'static>>,
}

/// Rows that wait for others, because the answer's order is not that of the index.
#[derive(Debug)]
pub(crate) enum Held {
    /// The last so many, in their order or turned round.
    Last { lines: VecDeque<Vec<u8>>, count: usize, is_reversed: bool },
    /// The first so many, turned round.
    First { lines: VecDeque<Vec<u8>>, count: usize },
    /// The nearest to a time.
    Nearest(Option<Nearest>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Reading,
    Draining,
    Over,
}

/// What an [`Answer`] is made of.
pub(crate) struct Plan {
    pub(crate) rows: Rows,
    pub(crate) snapshot: Snapshot,
    pub(crate) gate: Arc<Gate>,
    pub(crate) sieve: Sieve,
    pub(crate) output: Output,
    pub(crate) limit: u64,
    pub(crate) skip: u64,
    pub(crate) keeps_last: bool,
    pub(crate) held: Option<Held>,
    /// Says where to go on, if that is wanted.
    pub(crate) tracker: Option<Tracker>,
    pub(crate) limits: Limits,
}

impl Answer {
    pub(crate) fn new(plan: Plan) -> Answer {
        Answer {
            rows: plan.rows,
            snapshot: plan.snapshot,
            gate: plan.gate,
            sieve: plan.sieve,
            output: plan.output,
            left: plan.limit,
            skip: plan.skip,
            keeps_last: plan.keeps_last,
            held: plan.held,
            tracker: plan.tracker,
            held_rows: 0,
            held_bytes: 0,
            limits: plan.limits,
            passed_over: 0,
            stage: Stage::Reading,
            is_empty: true,
            last_of_run: None,
        }
    }

    /// Appends the next part of the answer: until there are so many bytes, or so many rows have been looked at.
    pub(crate) fn fill(
        &mut self,
        out: &mut Vec<u8>,
        bytes_max: usize,
        rows_max: usize,
    ) -> Result<Progress, Error> {
        for _ in 0..rows_max {
            if out.len() >= bytes_max {
                return Ok(Progress::More);
            }
            match self.stage {
                Stage::Reading => self.read(out)?,
                Stage::Draining => self.drain(out),
                Stage::Over => return Ok(Progress::Over),
            }
        }
        Ok(if self.stage == Stage::Over { Progress::Over } else { Progress::More })
    }

    /// Looks at the next row.
    fn read(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.left == 0 && self.tracker.is_none() {
            return self.end_of_rows(out);
        }
        let Some(row) = self.rows.next() else { return self.end_of_rows(out) };
        let Looked { mut row, is_admitted } = row?;
        self.passed_over += 1;
        let is_spent = self.passed_over > self.limits.scan_rows;
        if !is_admitted && !is_spent {
            return Ok(());
        }
        if is_spent && (self.tracker.is_none() || !is_admitted) {
            return self.spent();
        }
        if let Some(tracker) = &mut self.tracker {
            tracker.see(&row);
        }
        if is_spent {
            // The client goes on from this row.
            return self.finish(out);
        }
        if !self.resolve_and_want(&mut row)? {
            return Ok(());
        }
        if self.keeps_last {
            let is_new = self.sieve.is_unlike(&row);
            let before = self.last_of_run.replace(row);
            return match before.filter(|_| is_new) {
                Some(before) => self.take(before, out),
                None => Ok(()),
            };
        }
        if self.sieve.is_unlike(&row) { self.take(row, out) } else { Ok(()) }
    }

    /// The question looks at too much of the index. One that can be gone on with looks for a row that may be told of first.
    fn spent(&self) -> Result<(), Error> {
        match &self.tracker {
            Some(_) if self.passed_over < self.limits.scan_rows.saturating_mul(2) => Ok(()),
            _ => Err(Error::bad(format!(
                "the question passes over more than {} captures: narrow it by `url`, `from` or `to`, or go through it with `limit` and `showResumeKey=true`",
                self.limits.scan_rows
            ))),
        }
    }

    /// What looking through the index may cost.
    pub(crate) fn scan(&self) -> &Scan {
        self.gate.scan()
    }

    fn resolve_and_want(&mut self, row: &mut Capture<'static>) -> Result<bool, Error> {
        if let Some(resolver) = &mut self.sieve.resolver {
            resolver.resolve(row);
            // Its payload may lie under another URL, or before the part of the answer that we are at.
            if row.is_revisit()
                && row.original.is_none()
                && let Some(digest) = row.digest.as_deref()
                && let Some(mut original) = self.snapshot.by_digest(digest)?
                && self.gate.admits(&mut original, None)
            {
                resolver.resolve_from(row, &original);
            }
        }
        Ok(self.sieve.wants(row))
    }

    /// A row that belongs to the answer.
    fn take(&mut self, row: Capture<'static>, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(());
        }
        if self.left == 0 {
            // This one is not wanted any more; it is where to go on.
            return self.finish(out);
        }
        match &mut self.held {
            None => {
                // Only a row that is sent costs the client something; one that is held may be dropped again.
                self.passed_over -= 1;
                self.left -= 1;
                self.output.before(self.is_empty, out);
                self.is_empty = false;
                self.output.row(&row, out);
                self.output.behind(out);
                Ok(())
            }
            Some(Held::Nearest(nearest)) => {
                let come = self.output.line(&row).len();
                let gone = nearest.as_mut().and_then(|nearest| nearest.push(row));
                let gone = gone.map(|row| self.output.line(&row).len());
                self.hold(come, gone)
            }
            Some(Held::Last { lines, count, .. } | Held::First { lines, count }) => {
                let line = self.output.line(&row);
                let come = line.len();
                lines.push_back(line);
                let gone = if lines.len() > *count { lines.pop_front() } else { None };
                if matches!(&self.held, Some(Held::First { lines, count }) if lines.len() == *count) {
                    self.left = 0;
                }
                self.hold(come, gone.map(|line| line.len()))
            }
        }
    }

    /// A line of so many bytes is held, another no more.
    fn hold(&mut self, come: usize, gone: Option<usize>) -> Result<(), Error> {
        self.held_rows = (self.held_rows + 1).saturating_sub(usize::from(gone.is_some()));
        self.held_bytes = (self.held_bytes + come).saturating_sub(gone.unwrap_or_default());
        if self.held_bytes > self.limits.held_bytes || self.held_rows > self.limits.held_rows {
            return Err(Error::bad("the answer is too long for this order: ask for a smaller limit"));
        }
        Ok(())
    }

    /// Whether rows are still being gathered whose order is not known before the last: nothing has been said yet.
    pub(crate) fn is_gathering(&self) -> bool {
        self.held.is_some() && self.stage == Stage::Reading
    }

    fn end_of_rows(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.tracker = None;
        if let Some(last) = self.last_of_run.take().filter(|_| self.left > 0) {
            self.take(last, out)?;
        }
        if let Some(Held::Nearest(nearest)) = &mut self.held {
            let nearest = nearest.take().map(Nearest::into_captures).unwrap_or_default();
            let lines: VecDeque<_> = nearest.iter().map(|row| self.output.line(row)).collect();
            let count = lines.len();
            self.held = Some(Held::Last { lines, count, is_reversed: false });
        }
        if self.held.is_some() {
            self.stage = Stage::Draining;
            return Ok(());
        }
        self.finish(out)
    }

    /// Hands out the next held row.
    fn drain(&mut self, out: &mut Vec<u8>) {
        let line = match &mut self.held {
            Some(Held::Last { lines, is_reversed: false, .. }) => lines.pop_front(),
            Some(Held::Last { lines, .. } | Held::First { lines, .. }) => lines.pop_back(),
            Some(Held::Nearest(_)) | None => None,
        };
        let Some(line) = line else {
            // There is nothing left that could fail.
            let _ = self.finish(out);
            return;
        };
        self.output.before(self.is_empty, out);
        self.is_empty = false;
        out.extend_from_slice(&line);
        self.output.behind(out);
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mark = self.tracker.as_ref().and_then(Tracker::mark);
        self.output.tail(self.is_empty, mark.as_ref(), out);
        self.stage = Stage::Over;
        Ok(())
    }
}
