//! An address where connections are never made: nobody refuses them, nobody takes them.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use socket2::{Domain, Socket, Type};

/// So many connections are tried to fill the queue of a listener that takes none; two are usual.
const TRIES_MAX: usize = 16;

/// A listener whose queue is full. The system lets further attempts to connect wait, as if packets were lost.
#[derive(Debug)]
pub struct DeadEnd {
    address: SocketAddr,
    _listener: Socket,
    _waiting: Vec<TcpStream>,
}

impl DeadEnd {
    /// At this address; port 0 lets the system choose.
    pub fn at(address: SocketAddr) -> io::Result<DeadEnd> {
        let listener = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
        listener.bind(&address.into())?;
        listener.listen(0)?;
        let address = listener.local_addr()?.as_socket().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let mut waiting = Vec::new();
        for _ in 0..TRIES_MAX {
            match TcpStream::connect_timeout(&address, Duration::from_millis(50)) {
                Ok(stream) => waiting.push(stream),
                Err(_) => return Ok(DeadEnd { address, _listener: listener, _waiting: waiting }),
            }
        }
        Err(io::Error::other("the queue of the listener does not fill up"))
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_let_in() {
        let end = DeadEnd::at("127.0.0.1:0".parse().unwrap()).unwrap();
        let error = TcpStream::connect_timeout(&end.address(), Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
