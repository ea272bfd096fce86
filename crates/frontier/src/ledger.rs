//! What stands at the head of every batch: what has been counted, and which numbers are given out next.
//!
//! ```text
//! version 2 | batch 8 | next sequence 8 | next host 8 | seen 8 | done 8 | forgotten 8 | over width 8 | postponed 8
//!           | last batch of postponed 8 | of hosts 8
//! ```

/// The version of everything on disk.
pub(crate) const VERSION: u16 = 2;

const FIELDS: usize = 10;

/// What has been counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ledger {
    /// The number of the last batch.
    pub(crate) batch: u64,
    pub(crate) next_sequence: u64,
    pub(crate) next_host: u32,
    pub(crate) seen: u64,
    pub(crate) done: u64,
    pub(crate) forgotten: u64,
    pub(crate) over_width: u64,
    pub(crate) postponed: u64,
    /// The last batch that touched the postponed and the hosts. Each of them says the same of itself; if not, part of a batch
    /// is missing.
    pub(crate) stamps: [u64; 2],
}

/// Why a ledger could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    Version(u16),
    Damaged,
}

impl Ledger {
    pub(crate) fn write(&self) -> Vec<u8> {
        let [postponed, hosts] = self.stamps;
        let fields: [u64; FIELDS] = [
            self.batch,
            self.next_sequence,
            u64::from(self.next_host),
            self.seen,
            self.done,
            self.forgotten,
            self.over_width,
            self.postponed,
            postponed,
            hosts,
        ];
        VERSION.to_be_bytes().into_iter().chain(fields.into_iter().flat_map(u64::to_be_bytes)).collect()
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Ledger, Unread> {
        let (version, rest) = bytes.split_first_chunk().ok_or(Unread::Damaged)?;
        let version = u16::from_be_bytes(*version);
        if version != VERSION {
            return Err(Unread::Version(version));
        }
        let (chunks, []) = rest.as_chunks::<8>() else { return Err(Unread::Damaged) };
        let fields: Vec<u64> = chunks.iter().map(|field| u64::from_be_bytes(*field)).collect();
        let [batch, next_sequence, next_host, seen, done, forgotten, over_width, postponed, stamps @ ..] =
            *<&[u64; FIELDS]>::try_from(fields.as_slice()).map_err(|_| Unread::Damaged)?;
        let next_host = u32::try_from(next_host).map_err(|_| Unread::Damaged)?;
        Ok(Ledger { batch, next_sequence, next_host, seen, done, forgotten, over_width, postponed, stamps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_reads_back() {
        let ledger = Ledger {
            batch: 1,
            next_sequence: 2,
            next_host: 3,
            seen: 4,
            done: 5,
            forgotten: 6,
            over_width: 7,
            postponed: 8,
            stamps: [9, 10],
        };
        let bytes = ledger.write();
        assert_eq!(Ledger::read(&bytes), Ok(ledger));
        assert_eq!(Ledger::read(&bytes[..bytes.len() - 1]), Err(Unread::Damaged));
        assert_eq!(Ledger::read(b""), Err(Unread::Damaged));
    }

    #[test]
    fn another_version_is_said() {
        let mut bytes = Ledger::default().write();
        bytes[1] = 1;
        assert_eq!(Ledger::read(&bytes), Err(Unread::Version(1)));
    }
}
