//! Long answers in pages: where in a range of keys each block of rows begins.
//!
//! The index has no such numbers. They are found out by going through the rows, once, and remembered while the index stays as it is,
//! so that taking page after page reads each row twice and no more.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

use index::Snapshot;
use urlkey::KeyRange;

use super::mark::{Mark, Tracker};
use crate::Error;

/// Rows of a block, as ZipNum files have it by convention.
pub(crate) const BLOCK_ROWS: u64 = 3000;

/// Blocks of ranges that were asked for lately.
#[derive(Debug)]
pub(crate) struct Pages {
    ranges: Mutex<VecDeque<(Name, Arc<Mutex<Blocks>>)>>,
    ranges_max: usize,
}

/// Which range, of what.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    collection: String,
    snapshot: u64,
    range: KeyRange,
}

/// The blocks of a range, as far as somebody has gone through it.
#[derive(Debug, Default)]
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
    pub(crate) fn new(ranges_max: usize) -> Pages {
        Pages { ranges: Mutex::default(), ranges_max }
    }

    /// So many blocks of a range from one on; all of them where `count` is larger. Reads rows: not for a thread that others wait for.
    pub(crate) fn blocks(
        &self,
        collection: &str,
        snapshot: &Snapshot,
        range: &KeyRange,
        (first, count): (usize, usize),
    ) -> Result<Found, Error> {
        let blocks = self.of(Name {
            collection: collection.to_owned(),
            snapshot: identity(snapshot),
            range: range.clone(),
        });
        let mut blocks = blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.go_to(first.saturating_add(count), snapshot, range)?;
        let starts = blocks.starts.iter().skip(first).take(count).cloned().collect();
        let whole = blocks.is_whole.then_some(blocks.starts.len());
        let last_rows = whole
            .map(|blocks_all| blocks.rows - (blocks_all as u64).saturating_sub(1).saturating_mul(BLOCK_ROWS));
        Ok(Found { starts, blocks: whole, last_rows })
    }

    fn of(&self, name: Name) -> Arc<Mutex<Blocks>> {
        let mut ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, blocks)) = ranges.iter().find(|(known, _)| *known == name) {
            return Arc::clone(blocks);
        }
        let blocks = Arc::new(Mutex::default());
        ranges.push_back((name, Arc::clone(&blocks)));
        while ranges.len() > self.ranges_max {
            ranges.pop_front();
        }
        blocks
    }
}

impl Blocks {
    /// Goes on until so many blocks, and the begin of the next, are known.
    fn go_to(&mut self, count: usize, snapshot: &Snapshot, range: &KeyRange) -> Result<(), Error> {
        if self.is_whole || self.starts.len() > count {
            return Ok(());
        }
        let last = self.starts.last().cloned();
        let mut range = range.clone();
        if let Some(last) = &last {
            range.start = last.order();
            self.rows = (self.starts.len() as u64 - 1) * BLOCK_ROWS;
        }
        let skipped = last.as_ref().map_or(0, |last| last.skip);
        let mut tracker = Tracker::default();
        for (at, row) in (0_u64..).zip(snapshot.range(&range)) {
            let row = row?;
            tracker.see(&row);
            // Those of the block before, at the very same key and time.
            let Some(at) = at.checked_sub(skipped) else { continue };
            if at % BLOCK_ROWS == 0 && (at > 0 || last.is_none()) {
                self.starts.extend(tracker.mark());
            }
            self.rows += 1;
            if self.starts.len() > count {
                return Ok(());
            }
        }
        self.is_whole = true;
        Ok(())
    }
}

/// Tells one state of an index from another.
fn identity(snapshot: &Snapshot) -> u64 {
    let mut hasher = DefaultHasher::new();
    snapshot.rows().hash(&mut hasher);
    for commit in snapshot.commits() {
        commit.name.hash(&mut hasher);
        commit.at.hash(&mut hasher);
    }
    hasher.finish()
}
