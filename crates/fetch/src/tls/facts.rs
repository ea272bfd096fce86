//! What is known of an encrypted connection.

use std::fmt;

use rustls::{CertificateError, Error};

/// What is known of an encrypted connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFacts {
    /// The version as `WARC-Protocol` has it: `tls/1.2`, `tls/1.3`.
    pub version: &'static str,
    /// The cipher suite by its registered name, such as `TLS_AES_128_GCM_SHA256`.
    pub cipher: String,
    /// The protocol inside, if the server chose one.
    pub alpn: Option<String>,
    /// What is to be thought of the certificate.
    pub certificate: Verdict,
    /// The certificates that the server sent (DER), its own first.
    pub chain: Vec<Vec<u8>>,
}

/// What is to be thought of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It is this host's, and somebody we trust vouches for it.
    Valid,
    /// It ran out.
    Expired,
    /// It does not hold yet.
    NotValidYet,
    /// It is another host's.
    WrongName,
    /// It vouches for itself.
    SelfSigned,
    /// Nobody we trust vouches for it.
    UnknownIssuer,
    /// It was revoked.
    Revoked,
    /// It is not for servers.
    WrongPurpose,
    /// Its signature does not fit, or is of a kind that is not trusted any more.
    BadSignature,
    /// It cannot be read.
    Unreadable,
    /// Something else is wrong with it.
    Other(String),
}

impl Verdict {
    /// A short word for logs; it never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::Expired => "expired",
            Verdict::NotValidYet => "not-valid-yet",
            Verdict::WrongName => "wrong-name",
            Verdict::SelfSigned => "self-signed",
            Verdict::UnknownIssuer => "unknown-issuer",
            Verdict::Revoked => "revoked",
            Verdict::WrongPurpose => "wrong-purpose",
            Verdict::BadSignature => "bad-signature",
            Verdict::Unreadable => "unreadable",
            Verdict::Other(_) => "other",
        }
    }

    /// What a verifier's complaint means.
    pub(super) fn of(error: &Error) -> Verdict {
        let Error::InvalidCertificate(error) = error else { return Verdict::Other(error.to_string()) };
        match error {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => Verdict::Expired,
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                Verdict::NotValidYet
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                Verdict::WrongName
            }
            CertificateError::UnknownIssuer => Verdict::UnknownIssuer,
            CertificateError::Revoked => Verdict::Revoked,
            CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
                Verdict::WrongPurpose
            }
            CertificateError::BadSignature
            | CertificateError::UnsupportedSignatureAlgorithmContext { .. }
            | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
                Verdict::BadSignature
            }
            CertificateError::BadEncoding => Verdict::Unreadable,
            other => Verdict::Other(other.to_string()),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Valid => "it is valid",
            Verdict::Expired => "it has expired",
            Verdict::NotValidYet => "it is not valid yet",
            Verdict::WrongName => "it is for another host",
            Verdict::SelfSigned => "it is signed by itself",
            Verdict::UnknownIssuer => "its issuer is not known",
            Verdict::Revoked => "it was revoked",
            Verdict::WrongPurpose => "it is not for servers",
            Verdict::BadSignature => "its signature does not hold",
            Verdict::Unreadable => "it cannot be read",
            Verdict::Other(why) => why,
        })
    }
}
