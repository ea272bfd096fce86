//! Looks at certificates without turning anybody away during the handshake.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use super::facts::Verdict;

/// Lets every certificate pass the handshake; [`Judge`] says afterwards what is to be thought of it. That the server holds the
/// certificate's key is checked here all the same, or the verdict would be worth nothing.
#[derive(Debug)]
pub(super) struct LetPass(pub(super) Arc<CryptoProvider>);

impl ServerCertVerifier for LetPass {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        tolerate_unreadable(verify_tls12_signature(message, cert, signed, algorithms))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        tolerate_unreadable(verify_tls13_signature(message, cert, signed, algorithms))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Old devices have certificates of a version that is not read any more. Such a one is never judged valid, so its key need not
/// be proven.
fn tolerate_unreadable(
    result: Result<HandshakeSignatureValid, Error>,
) -> Result<HandshakeSignatureValid, Error> {
    match result {
        Err(Error::InvalidCertificate(CertificateError::BadEncoding | CertificateError::Other(_))) => {
            Ok(HandshakeSignatureValid::assertion())
        }
        other => other,
    }
}

/// Says what is to be thought of a certificate.
#[derive(Debug)]
pub(super) struct Judge {
    /// `None` if there is nobody to trust.
    verifier: Option<Arc<WebPkiServerVerifier>>,
}

impl Judge {
    pub(super) fn new(roots: RootCertStore, provider: Arc<CryptoProvider>) -> Judge {
        let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        Judge { verifier: builder.build().ok() }
    }

    /// The verdict on the certificates that a server sent, at this time.
    pub(super) fn judge(
        &self,
        chain: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        now: UnixTime,
    ) -> Verdict {
        let Some((own, others)) = chain.split_first() else { return Verdict::Unreadable };
        let verdict = match &self.verifier {
            None => Verdict::UnknownIssuer,
            Some(verifier) => match verifier.verify_server_cert(own, others, host, &[], now) {
                Ok(_) => Verdict::Valid,
                Err(error) => Verdict::of(&error),
            },
        };
        if verdict == Verdict::UnknownIssuer && is_self_issued(own) { Verdict::SelfSigned } else { verdict }
    }
}

/// Whether issuer and subject of a certificate are the same: its parts are walked over (RFC 5280, 4.1), nothing more.
fn is_self_issued(certificate: &[u8]) -> bool {
    fn issued(certificate: &[u8]) -> Option<bool> {
        let (_, outer, _) = element(certificate)?;
        let (_, mut body, _) = element(outer)?;
        let (tag, _, rest) = element(body)?;
        // The version is left out by the oldest.
        if tag == 0xa0 {
            body = rest;
        }
        let (_, _, behind_serial) = element(body)?;
        let (_, _, behind_algorithm) = element(behind_serial)?;
        let (_, issuer, behind_issuer) = element(behind_algorithm)?;
        let (_, _, behind_validity) = element(behind_issuer)?;
        let (_, subject, _) = element(behind_validity)?;
        Some(issuer == subject)
    }
    issued(certificate).unwrap_or_default()
}

/// One element of DER: its tag, its content, what follows.
fn element(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let [tag, first, rest @ ..] = bytes else { return None };
    let (length, rest) = if *first < 0x80 {
        (usize::from(*first), rest)
    } else {
        let count = usize::from(first & 0x7f);
        let (digits, rest) = rest.split_at_checked(count).filter(|_| (1..=4).contains(&count))?;
        (digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)), rest)
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}
