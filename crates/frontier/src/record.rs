//! A record of the log: one batch, whole.
//!
//! ```text
//! ledger n, bytes | mark: 0, or 1 then n, bytes | distances n: each distance 4, pages 8 | seen n: each fingerprint 16
//!                 | ended n: each key 13 | queued n: each key 13, then n, wish
//! ```
//!
//! Keys are those of the queue. Lengths and counts are base-128 numbers, as in `value.rs`.

use crate::fingerprint::Fingerprint;
use crate::key;
use crate::ledger::{Ledger, Unread};
use crate::pending::Changes;
use crate::queues::Entry;
use crate::value::{read_bytes, read_number, write_bytes, write_number};

/// What a batch did.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) ledger: Ledger,
    pub(crate) mark: Option<Vec<u8>>,
    /// Pages accepted at the distances that it has pages of.
    pub(crate) widths: Vec<(u32, u64)>,
    pub(crate) changes: Changes,
}

/// The bytes of a record.
pub(crate) fn write(
    ledger: &Ledger,
    mark: Option<&[u8]>,
    widths: impl ExactSizeIterator<Item = (u32, u64)>,
    changes: &Changes,
) -> Vec<u8> {
    let wishes: usize = changes.queued.iter().map(|(_, entry)| entry.wish().len() + 16).sum();
    let fixed = changes.seen.len() * 16 + changes.ended.len() * 13 + widths.len() * 12;
    let mut out = Vec::with_capacity(wishes + fixed + mark.map_or(0, <[u8]>::len) + 160);
    write_bytes(&ledger.write(), &mut out);
    out.push(u8::from(mark.is_some()));
    if let Some(mark) = mark {
        write_bytes(mark, &mut out);
    }
    write_number(widths.len(), &mut out);
    for (distance, pages) in widths {
        out.extend_from_slice(&distance.to_be_bytes());
        out.extend_from_slice(&pages.to_be_bytes());
    }
    write_number(changes.seen.len(), &mut out);
    changes.seen.iter().for_each(|fingerprint| out.extend_from_slice(&fingerprint.bytes()));
    write_number(changes.ended.len(), &mut out);
    changes.ended.iter().for_each(|id| out.extend_from_slice(&key::entry(*id)));
    write_number(changes.queued.len(), &mut out);
    for (id, entry) in &changes.queued {
        out.extend_from_slice(&key::entry(*id));
        write_bytes(entry.wish(), &mut out);
    }
    out
}

/// The record that was written.
pub(crate) fn read(mut bytes: &[u8]) -> Result<Record, Unread> {
    let bytes = &mut bytes;
    let ledger = Ledger::read(read_bytes(bytes).ok_or(Unread::Damaged)?)?;
    read_rest(bytes).map(|rest| Record { ledger, ..rest }).ok_or(Unread::Damaged)
}

fn read_rest(bytes: &mut &[u8]) -> Option<Record> {
    let mark = match bytes.split_off_first()? {
        0 => None,
        1 => Some(read_bytes(bytes)?.to_vec()),
        _ => return None,
    };
    let mut record = Record { mark, ..Record::default() };
    for _ in 0..read_number(bytes)? {
        let distance = u32::from_be_bytes(bytes.split_off(..4)?.try_into().ok()?);
        let pages = u64::from_be_bytes(bytes.split_off(..8)?.try_into().ok()?);
        record.widths.push((distance, pages));
    }
    let changes = &mut record.changes;
    for _ in 0..read_number(bytes)? {
        changes.seen.push(Fingerprint::read(bytes.split_off(..16)?)?);
    }
    for _ in 0..read_number(bytes)? {
        changes.ended.push(key::read_entry(bytes.split_off(..13)?)?);
    }
    for _ in 0..read_number(bytes)? {
        let id = key::read_entry(bytes.split_off(..13)?)?;
        changes.queued.push((id, Entry::new(id.sequence, read_bytes(bytes)?)));
    }
    bytes.is_empty().then_some(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wish::Id;
    use proptest::prelude::*;

    fn some() -> (Ledger, Changes) {
        let id = |sequence| Id { host: 3, precedence: 1, sequence };
        let queued = vec![(id(5), Entry::new(5, b"five")), (id(6), Entry::new(6, b""))];
        let seen = vec![Fingerprint::of("a"), Fingerprint::of("b")];
        (Ledger { batch: 9, ..Ledger::default() }, Changes { seen, ended: vec![id(1)], queued })
    }

    #[test]
    fn a_record_reads_back() {
        let (ledger, changes) = some();
        for mark in [None, Some(b"".as_slice()), Some(b"mark".as_slice())] {
            let bytes = write(&ledger, mark, [(1, 20), (7, 4)].into_iter(), &changes);
            let record = read(&bytes).unwrap();
            assert_eq!((&record.ledger, record.mark.as_deref()), (&ledger, mark));
            assert_eq!(record.widths, [(1, 20), (7, 4)]);
            assert_eq!((&record.changes.seen, &record.changes.ended), (&changes.seen, &changes.ended));
            let wishes: Vec<_> =
                record.changes.queued.iter().map(|(id, entry)| (*id, entry.wish())).collect();
            let expected: Vec<_> = changes.queued.iter().map(|(id, entry)| (*id, entry.wish())).collect();
            assert_eq!(wishes, expected);
            for length in 0..bytes.len() {
                assert!(read(&bytes[..length]).is_err(), "{length} bytes of {}", bytes.len());
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_record_or_none(bytes: Vec<u8>) {
            let (ledger, changes) = some();
            let _ = read(&bytes);
            let mut record = write(&ledger, None, [].into_iter(), &changes);
            record.truncate(92);
            record.extend(bytes);
            let _ = read(&record);
        }
    }
}
