//! How far a job's files have come.
//!
//! ```text
//! 1 byte   version, 1
//! 4 bytes  number of the last file, 0 if there is none
//! 8 bytes  its length
//! 8 bytes  length of captures.cdxj
//! ```
//! All numbers big-endian. Files before the last one are as long as they will ever be.

use crate::error::Error;

const VERSION: u8 = 1;

/// How far the files had come when [`Intake::flush`](crate::Intake::flush) returned. Whoever settles what was captured stores it
/// with that, and [`Archive::resume`](crate::Archive::resume) cuts the files back to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark(Vec<u8>);

impl Mark {
    /// A mark that was stored.
    #[must_use]
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Mark {
        Mark(bytes.into())
    }

    /// What to store.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn of(position: Position) -> Mark {
        let mut bytes = vec![VERSION];
        bytes.extend_from_slice(&position.serial.to_be_bytes());
        bytes.extend_from_slice(&position.file_bytes.to_be_bytes());
        bytes.extend_from_slice(&position.captures_bytes.to_be_bytes());
        Mark(bytes)
    }

    pub(crate) fn position(&self) -> Result<Position, Error> {
        let numbers = || {
            let (&VERSION, rest) = self.0.split_first()? else { return None };
            let (serial, rest) = rest.split_first_chunk()?;
            let (file_bytes, rest) = rest.split_first_chunk()?;
            let (captures_bytes, rest) = rest.split_first_chunk()?;
            rest.is_empty().then(|| Position {
                serial: u32::from_be_bytes(*serial),
                file_bytes: u64::from_be_bytes(*file_bytes),
                captures_bytes: u64::from_be_bytes(*captures_bytes),
            })
        };
        numbers().ok_or(Error::BadMark)
    }
}

/// What a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Position {
    pub(crate) serial: u32,
    pub(crate) file_bytes: u64,
    pub(crate) captures_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        let position = Position { serial: 7, file_bytes: u64::MAX, captures_bytes: 300 };
        let mark = Mark::of(position);
        assert_eq!(Mark::from_bytes(mark.as_bytes()).position().unwrap(), position);
    }

    #[test]
    fn what_is_no_mark_is_refused() {
        let mut long = Mark::of(Position::default()).0;
        long.push(0);
        for bytes in [Vec::new(), vec![1], vec![2; 21], long] {
            assert!(matches!(Mark::from_bytes(bytes).position(), Err(Error::BadMark)));
        }
    }
}
