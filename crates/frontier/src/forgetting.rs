//! Dropping all that waits of one host.

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
        let mut change = Change::new(shared, writer);
        let range =
            shared.disk.range(Space::Queue, &key::entry(id(lane.cursor)), &key::entry(id(u64::MAX)))?;
        let mut dropped = 0;
        for item in range {
            let (key, _) = item?;
            let damaged = || Error::Damaged { what: "an entry has no sequence".to_owned() };
            let found = key::read_entry(&key).ok_or_else(damaged)?;
            if lane.in_flight().contains(&found.sequence) {
                continue;
            }
            change.forget(found);
            dropped += 1;
            lane.cursor = found.sequence + 1;
            if dropped == BATCH_MAX {
                break;
            }
        }
        if dropped == 0 {
            return Err(Error::Damaged { what: format!("entries behind {} are missing", id(lane.cursor)) });
        }
        lane.behind = lane.behind.saturating_sub(u32::try_from(dropped).unwrap_or(u32::MAX));
        change.commit(writer)?;
    }
    Ok(())
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
