//! Ten gigabytes of zeros under gzip, made while they are sent.
//!
//! One piece is packed with a full flush, so that it stands for itself and can be sent again and again within the same
//! member; the checksum of the whole is put together from that of the piece.

use std::io::{self, Write as _};

use flate2::write::DeflateEncoder;
use flate2::{Compress, Compression, Crc, FlushCompress};

use crate::server::{Request, Wire};

/// How many bytes come out of it.
pub const BOMB_BYTES: u64 = 10 << 30;

/// How many bytes come out of one of its pieces.
pub const PIECE_BYTES: u64 = 1 << 20;

/// Sends the bomb.
pub(crate) fn send(wire: &mut Wire, request: &Request) -> io::Result<bool> {
    let pieces = request.number("pieces").unwrap_or(BOMB_BYTES / PIECE_BYTES);
    let (piece, last) = (piece()?, end()?);
    let sum = checksum(pieces);
    let total = HEADER.len() as u64 + pieces * piece.len() as u64 + last.len() as u64 + 8;
    wire.send(
        format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {total}\r\n\r\n").as_bytes(),
    )?;
    wire.send(HEADER)?;
    // Many pieces at a time: ten thousand small writes would measure the system and not the client.
    let many = piece.repeat(64);
    for _ in 0..pieces / 64 {
        wire.send(&many)?;
    }
    for _ in 0..pieces % 64 {
        wire.send(&piece)?;
    }
    wire.send(&last)?;
    wire.send(&sum.sum().to_le_bytes())?;
    wire.send(&sum.amount().to_le_bytes())?;
    Ok(true)
}

/// A gzip header without name and time (RFC 1952, 2.3).
const HEADER: &[u8] = &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// A piece of zeros, packed, that ends on a whole byte and refers to nothing before it.
fn piece() -> io::Result<Vec<u8>> {
    let mut packed = Vec::with_capacity(1 << 16);
    let zeros = vec![0; usize::try_from(PIECE_BYTES).unwrap_or(0)];
    Compress::new(Compression::best(), false)
        .compress_vec(&zeros, &mut packed, FlushCompress::Full)
        .map_err(io::Error::other)?;
    Ok(packed)
}

/// An empty last block.
fn end() -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.flush()?;
    let whole = encoder.finish()?;
    Ok(whole)
}

/// The checksum of so many pieces.
fn checksum(pieces: u64) -> Crc {
    let mut one = Crc::new();
    one.update(&vec![0; usize::try_from(PIECE_BYTES).unwrap_or(0)]);
    let mut all = Crc::new();
    (0..pieces).for_each(|_| all.combine(&one));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{Place, Server};
    use std::io::Read as _;
    use std::net::TcpStream;

    #[test]
    fn a_small_bomb_unfolds_to_its_size() {
        let server = Server::answering(&Place::default(), |wire, request| send(wire, request).map(|_| false));
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(b"GET /?pieces=70 HTTP/1.1\r\n\r\n").unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        let at = reply.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        let mut unfolded = Vec::new();
        flate2::read::GzDecoder::new(&reply[at..]).read_to_end(&mut unfolded).unwrap();
        assert_eq!(unfolded.len(), 70 << 20);
        assert!(reply.len() < 100_000, "{}", reply.len());
    }
}
