//! Carries bytes both ways until either side ends.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::thread;

use crate::server::Wire;

/// Joins a client and a server.
pub(super) fn relay(wire: &mut Wire, mut upstream: TcpStream) -> io::Result<()> {
    let mut client = wire.tcp().try_clone()?;
    let mut server = upstream.try_clone()?;
    let up = thread::spawn(move || {
        drop(io::copy(&mut client, &mut server));
        drop(server.shutdown(Shutdown::Write));
    });
    let mut piece = [0; 16 << 10];
    let result = loop {
        match upstream.read(&mut piece) {
            Ok(0) => break Ok(()),
            Err(error) => break Err(error),
            // Past the wire's memory: what is in a tunnel is nobody's reply.
            Ok(read) => match wire.tcp().write_all(piece.get(..read).unwrap_or_default()) {
                Ok(()) => {}
                Err(error) => break Err(error),
            },
        }
    };
    // Either way the other direction has nobody left to talk to.
    drop(wire.tcp().shutdown(Shutdown::Both));
    drop(upstream.shutdown(Shutdown::Both));
    drop(up.join());
    result
}
