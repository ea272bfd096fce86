//! Reading a frontier as it was left.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use crate::change::Writer;
use crate::disk::{Disk, Space};
use crate::error::Error;
use crate::ledger::{Ledger, Unread, VERSION};
use crate::queues::{Lane, Queues};
use crate::settings::Settings;
use crate::{key, value};

/// All that is kept in memory.
pub(crate) fn load(disk: &Disk, folder: &Path, settings: &Settings) -> Result<(Writer, Queues), Error> {
    let ledger = ledger(disk, folder)?;
    check_stamps(disk, &ledger)?;
    let mut queues = Queues::new(settings.ahead_bytes);
    let (first, last) = key::lanes();
    for item in disk.range(Space::Hosts, &first, &last)? {
        let (key, value) = item?;
        let (Some((number, precedence)), Some((entries, first))) =
            (key::read_lane(&key), value::read_lane(&value))
        else {
            return Err(Error::Damaged { what: "a lane is no lane".to_owned() });
        };
        let name = queues.name(number).map_or_else(|| name(disk, number), Ok)?;
        queues.load(number, name, Lane::new(precedence, entries, first));
    }
    queues.due = due(disk)?;
    queues.mark = disk.get(Space::Hosts, key::MARK)?.map(|mark| mark.to_vec());
    queues.ledger = ledger.clone();
    Ok((Writer { ledger, widths: widths(disk)? }, queues))
}

/// The name of a host that has a number.
pub(crate) fn name(disk: &Disk, number: u32) -> Result<Arc<str>, Error> {
    let damaged = || Error::Damaged { what: format!("host {number} has no name") };
    let bytes = disk.get(Space::Hosts, &key::host(number))?.ok_or_else(damaged)?;
    std::str::from_utf8(&bytes).map(Arc::from).map_err(|_| damaged())
}

fn ledger(disk: &Disk, folder: &Path) -> Result<Ledger, Error> {
    let damaged = || Error::Damaged { what: "its ledger cannot be read".to_owned() };
    let bytes = disk.get(Space::Hosts, key::LEDGER)?.ok_or_else(damaged)?;
    Ledger::read(&bytes).map_err(|unread| match unread {
        Unread::Version(found) => Error::Version { folder: folder.to_path_buf(), found, known: VERSION },
        Unread::Damaged => damaged(),
    })
}

/// A journal that lost its tail takes the newest batches with it. That is as if the process had been killed earlier, unless
/// one of the spaces has them in its tables already.
fn check_stamps(disk: &Disk, ledger: &Ledger) -> Result<(), Error> {
    let spaces = [Space::Seen, Space::Queue, Space::Postponed];
    for (space, expected) in spaces.into_iter().zip(ledger.stamps) {
        let found = disk.get(space, key::STAMP)?;
        let found = match found.as_deref() {
            None => Some(0),
            Some(bytes) => bytes.try_into().ok().map(u64::from_be_bytes),
        };
        if found != Some(expected) {
            return Err(Error::Damaged { what: "part of the last batches is missing".to_owned() });
        }
    }
    Ok(())
}

/// When the first of what is postponed may come.
fn due(disk: &Disk) -> Result<Option<Timestamp>, Error> {
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
