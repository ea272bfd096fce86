//! The SOCKS5 proxy (RFC 1928; names and passwords: RFC 1929).

use std::io;

use super::relay::relay;
use super::{Book, Rules, literal};
use crate::server::Wire;

const NO_CREDENTIALS: u8 = 0;
const CREDENTIALS: u8 = 2;
const NONE_FITS: u8 = 0xff;

/// One connection to the proxy.
pub(super) fn serve(wire: &mut Wire, rules: &Rules, book: &Book) -> io::Result<()> {
    if !let_in(wire, rules)? {
        return wire.finish();
    }
    let [_version, _command, _reserved, kind] = exactly::<4>(wire)?;
    let host = match kind {
        1 => literal(&exactly::<4>(wire)?).map(|address| address.to_string()),
        4 => literal(&exactly::<16>(wire)?).map(|address| address.to_string()),
        _ => Some(text(wire)?),
    };
    let host = host.unwrap_or_default();
    let port = u16::from_be_bytes(exactly::<2>(wire)?);
    let upstream = if rules.refuses { None } else { rules.connect(&host, port).ok() };
    book.note("SOCKS5", &host, port, upstream.is_some());
    // Done; else not allowed by the rules (2), or host unreachable (4).
    let code = match (&upstream, rules.refuses) {
        (Some(_), _) => 0,
        (None, true) => 2,
        (None, false) => 4,
    };
    wire.send(&[5, code, 0, 1, 127, 0, 0, 1, 0, 0])?;
    match upstream {
        Some(upstream) => relay(wire, upstream),
        None => wire.finish(),
    }
}

/// The greeting: which way to prove who one is, and the proof.
fn let_in(wire: &mut Wire, rules: &Rules) -> io::Result<bool> {
    let [_version, count] = exactly::<2>(wire)?;
    let mut offered = Vec::new();
    for _ in 0..count {
        offered.extend(exactly::<1>(wire)?);
    }
    let wanted = if rules.credentials.is_some() { CREDENTIALS } else { NO_CREDENTIALS };
    if !offered.contains(&wanted) {
        wire.send(&[5, NONE_FITS])?;
        return Ok(false);
    }
    wire.send(&[5, wanted])?;
    let Some(credentials) = &rules.credentials else { return Ok(true) };
    let [_version] = exactly::<1>(wire)?;
    let is_right = (text(wire)?, text(wire)?) == *credentials;
    wire.send(&[1, u8::from(!is_right)])?;
    Ok(is_right)
}

/// So many bytes.
fn exactly<const COUNT: usize>(wire: &mut Wire) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    let mut filled = 0;
    while filled < COUNT {
        let read = wire.read(bytes.get_mut(filled..).unwrap_or_default())?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        filled += read;
    }
    Ok(bytes)
}

/// A text behind a byte with its length.
fn text(wire: &mut Wire) -> io::Result<String> {
    let [length] = exactly::<1>(wire)?;
    let mut bytes = Vec::new();
    for _ in 0..length {
        bytes.extend(exactly::<1>(wire)?);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use crate::proxy::{Proxy, Rules};
    use crate::site::Site;

    #[test]
    fn a_name_is_looked_up_in_the_rules() {
        let site = Site::start();
        let rules = Rules::to(site.address(), &["www.varve.test"]);
        let proxy = Proxy::socks5(Rules { credentials: Some(("me".into(), "secret".into())), ..rules });
        let mut stream = TcpStream::connect(proxy.address()).unwrap();
        stream.write_all(&[5, 2, 0, 2]).unwrap();
        let mut two = [0; 2];
        stream.read_exact(&mut two).unwrap();
        assert_eq!(two, [5, 2]);
        stream.write_all(b"\x01\x02me\x06secret").unwrap();
        stream.read_exact(&mut two).unwrap();
        assert_eq!(two, [1, 0]);
        stream.write_all(b"\x05\x01\x00\x03\x0ewww.varve.test\x00\x50").unwrap();
        let mut ten = [0; 10];
        stream.read_exact(&mut ten).unwrap();
        assert_eq!(ten[..2], [5, 0]);
        stream
            .write_all(b"GET /empty HTTP/1.1\r\nHost: www.varve.test\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        assert_eq!(proxy.passages().len(), 1);
    }
}
