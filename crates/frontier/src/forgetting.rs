//! Dropping all that waits of one host.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::change::{Change, Writer};
use crate::disk::Space;
use crate::error::Error;
use crate::frontier::Shared;
use crate::queues::Lane;
use crate::wish::Id;
use crate::{key, value};

/// Entries that are dropped in one batch, so that the largest queue needs little memory.
const BATCH_MAX: usize = 4096;

/// Drops what is queued and what is postponed of a host. Says how much it was.
pub(crate) fn forget(shared: &Shared, writer: &mut Writer, host: &str) -> Result<u64, Error> {
    let Some(number) = shared.number_of(host)? else { return Ok(0) };
    let before = writer.ledger.forgotten;
    // First in memory, so that from now on nobody can take what is about to be dropped.
    let mut queues = shared.queues();
    let lanes = queues.lanes(number);
    queues.clear(number);
    drop(queues);
    for lane in lanes {
        forget_lane(shared, writer, number, lane)?;
    }
    while forget_postponed(shared, writer, number)? {}
    Ok(writer.ledger.forgotten - before)
}

fn forget_lane(shared: &Shared, writer: &mut Writer, host: u32, mut lane: Lane) -> Result<(), Error> {
    let id = |sequence| Id { host, precedence: lane.precedence, sequence };
    while lane.behind > 0 {
        shared.make_room(writer)?;
        let some = next_of_lane(shared, id(lane.cursor), lane.in_flight())?;
        let Some(last) = some.last() else {
            return Err(Error::Damaged { what: format!("entries behind {} are missing", id(lane.cursor)) });
        };
        lane.cursor = last.sequence + 1;
        lane.behind = lane.behind.saturating_sub(u32::try_from(some.len()).unwrap_or(u32::MAX));
        let mut change = Change::new(shared, writer);
        some.into_iter().for_each(|id| change.forget(id));
        change.commit(writer)?;
    }
    Ok(())
}

/// The next entries of a queue that nobody has taken: those in the tables first, as what is in the log was queued later.
fn next_of_lane(shared: &Shared, first: Id, taken: &BTreeSet<u64>) -> Result<Vec<Id>, Error> {
    let last = Id { sequence: u64::MAX, ..first };
    let pending = shared.pending();
    let ended = pending.ended_between(first, last);
    let is_free = |id: &Id| !taken.contains(&id.sequence);
    let mut some = Vec::new();
    for item in shared.disk.range(Space::Queue, &key::entry(first), &key::entry(last))? {
        let (key, _) = item?;
        let damaged = || Error::Damaged { what: "an entry has no sequence".to_owned() };
        let found = key::read_entry(&key).ok_or_else(damaged)?;
        if is_free(&found) && !ended.contains(&found) {
            some.push(found);
        }
        if some.len() >= BATCH_MAX {
            return Ok(some);
        }
    }
    let queued = pending.queued(first, last).map(|(id, _)| id);
    some.extend(queued.filter(is_free).take(BATCH_MAX - some.len()));
    Ok(some)
}

/// Drops some of what is postponed; `false` when nothing was left to drop.
fn forget_postponed(shared: &Shared, writer: &mut Writer, host: u32) -> Result<bool, Error> {
    let mut change = Change::new(shared, writer);
    let mut dropped = 0;
    let mut first_kept = None;
    for item in shared.postponed_from(Timestamp::MIN)? {
        let item = item?;
        let damaged = || Error::Damaged { what: "a postponed entry is no entry".to_owned() };
        let (number, ..) = value::read_postponed(&item.value).ok_or_else(damaged)?;
        if number != host || dropped == BATCH_MAX {
            first_kept = first_kept.or(Some(item.not_before));
        }
        if dropped == BATCH_MAX {
            break;
        }
        if number == host {
            change.forget_postponed(&item.key);
            dropped += 1;
        }
    }
    change.set_due(first_kept);
    if dropped > 0 {
        change.commit(writer)?;
    }
    Ok(dropped == BATCH_MAX)
}
