//! From the log into tables.
//!
//! First the log is brought to the disk, so that no table ever has what the log could lose. Then the tables are written, and only
//! when they are on the disk is the log emptied. Killed anywhere in between, all of it is done again from the log, and comes to
//! the same.

use crate::change::Writer;
use crate::disk::{Batch, Disk, Item, Space};
use crate::error::Error;
use crate::key;
use crate::pending::Pending;

/// Writes what is pending into tables and empties the log.
pub(crate) fn write(
    disk: &Disk,
    pending: &Pending,
    writer: &mut Writer,
    mark: Option<&[u8]>,
) -> Result<(), Error> {
    disk.persist()?;
    let last = writer.ledger.batch;
    let stamp: Item = (key::STAMP.into(), Some(last.to_be_bytes().into()));
    disk.ingest(Space::Seen, [stamp.clone()].into_iter().chain(pending.seen_items()))?;
    disk.ingest(Space::Queue, [stamp].into_iter().chain(pending.queue_items()))?;

    let mut batch = Batch::default();
    batch.put(Space::Hosts, key::LEDGER, writer.ledger.write());
    if let Some(mark) = mark {
        batch.put(Space::Hosts, key::MARK, mark);
    }
    for (distance, count) in &writer.widths {
        batch.put(Space::Hosts, &key::distance(*distance), count.to_be_bytes());
    }
    for number in writer.in_tables + 1..=last {
        batch.remove(Space::Log, &key::record(number));
    }
    disk.commit(batch)?;
    writer.in_tables = last;
    Ok(())
}
