//! Reading a frontier as it was left.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use crate::change::Writer;
use crate::disk::{Disk, Space};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::key;
use crate::ledger::{Ledger, Unread, VERSION};
use crate::queues::{Lane, Queues};
use crate::settings::Settings;
use crate::sieve::Sieve;

/// All that is kept in memory.
pub(crate) fn load(disk: &Disk, folder: &Path, settings: &Settings) -> Result<(Writer, Queues), Error> {
    let ledger = ledger(disk, folder)?;
    check_stamps(disk, &ledger)?;
    let mut queues = lanes(disk, settings)?;
    queues.due = due(disk)?;
    queues.mark = disk.get(Space::Hosts, key::MARK)?.map(|mark| mark.to_vec());
    queues.ledger = ledger.clone();
    Ok((Writer { ledger, widths: widths(disk)? }, queues))
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
