//! The digest that tells one document from another.

use std::fmt;

use data_encoding::HEXLOWER;

use crate::error::Error;

/// SHA-256 of a document: without chunk framing and without codings, so that it is the same however a server packed it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(crate) fn of(digest: &warc::Digest) -> Option<Sha256> {
        digest.value().try_into().ok().map(Sha256)
    }

    pub(crate) fn parse(what: &'static str, bytes: &[u8]) -> Result<Sha256, Error> {
        bytes.try_into().map(Sha256).map_err(|_| Error::Damaged { what, found: HEXLOWER.encode(bytes) })
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
