//! One connection, seen from the server: plain or TLS, polite or rude.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::guestbook::Guestbook;
use super::request::{self, Request};

/// A connection that a client opened.
pub struct Wire {
    channel: Channel,
    guestbook: Arc<Guestbook>,
    number: usize,
    /// What was read beyond the last request.
    ahead: Vec<u8>,
}

impl fmt::Debug for Wire {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Wire").field("number", &self.number).finish_non_exhaustive()
    }
}

enum Channel {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Wire {
    pub(super) fn new(
        tcp: TcpStream,
        tls: Option<Arc<ServerConfig>>,
        guestbook: Arc<Guestbook>,
        number: usize,
    ) -> io::Result<Wire> {
        // Pieces are sent when the test says so, not when the system finds them worth it.
        tcp.set_nodelay(true)?;
        let channel = match tls {
            None => Channel::Plain(tcp),
            Some(config) => {
                let session = ServerConnection::new(config).map_err(io::Error::other)?;
                Channel::Tls(Box::new(StreamOwned::new(session, tcp)))
            }
        };
        Ok(Wire { channel, guestbook, number, ahead: Vec::new() })
    }

    /// The number of this connection, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next request with its body, or `None` when the client has closed the connection.
    pub fn request(&mut self) -> io::Result<Option<Request>> {
        let mut bytes = std::mem::take(&mut self.ahead);
        let mut piece = [0; 16 << 10];
        loop {
            if let Some(length) = request::length(&bytes) {
                self.ahead = bytes.split_off(length);
                self.guestbook.asked(self.number, &bytes);
                return Ok(Some(Request::parse(bytes)));
            }
            let read = self.read(&mut piece)?;
            if read == 0 {
                return Ok(None);
            }
            bytes.extend_from_slice(piece.get(..read).unwrap_or_default());
        }
    }

    /// The next line without its end, or `None` when the client has closed the connection.
    pub fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut piece = [0; 16 << 10];
        loop {
            if let Some(end) = self.ahead.iter().position(|byte| *byte == b'\n') {
                let rest = self.ahead.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.ahead, rest);
                line.truncate(end);
                line.pop_if(|byte| *byte == b'\r');
                return Ok(Some(line));
            }
            let read = self.read(&mut piece)?;
            if read == 0 {
                return Ok(None);
            }
            self.ahead.extend_from_slice(piece.get(..read).unwrap_or_default());
        }
    }

    /// From here on with TLS, as `STARTTLS` has it.
    pub fn secure(&mut self, config: Arc<ServerConfig>) -> io::Result<()> {
        let session = ServerConnection::new(config).map_err(io::Error::other)?;
        let tcp = self.tcp().try_clone()?;
        self.channel = Channel::Tls(Box::new(StreamOwned::new(session, tcp)));
        Ok(())
    }

    /// Some bytes as they come, past all understanding.
    pub fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.channel {
            Channel::Plain(tcp) => tcp.read(into),
            Channel::Tls(stream) => stream.read(into),
        }
    }

    /// Sends bytes as they are, at once.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.guestbook.sends(self.number, bytes);
        match &mut self.channel {
            Channel::Plain(tcp) => tcp.write_all(bytes),
            Channel::Tls(stream) => stream.write_all(bytes).and_then(|()| stream.flush()),
        }
    }

    /// Sends one byte after another, with a pause before each.
    pub fn drip(&mut self, bytes: &[u8], pause: Duration) -> io::Result<()> {
        for byte in bytes {
            self.pause(pause)?;
            self.send(&[*byte])?;
        }
        Ok(())
    }

    /// Waits. An error means that the server stops meanwhile.
    pub fn pause(&self, time: Duration) -> io::Result<()> {
        self.guestbook.pause(time)
    }

    /// Says nothing more and listens to nothing, until the client gives up.
    pub fn hang(&mut self) -> io::Result<()> {
        let mut piece = [0; 16 << 10];
        while self.read(&mut piece)? > 0 {}
        Ok(())
    }

    /// Says goodbye as one should. Without it a TLS connection just ends.
    pub fn finish(&mut self) -> io::Result<()> {
        match &mut self.channel {
            Channel::Plain(tcp) => tcp.shutdown(Shutdown::Write),
            Channel::Tls(stream) => {
                stream.conn.send_close_notify();
                stream.flush()?;
                stream.sock.shutdown(Shutdown::Write)
            }
        }
    }

    /// Cuts the connection, so that the client sees a reset and not an end. It gives an error always, which ends
    /// whatever serves the connection.
    pub fn reset<Nothing>(&mut self) -> io::Result<Nothing> {
        socket2::SockRef::from(self.tcp()).set_linger(Some(Duration::ZERO))?;
        Err(io::ErrorKind::ConnectionReset.into())
    }

    /// The socket below.
    pub fn tcp(&self) -> &TcpStream {
        match &self.channel {
            Channel::Plain(tcp) => tcp,
            Channel::Tls(stream) => &stream.sock,
        }
    }
}
