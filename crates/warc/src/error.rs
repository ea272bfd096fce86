//! What can go wrong: the source cannot be read, or what it holds is not sound.

use std::io;

use crate::fault::Fault;

/// Why reading or writing stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes of the file are damaged or against the standard; [`Fault`] says where and how.
    #[error("{0}")]
    Fault(Fault),
    /// The source itself failed.
    #[error("cannot read at byte {offset}")]
    Read {
        /// Offset in the source of the first byte that could not be had.
        offset: u64,
        /// What the source said.
        source: io::Error,
    },
    /// The place written to failed.
    #[error("cannot write")]
    Write(#[source] io::Error),
    /// A sync to disk failed earlier: nobody knows what is on the disk, so nothing more is written.
    #[error("an earlier write or sync failed; reopen the file, cut off its tail and write again")]
    Poisoned,
    /// A block had another length than its record's header says.
    #[error("the block has {found} bytes, its header says {expected}")]
    BlockLength {
        /// Bytes that the header promised.
        expected: u64,
        /// Bytes that came.
        found: u64,
    },
    /// A field cannot stand in a header: its value holds a line break or another control character, or its name is none.
    #[error(
        "the field `{name}` cannot be written: its name is no name, or its value holds a control character"
    )]
    FieldValue {
        /// Name of the field.
        name: String,
    },
    /// What is being read is not wanted any more; met by workers of [`parallel`](crate::parallel) only.
    #[error("not wanted any more")]
    Unwanted,
    /// The text is not a digest that we know.
    #[error("not a digest: `{0}`")]
    Digest(String),
}

impl Error {
    /// The fault, if the file is to blame.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Error::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::Fault(fault)
    }
}

/// Lets a record's body be used where `std::io` errors are expected; the cause stays attached.
impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = match &error {
            Error::Read { source, .. } | Error::Write(source) => source.kind(),
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}
