//! TLS: encrypted whatever the certificate says, and what it says is kept.
//!
//! An archive wants the page also when the certificate ran out yesterday. So a bad certificate is a fact, [`Verdict`], and no
//! failure, unless [`TlsSettings::refuse_invalid`] is set.

mod facts;
mod handshake;
mod verify;

pub use facts::{TlsFacts, Verdict};
pub(crate) use handshake::Tls;

/// How to encrypt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsSettings {
    /// Fail if the certificate is not valid, as browsers do.
    pub refuse_invalid: bool,
    /// Certificates (DER) to trust beside the system's.
    pub extra_roots: Vec<Vec<u8>>,
    /// Do not trust those of the system.
    pub without_system_roots: bool,
}
