//! Makes an encrypted connection out of a plain one.

use std::sync::Arc;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{AlertDescription, ClientConfig, Error, InvalidMessage, PeerIncompatible, ProtocolVersion};
use rustls::{RootCertStore, version};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::TlsSettings;
use super::facts::{TlsFacts, Verdict};
use super::verify::{Judge, LetPass};
use crate::clock::Clock;
use crate::error;
use crate::outcome::Failure;

/// Makes encrypted connections; sessions are resumed where servers offer it.
#[derive(Debug)]
pub(crate) struct Tls {
    settings: TlsSettings,
    clock: Clock,
    provider: Arc<CryptoProvider>,
    config: Option<Arc<ClientConfig>>,
    extra: RootCertStore,
    /// Made when the first certificate is to be judged: reading the system's takes a while.
    judge: OnceCell<Judge>,
}

impl Tls {
    pub(crate) fn new(settings: TlsSettings, clock: Clock) -> Result<Tls, error::Error> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&version::TLS13, &version::TLS12])
            .ok()
            .map(|builder| {
                let verifier = Arc::new(LetPass(provider.clone()));
                let mut config =
                    builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
                config.alpn_protocols = vec![b"http/1.1".to_vec()];
                Arc::new(config)
            });
        let mut extra = RootCertStore::empty();
        for (number, root) in (1..).zip(&settings.extra_roots) {
            extra.add(root.clone().into()).map_err(|_| error::Error::Root { number })?;
        }
        Ok(Tls { settings, clock, provider, config, extra, judge: OnceCell::new() })
    }

    /// Shakes hands with the server of this name.
    pub(crate) async fn connect(
        &self,
        host: &str,
        stream: TcpStream,
    ) -> Result<(TlsStream<TcpStream>, TlsFacts), Failure> {
        let bare = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
        let name = ServerName::try_from(bare.to_owned()).map_err(|_| Failure::BadUrl)?;
        let config = self.config.clone().ok_or_else(|| Failure::Tls("no version in common".to_owned()))?;
        let connected = TlsConnector::from(config).connect(name.clone(), stream).await;
        let stream = connected.map_err(|error| why(&error))?;
        let facts = self.facts(&stream, &name).await;
        if self.settings.refuse_invalid && facts.certificate != Verdict::Valid {
            return Err(Failure::Certificate(facts.certificate));
        }
        Ok((stream, facts))
    }

    async fn facts(&self, stream: &TlsStream<TcpStream>, name: &ServerName<'_>) -> TlsFacts {
        let (_, connection) = stream.get_ref();
        let chain = connection.peer_certificates().unwrap_or_default();
        let seconds = u64::try_from(self.clock.now().as_second()).unwrap_or_default();
        let now = UnixTime::since_unix_epoch(std::time::Duration::from_secs(seconds));
        let judge = self.judge.get_or_init(|| self.make_judge()).await;
        TlsFacts {
            version: match connection.protocol_version() {
                Some(ProtocolVersion::TLSv1_2) => "tls/1.2",
                _ => "tls/1.3",
            },
            cipher: connection
                .negotiated_cipher_suite()
                .and_then(|suite| suite.suite().as_str())
                .map(|name| name.replace("TLS13_", "TLS_"))
                .unwrap_or_default(),
            alpn: connection.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned()),
            certificate: judge.judge(chain, name, now),
            chain: chain.iter().map(|certificate| certificate.to_vec()).collect(),
        }
    }

    async fn make_judge(&self) -> Judge {
        let mut roots = self.extra.clone();
        if !self.settings.without_system_roots {
            let loaded = tokio::task::spawn_blocking(rustls_native_certs::load_native_certs).await;
            let certificates = loaded.map(|loaded| loaded.certs).unwrap_or_default();
            let certificates = certificates.into_iter().map(CertificateDer::into_owned);
            let (known, unreadable) = roots.add_parsable_certificates(certificates);
            tracing::debug!(known, unreadable, "the system's certificates are read");
        }
        Judge::new(roots, self.provider.clone())
    }
}

/// Why a handshake failed.
fn why(error: &std::io::Error) -> Failure {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
    match inner {
        Some(Error::AlertReceived(AlertDescription::ProtocolVersion))
        | Some(Error::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig
            | PeerIncompatible::SupportedVersionsExtensionRequired,
        ))
        | Some(Error::InvalidMessage(InvalidMessage::UnknownProtocolVersion)) => Failure::OldTls,
        Some(Error::InvalidMessage(
            InvalidMessage::InvalidContentType
            | InvalidMessage::MessageTooLarge
            | InvalidMessage::InvalidEmptyPayload,
        )) => Failure::NotTls,
        Some(other) => Failure::Tls(other.to_string()),
        None if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Failure::Tls("the server closed the connection".to_owned())
        }
        None => Failure::Tls(error.to_string()),
    }
}
