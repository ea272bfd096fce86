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
        let Error::InvalidCertificate(error) = error else {
            return Verdict::Other("it could not be checked".to_owned());
        };
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
            CertificateError::Other(inner) => Verdict::Other(reason(&inner.to_string())),
            other => Verdict::Other(reason(&other.to_string())),
        }
    }
}

/// What the verifier's name for a fault means. It hands its rarer faults out by the names that they have in its code, and by
/// nothing else.
fn reason(name: &str) -> String {
    // Behind the name there may be values; they explain nothing to whoever reads this.
    let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let known = match name {
        "CaUsedAsEndEntity" => "a certificate authority's own certificate, used as a server's",
        "EndEntityUsedAsCa" => "a server's certificate, used to sign another's",
        "UnsupportedCertVersion" => "it is of a version that is not read any more",
        "UnhandledCriticalExtension" | "UnsupportedCriticalExtension" => "it demands what is not known",
        "NameConstraintViolation" => "its issuer may not vouch for this host",
        "PathLenConstraintViolated" => "its issuer may not let others vouch for it",
        "InvalidCertValidity" => "it ends before it begins",
        "CertDistrusted" => "it is not trusted any more",
        "MaximumPathDepthExceeded"
        | "MaximumPathBuildCallsExceeded"
        | "MaximumSignatureChecksExceeded"
        | "MaximumNameConstraintComparisonsExceeded" => "it takes too long to check",
        "" => "it is not valid",
        _ => return format!("it is not valid ({})", words(name)),
    };
    known.to_owned()
}

/// A name from code as words: `InvalidSerialNumber` is `invalid serial number`.
fn words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rustls::OtherError;

    use super::*;

    #[track_caller]
    fn check(name: &'static str, expected: &str) {
        let inner = OtherError(Arc::new(std::io::Error::other(name)));
        let verdict = Verdict::of(&Error::InvalidCertificate(CertificateError::Other(inner)));
        assert_eq!((verdict.to_string().as_str(), verdict.code()), (expected, "other"), "{name}");
    }

    #[test]
    fn reasons_are_prose() {
        check("CaUsedAsEndEntity", "a certificate authority's own certificate, used as a server's");
        check("TrailingData(Certificate)", "it is not valid (trailing data)");
        check("InvalidSerialNumber", "it is not valid (invalid serial number)");
        check("", "it is not valid");
        let error = Error::InvalidCertificate(CertificateError::UnhandledCriticalExtension);
        assert_eq!(Verdict::of(&error).to_string(), "it demands what is not known");
        assert_eq!(Verdict::of(&Error::DecryptError).to_string(), "it could not be checked");
    }
}
