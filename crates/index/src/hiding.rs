//! Which rows hide others: what was deleted, and what was added again.
//!
//! A capture is known by its key, its time, and where its record lies. Of the rows of one capture, one that was added without a
//! name hides all that are older, and so does one that says that the capture is gone. The age is the number of the commit.

use std::collections::HashSet;

use cdx::Capture;

use crate::manifest::Kind;
use crate::merging::{Direction, Held};
use crate::segment::{Row, RowCursor};
use crate::{Error, Snapshot};

/// What tells captures of one key and time apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    filename: Option<String>,
    offset: Option<u64>,
}

impl Identity {
    pub(crate) fn of(capture: &Capture<'_>) -> Identity {
        Identity { filename: capture.filename.as_deref().map(str::to_owned), offset: capture.offset }
    }

    fn of_row(cursor: &RowCursor) -> Result<Option<Identity>, Error> {
        let Some(row) = cursor.row() else { return Ok(None) };
        cursor.segment().capture(&row, || cursor.offset()).map(|capture| Some(Identity::of(&capture)))
    }
}

/// Of rows of one key and time, as a stream in this direction brings them, those that are there.
pub(crate) fn survivors(
    held: Vec<Held>,
    direction: Direction,
    with_deletes: bool,
) -> Result<Vec<Held>, Error> {
    let is_alone = held.len() == 1;
    let all_named = held.iter().all(|held| held.kind == Kind::Named);
    if all_named || (is_alone && (with_deletes || held.iter().all(|held| held.kind == Kind::Loose))) {
        return Ok(held);
    }
    let newest_first: Vec<Held> = match direction {
        Direction::Forward => held.into_iter().rev().collect(),
        Direction::Backward => held,
    };
    let mut hidden = HashSet::new();
    let mut kept = Vec::new();
    for held in newest_first {
        let Some(identity) = Identity::of_row(&held.cursor)? else { continue };
        if hidden.contains(&identity) {
            continue;
        }
        if held.kind != Kind::Named {
            hidden.insert(identity);
        }
        if held.kind != Kind::Deletes || with_deletes {
            kept.push(held);
        }
    }
    if direction == Direction::Forward {
        kept.reverse();
    }
    Ok(kept)
}

impl Snapshot {
    /// Whether a row that was found by itself has been deleted, or has one in its place.
    pub(crate) fn is_hidden(&self, row: &Row<'_>, commit: u64, capture: &Capture<'_>) -> Result<bool, Error> {
        if !self.hides() {
            return Ok(false);
        }
        let identity = Identity::of(capture);
        for live in self.segments().iter().filter(|live| live.hides_older_than(commit)) {
            if !live.segment.may_hold(row.key())? {
                continue;
            }
            let mut cursor = RowCursor::seek(&live.segment, row.order)?;
            while let Some(other) = cursor.row().filter(|other| other.order == row.order) {
                let is_newer = live.segment.commit(other.commit).is_some_and(|number| number > commit);
                let may_hide = matches!(live.kind(other.commit), Some(Kind::Loose | Kind::Deletes));
                if is_newer && may_hide && Identity::of_row(&cursor)?.as_ref() == Some(&identity) {
                    return Ok(true);
                }
                cursor.advance()?;
            }
        }
        Ok(false)
    }
}
