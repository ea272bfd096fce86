//! One connection to a server, plain or with TLS, that ends in time and takes no more than it must.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use destination::Allowed;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::error::Error;
use crate::limits::Limits;
use crate::lookup;

/// Whose certificates are trusted.
#[derive(Clone, Debug, Default)]
pub enum Roots {
    /// Those that the system trusts.
    #[default]
    System,
    /// These authorities' alone, in DER.
    Given(Vec<Vec<u8>>),
}

impl Roots {
    /// What a client needs who trusts them.
    fn config(&self) -> Result<Arc<ClientConfig>, Error> {
        let mut store = RootCertStore::empty();
        match self {
            Roots::Given(certificates) => {
                store.add_parsable_certificates(certificates.iter().cloned().map(CertificateDer::from));
            }
            Roots::System => {
                let found = rustls_native_certs::load_native_certs();
                store.add_parsable_certificates(found.certs);
                if let (true, Some(error)) = (store.is_empty(), found.errors.first()) {
                    return Err(Error::NoRoots { why: error.to_string() });
                }
            }
        }
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::NoRoots { why: error.to_string() })?;
        Ok(Arc::new(config.with_root_certificates(store).with_no_client_auth()))
    }
}

/// A connection.
pub(crate) struct Wire {
    stream: Stream,
    host: String,
    /// Host and port, for complaints.
    shown: String,
    /// What was read and not yet asked for.
    ahead: Vec<u8>,
    /// How much may still be read.
    left: usize,
}

enum Stream {
    Plain(Timed),
    Tls(Box<StreamOwned<ClientConnection, Timed>>),
    /// While one becomes the other.
    Gone,
}

impl fmt::Debug for Wire {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Wire").field("to", &self.shown).finish_non_exhaustive()
    }
}

impl Wire {
    /// Connects to the first address of a host that is allowed and answers.
    #[allow(clippy::disallowed_methods)] // Sockets wait in real time, whatever the hands of the caller's clock show.
    pub(crate) fn connect(host: &str, port: u16, allowed: &Allowed, limits: &Limits) -> Result<Wire, Error> {
        let until = Instant::now() + limits.time;
        let shown = format!("{host}:{port}");
        let unreachable = |source: io::Error| Error::Unreachable { host: shown.clone(), source };
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let found =
            lookup::addresses(bare, port, left_until(until).min(limits.lookup)).map_err(unreachable)?;
        let mut last: io::Error = io::ErrorKind::NotFound.into();
        let (mut refused, mut is_asked) = (None, false);
        for address in found {
            // The connection goes to the address that was judged.
            if let Err(kind) = allowed.check(address.ip()) {
                refused = refused.or(Some((address.ip(), kind)));
                continue;
            }
            is_asked = true;
            let time = left_until(until).min(limits.connect);
            if time.is_zero() {
                return Err(Error::TooSlow { host: shown });
            }
            match TcpStream::connect_timeout(&address, time) {
                Ok(tcp) => {
                    // That small pieces go at once is a matter of speed alone.
                    let _ = tcp.set_nodelay(true);
                    let (stream, left) = (Stream::Plain(Timed { tcp, until }), limits.answer_bytes);
                    return Ok(Wire { stream, host: bare.to_owned(), shown, ahead: Vec::new(), left });
                }
                Err(error) => last = error,
            }
        }
        match refused {
            Some((address, kind)) if !is_asked => {
                Err(Error::AddressRefused { host: shown, address, kind: kind.to_string() })
            }
            _ => Err(Error::Unreachable { host: shown, source: last }),
        }
    }

    /// From here on with TLS, if the server is who it should be.
    pub(crate) fn secure(mut self, roots: &Roots) -> Result<Wire, Error> {
        let not_trusted = |why: String| Error::NotTrusted { host: self.shown.clone(), why };
        // What was said before the handshake must not be taken for what is said within it.
        if !self.ahead.is_empty() {
            return Err(not_trusted("it went on talking before TLS had begun".to_owned()));
        }
        let Stream::Plain(plain) = std::mem::replace(&mut self.stream, Stream::Gone) else {
            return Err(not_trusted("it speaks TLS already".to_owned()));
        };
        let name = ServerName::try_from(self.host.clone()).map_err(|error| not_trusted(error.to_string()))?;
        let session =
            ClientConnection::new(roots.config()?, name).map_err(|error| not_trusted(error.to_string()))?;
        let mut stream = StreamOwned::new(session, plain);
        while stream.conn.is_handshaking() {
            stream.conn.complete_io(&mut stream.sock).map_err(|error| match error.get_ref() {
                Some(inner) if inner.is::<rustls::Error>() => not_trusted(inner.to_string()),
                _ => broken(&self.shown, error),
            })?;
        }
        self.stream = Stream::Tls(Box::new(stream));
        Ok(self)
    }

    /// Sends bytes.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let sent = match &mut self.stream {
            Stream::Plain(stream) => stream.write_all(bytes),
            Stream::Tls(stream) => stream.write_all(bytes).and_then(|()| stream.flush()),
            Stream::Gone => Err(io::ErrorKind::NotConnected.into()),
        };
        sent.map_err(|error| broken(&self.shown, error))
    }

    /// The next line, without its end.
    pub(crate) fn line(&mut self) -> Result<String, Error> {
        let mut piece = [0; 4096];
        loop {
            if let Some(end) = self.ahead.iter().position(|byte| *byte == b'\n') {
                let rest = self.ahead.split_off(end + 1);
                let line = std::mem::replace(&mut self.ahead, rest);
                return Ok(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned());
            }
            let read = match &mut self.stream {
                Stream::Plain(stream) => stream.read(&mut piece),
                Stream::Tls(stream) => stream.read(&mut piece),
                Stream::Gone => Err(io::ErrorKind::NotConnected.into()),
            };
            let count = read.map_err(|error| broken(&self.shown, error))?;
            if count == 0 {
                return Err(broken(&self.shown, io::ErrorKind::UnexpectedEof.into()));
            }
            self.left = match self.left.checked_sub(count) {
                Some(left) => left,
                None => return Err(Error::TooMuch { host: self.shown.clone() }),
            };
            self.ahead.extend_from_slice(piece.get(..count).unwrap_or_default());
        }
    }

    /// Host and port.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// The address of this end, for a greeting.
    pub(crate) fn own_address(&self) -> Option<std::net::IpAddr> {
        let tcp = match &self.stream {
            Stream::Plain(stream) => &stream.tcp,
            Stream::Tls(stream) => &stream.sock.tcp,
            Stream::Gone => return None,
        };
        tcp.local_addr().ok().map(|address| address.ip())
    }

    /// Ends it as one should; that the other end does not hear it any more is nothing.
    pub(crate) fn finish(mut self) {
        let _ = match &mut self.stream {
            Stream::Plain(stream) => stream.tcp.shutdown(Shutdown::Write),
            Stream::Tls(stream) => {
                stream.conn.send_close_notify();
                stream.flush()
            }
            Stream::Gone => Ok(()),
        };
    }
}

/// What a failure of the socket means.
fn broken(host: &str, source: io::Error) -> Error {
    let host = host.to_owned();
    match source.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Error::TooSlow { host },
        _ => Error::BrokeOff { host, source },
    }
}

#[allow(clippy::disallowed_methods)] // As above.
fn left_until(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now())
}

/// A socket that waits no longer than until a moment, also where bytes drip.
struct Timed {
    tcp: TcpStream,
    until: Instant,
}

impl Timed {
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = left_until(self.until);
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Timed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.tcp.set_read_timeout(self.left()?)?;
        self.tcp.read(into)
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.tcp.set_write_timeout(self.left()?)?;
        self.tcp.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}
