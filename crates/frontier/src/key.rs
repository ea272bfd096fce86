//! The keys on disk. All numbers are big-endian, so that the order of bytes is the order that is wanted.
//!
//! ```text
//! queue      host 4 | precedence 1 | sequence 8          its entries, in the order in which they are taken
//! postponed  time 16 | sequence 8                        nanoseconds since 1970, the sign flipped
//! seen       fingerprint of the URL 16
//! hosts      'n' fingerprint of the name 16              number of the host
//!            'h' host 4                                  name of the host
//!            'd' distance 4                              pages accepted at a distance
//!            'm'                                         the mark
//!            's'                                         the ledger
//! log        batch 8                                     what it did, until that is in the tables of the queue and the seen
//! ```
//!
//! All but the log also have one record under a key of one byte, [`STAMP`]: the number of the last batch that touched them, or,
//! of the queue and the seen, that is in their tables.

use jiff::Timestamp;

use crate::fingerprint::Fingerprint;
use crate::wish::Id;

/// The last batch that touched a space. It sorts before every other key there, being the beginning of the first.
pub(crate) const STAMP: &[u8] = b"\0";
pub(crate) const LEDGER: &[u8] = b"s";
pub(crate) const MARK: &[u8] = b"m";

const NAME: u8 = b'n';
const HOST: u8 = b'h';
const DISTANCE: u8 = b'd';

/// An entry of a queue.
pub(crate) fn entry(id: Id) -> [u8; 13] {
    join([&id.host.to_be_bytes(), &[id.precedence], &id.sequence.to_be_bytes()])
}

pub(crate) fn read_entry(key: &[u8]) -> Option<Id> {
    let (host, rest) = key.split_first_chunk()?;
    let (precedence, sequence) = rest.split_first()?;
    Some(Id {
        host: u32::from_be_bytes(*host),
        precedence: *precedence,
        sequence: u64::from_be_bytes(sequence.try_into().ok()?),
    })
}

/// The first key that an entry of these hosts can have, and the last.
pub(crate) fn entries(host: Option<u32>) -> ([u8; 13], [u8; 13]) {
    let first = Id { host: host.unwrap_or(0), precedence: 0, sequence: 0 };
    let last = Id { host: host.unwrap_or(u32::MAX), precedence: u8::MAX, sequence: u64::MAX };
    (entry(first), entry(last))
}

/// An entry that waits for a time.
pub(crate) fn postponed(not_before: Timestamp, sequence: u64) -> [u8; 24] {
    join([&time(not_before), &sequence.to_be_bytes(), &[]])
}

/// When a postponed entry may come.
pub(crate) fn read_postponed(key: &[u8]) -> Option<Timestamp> {
    let (time, sequence) = key.split_first_chunk::<16>()?;
    read_time(time).filter(|_| sequence.len() == 8)
}

/// A time as it stands in keys.
pub(crate) fn time(time: Timestamp) -> [u8; 16] {
    (time.as_nanosecond() ^ i128::MIN).to_be_bytes()
}

pub(crate) fn read_time(bytes: &[u8; 16]) -> Option<Timestamp> {
    Timestamp::from_nanosecond(i128::from_be_bytes(*bytes) ^ i128::MIN).ok()
}

/// The number of a host by its name.
pub(crate) fn name(name: &str) -> [u8; 17] {
    join([&[NAME], &Fingerprint::of(name).bytes(), &[]])
}

/// The name of a host by its number.
pub(crate) fn host(host: u32) -> [u8; 5] {
    join([&[HOST], &host.to_be_bytes(), &[]])
}

/// A record of the log.
pub(crate) fn record(batch: u64) -> [u8; 8] {
    batch.to_be_bytes()
}

pub(crate) fn read_record(key: &[u8]) -> Option<u64> {
    key.try_into().ok().map(u64::from_be_bytes)
}

/// The first key of the seen, and the last.
pub(crate) fn seen() -> ([u8; 16], [u8; 16]) {
    ([0; 16], [u8::MAX; 16])
}

pub(crate) fn distance(distance: u32) -> [u8; 5] {
    join([&[DISTANCE], &distance.to_be_bytes(), &[]])
}

pub(crate) fn read_distance(key: &[u8]) -> Option<u32> {
    key.strip_prefix(&[DISTANCE])?.try_into().ok().map(u32::from_be_bytes)
}

/// The first key of a distance, and the last.
pub(crate) fn distances() -> ([u8; 5], [u8; 5]) {
    (distance(0), distance(u32::MAX))
}

/// Parts one after another; they come to `N` bytes.
fn join<const N: usize>(parts: [&[u8]; 3]) -> [u8; N] {
    let mut key = [0; N];
    for (to, from) in key.iter_mut().zip(parts.into_iter().flatten()) {
        *to = *from;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_reads_back() {
        let id = Id { host: 7, precedence: 3, sequence: 1 << 40 };
        assert_eq!(read_entry(&entry(id)), Some(id));
        assert_eq!(entry(id), [0, 0, 0, 7, 3, 0, 0, 1, 0, 0, 0, 0, 0]);
        assert_eq!(read_entry(b"short"), None);
        assert_eq!(read_entry(STAMP), None);
    }

    #[test]
    fn times_sort_as_they_pass() {
        let times = [Timestamp::MIN, Timestamp::UNIX_EPOCH, Timestamp::MAX];
        let keys: Vec<_> = times.iter().map(|time| postponed(*time, 9)).collect();
        assert!(keys.is_sorted());
        for (time, key) in times.iter().zip(&keys) {
            assert_eq!(read_postponed(key), Some(*time));
        }
        assert_eq!(read_postponed(&[0xff; 24]), None);
        assert_eq!(read_postponed(STAMP), None);
    }

    #[test]
    fn distances_read_back() {
        assert_eq!(read_distance(&distance(70_000)), Some(70_000));
        assert_eq!(read_distance(b"d1"), None);
        assert_eq!(name("a")[0], b'n');
        assert_eq!(host(1), *b"h\0\0\0\x01");
    }
}
