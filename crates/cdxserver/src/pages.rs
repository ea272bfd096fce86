//! Long answers in pages: where among the rows of a question each block of them begins.
//!
//! The index has no such numbers, and whoever may see less has fewer blocks. They are found out by going through the very rows that are
//! served, once, and remembered while index and rules stay as they are, so that taking page after page reads each row twice and no more.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use api::Error;
use api::blocking;
use cdx::query::TimeRange;
use index::Snapshot;

use super::body::ROWS_PER_STEP;
use super::gate::{Gate, Seen};
use super::mark::{Mark, Tracker};
use super::rows::{Order, Rows, rows, rows_from};
use super::scope::Scope;

/// Rows of a block, as ZipNum files have it by convention.
pub(crate) const BLOCK_ROWS: u64 = 3000;

/// Blocks of questions that were asked lately.
#[derive(Debug)]
pub(crate) struct Pages {
    known: Mutex<VecDeque<(Name, Arc<Blocks>)>>,
    known_max: usize,
}

/// Which rows, of what, for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Name {
    collection: String,
    generation: u64,
    scope: Scope,
    seen: Seen,
}

/// The blocks of a question, as far as somebody has gone through its rows.
#[derive(Debug, Clone, Default)]
struct Blocks {
    starts: Vec<Mark>,
    /// Rows seen.
    rows: u64,
    is_whole: bool,
}

/// Blocks that were asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where each begins.
    pub(crate) starts: Vec<Mark>,
    /// How many blocks there are, where all were gone through.
    pub(crate) blocks: Option<usize>,
    /// How many rows the last of all has, where that is known.
    pub(crate) last_rows: Option<u64>,
}

impl Pages {
    pub(crate) fn new(known_max: usize) -> Pages {
        Pages { known: Mutex::default(), known_max }
    }

    /// So many blocks of a question from one on; all of them where `count` is larger. Goes through rows in steps beside other
    /// requests, and no further when nobody waits for it any more. Goes through `rows_max` rows at most; the next request for the same
    /// goes on from there.
    pub(crate) async fn blocks(
        &self,
        collection: &str,
        snapshot: &Snapshot,
        scope: &Scope,
        gate: &Arc<Gate>,
        (first, count): (usize, usize),
        rows_max: u64,
    ) -> Result<Found, Error> {
        let name = Name {
            collection: collection.to_owned(),
            generation: snapshot.generation(),
            scope: scope.clone(),
            seen: gate.seen(),
        };
        let mut blocks = self.known(&name);
        let wanted = first.saturating_add(count);
        if !blocks.reach(wanted) {
            let mut walk = Walk::begin(Blocks::clone(&blocks), snapshot, scope, gate);
            let (scan, watch, mut looked_at) = (gate.scan(), gate.scan().watch(), 0);
            while !walk.blocks.reach(wanted) && looked_at < rows_max {
                looked_at += ROWS_PER_STEP as u64;
                let turn = scan.first_turn().await?;
                walk = blocking(move || {
                    let walk = walk.step(wanted);
                    drop(turn);
                    walk
                })
                .await?;
            }
            watch.finish();
            let is_reached = walk.blocks.reach(wanted);
            blocks = Arc::new(walk.blocks);
            self.remember(name, &blocks);
            if !is_reached {
                let why =
                    "the pages of so many captures are counted in parts: the same question goes on from here";
                return Err(Error::Busy(why.to_owned()));
            }
        }
        let starts = blocks.starts.iter().skip(first).take(count).cloned().collect();
        let whole = blocks.is_whole.then_some(blocks.starts.len());
        let last_rows = whole
            .map(|blocks_all| blocks.rows - (blocks_all as u64).saturating_sub(1).saturating_mul(BLOCK_ROWS));
        Ok(Found { starts, blocks: whole, last_rows })
    }

    fn known(&self, name: &Name) -> Arc<Blocks> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(of, _)| of == name).map(|(_, blocks)| Arc::clone(blocks)).unwrap_or_default()
    }

    fn remember(&self, name: Name, blocks: &Arc<Blocks>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(of, _)| *of != name);
        known.push_back((name, Arc::clone(blocks)));
        while known.len() > self.known_max {
            known.pop_front();
        }
    }
}

impl Blocks {
    /// Whether so many blocks, and the begin of the next, are known, or all there are.
    fn reach(&self, count: usize) -> bool {
        self.is_whole || self.starts.len() > count
    }
}

/// Somebody going through rows.
struct Walk {
    blocks: Blocks,
    rows: Rows,
    tracker: Tracker,
}

impl Walk {
    /// From the begin of the last block that is known.
    fn begin(mut blocks: Blocks, snapshot: &Snapshot, scope: &Scope, gate: &Arc<Gate>) -> Walk {
        let last = blocks.starts.pop();
        let rows = match &last {
            Some(last) => rows_from(snapshot, scope, last, gate),
            None => rows(snapshot, scope, Order::Forward, TimeRange::default(), gate),
        };
        blocks.rows = blocks.starts.len() as u64 * BLOCK_ROWS;
        Walk { blocks, rows, tracker: Tracker::behind(last.as_ref()) }
    }

    fn step(mut self, wanted: usize) -> Result<Walk, Error> {
        for _ in 0..ROWS_PER_STEP {
            let Some(looked) = self.rows.next() else {
                self.blocks.is_whole = true;
                break;
            };
            let looked = looked?;
            if !looked.is_admitted {
                continue;
            }
            self.tracker.see(&looked.row);
            if self.blocks.rows.is_multiple_of(BLOCK_ROWS) {
                self.blocks.starts.extend(self.tracker.mark());
            }
            self.blocks.rows += 1;
            if self.blocks.reach(wanted) {
                break;
            }
        }
        Ok(self)
    }
}
