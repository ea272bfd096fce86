//! An authority that tests can trust, and the certificates it gives out.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
    date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, SupportedProtocolVersion};

/// What is wrong with a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// Nothing: whoever trusts the authority trusts it.
    None,
    /// It was valid until 2001.
    Expired,
    /// It will be valid from 2090.
    NotYetValid,
    /// It is for `wrong.varve.test`.
    WrongName,
    /// Nobody signed it but itself.
    SelfSigned,
    /// An authority signed it that nobody knows.
    UnknownIssuer,
}

impl Fault {
    /// Every one of them.
    pub const ALL: [Fault; 6] = [
        Fault::None,
        Fault::Expired,
        Fault::NotYetValid,
        Fault::WrongName,
        Fault::SelfSigned,
        Fault::UnknownIssuer,
    ];
}

/// An authority made for one test.
#[derive(Debug)]
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    /// A new one, which nobody trusts yet.
    pub fn new() -> Authority {
        Authority::named("testkit authority")
    }

    /// One of this name.
    fn named(name: &str) -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        Authority { issuer: CertifiedIssuer::self_signed(params, key()).expect("the parameters are sound") }
    }

    /// Its own certificate, to be trusted, in DER.
    pub fn certificate(&self) -> Vec<u8> {
        self.issuer.der().to_vec()
    }

    /// The same in PEM.
    pub fn pem(&self) -> String {
        self.issuer.pem()
    }

    /// What a server for these names needs, with this fault in its certificate. Names may be addresses too.
    pub fn server(&self, names: &[&str], fault: Fault) -> Arc<ServerConfig> {
        self.server_of(names, fault, rustls::ALL_VERSIONS)
    }

    /// The same for a server that speaks only these versions of TLS.
    pub fn server_of(
        &self,
        names: &[&str],
        fault: Fault,
        versions: &[&'static SupportedProtocolVersion],
    ) -> Arc<ServerConfig> {
        let (chain, key) = self.certify(names, fault);
        let mut config =
            ServerConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
                .with_protocol_versions(versions)
                .expect("the provider knows these versions")
                .with_no_client_auth()
                .with_single_cert(chain, key)
                .expect("key and certificate belong together");
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Arc::new(config)
    }

    /// A certificate and its key.
    fn certify(
        &self,
        names: &[&str],
        fault: Fault,
    ) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        let names: Vec<String> = match fault {
            Fault::WrongName => vec!["wrong.varve.test".to_owned()],
            _ => names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let mut params = CertificateParams::new(names).expect("the names are sound");
        (params.not_before, params.not_after) = match fault {
            Fault::Expired => (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1)),
            Fault::NotYetValid => (date_time_ymd(2090, 1, 1), date_time_ymd(2091, 1, 1)),
            _ => (date_time_ymd(2020, 1, 1), date_time_ymd(2089, 1, 1)),
        };
        params.distinguished_name.push(DnType::CommonName, "testkit server");
        let key = key();
        let certificate = match fault {
            Fault::SelfSigned => params.self_signed(&key),
            Fault::UnknownIssuer => params.signed_by(&key, &Authority::named("a stranger").issuer),
            _ => params.signed_by(&key, &self.issuer),
        };
        let certificate = certificate.expect("the parameters are sound");
        (vec![certificate.der().clone()], PrivatePkcs8KeyDer::from(key.serialize_der()).into())
    }
}

impl Default for Authority {
    fn default() -> Self {
        Authority::new()
    }
}

fn key() -> KeyPair {
    KeyPair::generate().expect("there is randomness")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::Place;
    use crate::site::Site;
    use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    /// What a client that trusts the authority makes of a server with this fault.
    fn ask(fault: Fault) -> std::io::Result<String> {
        let authority = Authority::new();
        let site = Site::start_at(&Place::tls(authority.server(&["www.varve.test"], fault)));
        let mut roots = RootCertStore::empty();
        roots.add(authority.certificate().into()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let client =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let client = Arc::new(client.with_root_certificates(roots).with_no_client_auth());
        let session = ClientConnection::new(client, "www.varve.test".try_into().unwrap()).unwrap();
        let mut stream = StreamOwned::new(session, TcpStream::connect(site.address())?);
        stream.write_all(b"GET /empty HTTP/1.1\r\nHost: www.varve.test\r\nConnection: close\r\n\r\n")?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply)?;
        Ok(reply)
    }

    #[test]
    fn a_sound_certificate_is_trusted_and_no_other() {
        for fault in Fault::ALL {
            let answer = ask(fault);
            assert_eq!(answer.is_ok(), fault == Fault::None, "{fault:?}: {answer:?}");
        }
    }
}
