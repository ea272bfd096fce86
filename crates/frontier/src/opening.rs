//! Reading a frontier as it was left.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use crate::change::Writer;
use crate::disk::{Disk, Space};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::ledger::{Ledger, Unread, VERSION};
use crate::pending::Pending;
use crate::queues::{Lane, Queues};
use crate::settings::Settings;
use crate::sieve::Sieve;
use crate::{checkpoint, key, record};

/// All that is kept in memory. What is in the log goes into tables first, so that there is one place to read it from.
pub(crate) fn load(disk: &Disk, folder: &Path, settings: &Settings) -> Result<(Writer, Queues), Error> {
    let ledger = ledger(disk, folder)?;
    let in_tables = ledger.batch;
    let mut writer = Writer { ledger, widths: widths(disk)?, in_tables };
    let mut mark = disk.get(Space::Hosts, key::MARK)?.map(|mark| mark.to_vec());
    let pending = log(disk, folder, &mut writer, &mut mark)?;
    check_stamps(disk, &writer)?;
    if !pending.is_empty() {
        checkpoint::write(disk, &pending, &mut writer, mark.as_deref())?;
    }
    let mut queues = lanes(disk, settings)?;
    queues.due = due(disk)?;
    // The first who asks finds out how late the last of them is.
    queues.latest = queues.due.map(|_| Timestamp::MAX);
    queues.mark = mark;
    queues.ledger = writer.ledger.clone();
    Ok((writer, queues))
}

/// What the records of the log come to, one after another.
fn log(
    disk: &Disk,
    folder: &Path,
    writer: &mut Writer,
    mark: &mut Option<Vec<u8>>,
) -> Result<Pending, Error> {
    let mut pending = Pending::default();
    let (first, last) = (key::record(writer.in_tables.saturating_add(1)), key::record(u64::MAX));
    for item in disk.range(Space::Log, &first, &last)? {
        let (key, value) = item?;
        let number = writer.ledger.batch + 1;
        let record = record::read(&value).map_err(|unread| not_read(unread, folder))?;
        if key::read_record(&key) != Some(number) || record.ledger.batch != number {
            return Err(Error::Damaged { what: format!("batch {number} is missing") });
        }
        writer.ledger = record.ledger;
        writer.widths.extend(record.widths);
        *mark = record.mark.or(mark.take());
        pending.add(record.changes, value.len());
    }
    Ok(pending)
}

/// The queues as they lie on disk, counted entry by entry: what is there is what counts.
fn lanes(disk: &Disk, settings: &Settings) -> Result<Queues, Error> {
    let mut queues = Queues::new(settings.ahead_bytes);
    let mut open: Option<(u32, Lane)> = None;
    let mut close = |lane: Option<(u32, Lane)>| -> Result<(), Error> {
        if let Some((number, lane)) = lane {
            let name = queues.name(number).map_or_else(|| name(disk, number), Ok)?;
            queues.load(number, name, lane);
        }
        Ok(())
    };
    let (first, last) = key::entries(None);
    for item in disk.range(Space::Queue, &first, &last)? {
        let (key, _) = item?;
        let damaged = || Error::Damaged { what: "an entry has no sequence".to_owned() };
        let id = key::read_entry(&key).ok_or_else(damaged)?;
        match &mut open {
            Some((host, lane)) if *host == id.host && lane.precedence == id.precedence => lane.behind += 1,
            _ => close(open.replace((id.host, Lane::new(id.precedence, 1, id.sequence))))?,
        }
    }
    close(open)?;
    Ok(queues)
}

/// A sieve with all that was ever seen, unless that is more than it is good for.
pub(crate) fn sieve(disk: &Disk, seen: u64, settings: &Settings) -> Result<Option<Sieve>, Error> {
    let sieve = Sieve::new(settings.sieve_bytes);
    if !sieve.holds(seen) {
        return Ok(None);
    }
    let (first, last) = key::seen();
    for item in disk.range(Space::Seen, &first, &last)? {
        let (key, _) = item?;
        let damaged = || Error::Damaged { what: "a fingerprint is none".to_owned() };
        sieve.add(Fingerprint::read(&key).ok_or_else(damaged)?);
    }
    Ok(Some(sieve))
}

/// The name of a host that has a number.
pub(crate) fn name(disk: &Disk, number: u32) -> Result<Arc<str>, Error> {
    let damaged = || Error::Damaged { what: format!("host {number} has no name") };
    let bytes = disk.get(Space::Hosts, &key::host(number))?.ok_or_else(damaged)?;
    std::str::from_utf8(&bytes).map(Arc::from).map_err(|_| damaged())
}

/// The ledger as of the last tables.
fn ledger(disk: &Disk, folder: &Path) -> Result<Ledger, Error> {
    let bytes = disk.get(Space::Hosts, key::LEDGER)?.ok_or_else(|| not_read(Unread::Damaged, folder))?;
    Ledger::read(&bytes).map_err(|unread| not_read(unread, folder))
}

fn not_read(unread: Unread, folder: &Path) -> Error {
    match unread {
        Unread::Version(found) => Error::Version { folder: folder.to_path_buf(), found, known: VERSION },
        Unread::Damaged => Error::Damaged { what: "its ledger cannot be read".to_owned() },
    }
}

/// A journal that lost its tail takes the newest batches with it. That is as if the process had been killed earlier, unless
/// one of the spaces has them in its tables already.
fn check_stamps(disk: &Disk, writer: &Writer) -> Result<(), Error> {
    let Writer { ledger, in_tables, .. } = writer;
    let [postponed, hosts] = ledger.stamps.map(|stamp| stamp..=stamp);
    // Tables may have been written without the log being emptied, if it ended there.
    let written = || *in_tables..=ledger.batch;
    let spaces = [
        (Space::Seen, written()),
        (Space::Queue, written()),
        (Space::Postponed, postponed),
        (Space::Hosts, hosts),
    ];
    for (space, expected) in spaces {
        let found = disk.get(space, key::STAMP)?;
        let found = match found.as_deref() {
            None => Some(0),
            Some(bytes) => bytes.try_into().ok().map(u64::from_be_bytes),
        };
        if found.is_none_or(|found| !expected.contains(&found)) {
            return Err(Error::Damaged { what: "part of the last batches is missing".to_owned() });
        }
    }
    Ok(())
}

/// When the first of what is postponed may come.
pub(crate) fn due(disk: &Disk) -> Result<Option<Timestamp>, Error> {
    let (first, last) = (key::postponed(Timestamp::MIN, 0), key::postponed(Timestamp::MAX, u64::MAX));
    let Some(item) = disk.range(Space::Postponed, &first, &last)?.next() else { return Ok(None) };
    let (key, _) = item?;
    let damaged = || Error::Damaged { what: "a postponed entry has no time".to_owned() };
    key::read_postponed(&key).map(Some).ok_or_else(damaged)
}

fn widths(disk: &Disk) -> Result<HashMap<u32, u64>, Error> {
    let (first, last) = key::distances();
    let mut widths = HashMap::new();
    for item in disk.range(Space::Hosts, &first, &last)? {
        let (key, value) = item?;
        let count = value.as_ref().try_into().ok().map(u64::from_be_bytes);
        let (Some(distance), Some(count)) = (key::read_distance(&key), count) else {
            return Err(Error::Damaged { what: "a distance has no count".to_owned() });
        };
        widths.insert(distance, count);
    }
    Ok(widths)
}
