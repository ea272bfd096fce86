//! Bringing a finished job into the archive: all of it, or nothing.

use store::Sealed;

/// A job that is part of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// Its files, the metadata file last.
    pub files: Vec<Sealed>,
    /// Lines in the index.
    pub captures: u64,
}
