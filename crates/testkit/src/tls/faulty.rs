//! Servers that get the handshake wrong, byte by byte.

use std::io;

use crate::server::{Place, Server, Wire};

/// How a handshake can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultyHandshake {
    /// An alert in a record of TLS 1.0: the client's versions are not known.
    OldAlert,
    /// The same from TLS 1.1.
    OldAlert11,
    /// A ServerHello that chooses TLS 1.0.
    OldHello,
    /// A ServerHello that chooses SSL 3.0.
    Ssl3Hello,
    /// An alert that says only that it failed.
    Failure,
    /// Plain HTTP on the port.
    PlainHttp,
    /// A reset once the client has spoken.
    Reset,
    /// The end of the connection once the client has spoken.
    Close,
    /// Silence once the client has spoken.
    Silence,
    /// Bytes without sense.
    Garbage,
}

impl FaultyHandshake {
    /// Every one of them.
    pub const ALL: [FaultyHandshake; 10] = [
        FaultyHandshake::OldAlert,
        FaultyHandshake::OldAlert11,
        FaultyHandshake::OldHello,
        FaultyHandshake::Ssl3Hello,
        FaultyHandshake::Failure,
        FaultyHandshake::PlainHttp,
        FaultyHandshake::Reset,
        FaultyHandshake::Close,
        FaultyHandshake::Silence,
        FaultyHandshake::Garbage,
    ];
}

/// A server that gets every handshake wrong in this way.
pub fn faulty(how: FaultyHandshake) -> Server {
    Server::start(&Place::default(), move |wire| {
        // The hello is read as far as it comes at once: it is never answered by what it says.
        let mut hello = [0; 4096];
        wire.read(&mut hello)?;
        answer(wire, how)
    })
}

fn answer(wire: &mut Wire, how: FaultyHandshake) -> io::Result<()> {
    match how {
        // Record type 21 (alert), its version, two bytes: fatal, protocol_version (RFC 8446, 5.1 and 6).
        FaultyHandshake::OldAlert => wire.send(&[21, 3, 1, 0, 2, 2, 70])?,
        FaultyHandshake::OldAlert11 => wire.send(&[21, 3, 2, 0, 2, 2, 70])?,
        FaultyHandshake::OldHello => wire.send(&server_hello(1))?,
        FaultyHandshake::Ssl3Hello => wire.send(&server_hello(0))?,
        // fatal, handshake_failure
        FaultyHandshake::Failure => wire.send(&[21, 3, 3, 0, 2, 2, 40])?,
        FaultyHandshake::PlainHttp => {
            wire.send(
                b"HTTP/1.1 400 Bad Request\r\nContent-Length: 11\r\nConnection: close\r\n\r\nSpeak HTTP!",
            )?;
        }
        FaultyHandshake::Reset => return wire.reset(),
        FaultyHandshake::Close => {}
        FaultyHandshake::Silence => return wire.hang(),
        FaultyHandshake::Garbage => wire.send(&[0xde, 0xad, 0xbe, 0xef].repeat(100))?,
    }
    wire.finish()?;
    // What the client says to that is not of interest, but a close with unread bytes would be a reset.
    wire.hang()
}

/// A ServerHello of version 3.`minor` (RFC 5246, 7.4.1.3) with a cipher that such servers have.
fn server_hello(minor: u8) -> Vec<u8> {
    let mut hello = vec![3, minor];
    hello.extend([0x42; 32]);
    // No session, TLS_RSA_WITH_AES_128_CBC_SHA, no compression.
    hello.extend([0, 0x00, 0x2f, 0]);
    let length = u8::try_from(hello.len()).unwrap_or(u8::MAX);
    let mut record = vec![22, 3, minor, 0, length + 4, 2, 0, 0, length];
    record.extend(hello);
    record
}
