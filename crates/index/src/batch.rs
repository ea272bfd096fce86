//! A few rows in any order: what a client adds or deletes at once.
//!
//! They are sorted in memory, and of several of one capture the last counts.

use std::collections::HashSet;

use cdx::Capture;

use crate::hiding::Identity;
use crate::merging::Merged;
use crate::segment::order_of;
use crate::writing::row_fault;
use crate::{Error, Snapshot};

/// What an entry takes in memory beside its line.
const ENTRY_BYTES: usize = 400;

/// Rows of a batch, sorted, each capture once.
pub(crate) struct Batch {
    rows: Vec<(Vec<u8>, Capture<'static>)>,
}

impl Batch {
    /// Takes all rows, at most so many bytes of them.
    pub(crate) fn gather(
        rows: impl Iterator<Item = Result<Capture<'static>, Error>>,
        bytes_max: usize,
    ) -> Result<Batch, Error> {
        let mut gathered = Vec::new();
        let (mut bytes, mut line) = (0_usize, Vec::new());
        for (number, row) in (1..).zip(rows) {
            let row = row?;
            row_fault(&row, number)?;
            line.clear();
            row.write_cdxj(&mut line);
            bytes = bytes.saturating_add(line.len() + ENTRY_BYTES);
            if bytes > bytes_max {
                return Err(Error::TooMany { bytes: bytes_max });
            }
            let order = order_of(&line).unwrap_or_default().to_vec();
            gathered.push((order, row));
        }
        // Stable, so that of one capture the last stays the last.
        gathered.sort_by(|(left, _), (right, _)| left.cmp(right));
        Ok(Batch { rows: last_of_each(gathered) })
    }

    /// The rows.
    pub(crate) fn into_rows(self) -> impl Iterator<Item = Capture<'static>> {
        self.rows.into_iter().map(|(_, row)| row)
    }

    /// Rows that say that those captures of the batch are gone which there are, and how many rows those are.
    pub(crate) fn into_deletes(self, snapshot: &Snapshot) -> Result<(Vec<Capture<'static>>, u64), Error> {
        let mut deletes = Vec::new();
        let mut count = 0;
        for (order, row) in self.rows {
            let found = count_of(snapshot, &order, &Identity::of(&row))?;
            count += found;
            if found > 0 {
                let Capture { key, timestamp, filename, offset, .. } = row;
                deletes.push(Capture { key, timestamp, filename, offset, ..Capture::default() });
            }
        }
        Ok((deletes, count))
    }
}

/// Of rows of one capture, the last.
fn last_of_each(sorted: Vec<(Vec<u8>, Capture<'static>)>) -> Vec<(Vec<u8>, Capture<'static>)> {
    let mut kept = Vec::with_capacity(sorted.len());
    let (mut order, mut seen) = (Vec::new(), HashSet::new());
    for (own, row) in sorted.into_iter().rev() {
        if own != order {
            seen.clear();
            order.clone_from(&own);
        }
        if seen.insert(Identity::of(&row)) {
            kept.push((own, row));
        }
    }
    kept.reverse();
    kept
}

/// How many rows of this capture there are.
fn count_of(snapshot: &Snapshot, order: &[u8], identity: &Identity) -> Result<u64, Error> {
    let key = order.get(..order.len().saturating_sub(14)).unwrap_or_default();
    let mut end = order.to_vec();
    end.push(0);
    let mut rows = Merged::new(&snapshot.holding(key), order, Some(&end))?;
    let mut count = 0;
    while rows.advance()? {
        if let Some((row, segment)) = rows.row() {
            let capture = segment.capture(&row, || rows.offset())?;
            count += u64::from(Identity::of(&capture) == *identity);
        }
    }
    Ok(count)
}
