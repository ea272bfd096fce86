//! Through a proxy to the server behind it.

use bytes::BytesMut;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_socks::tcp::Socks5Stream;

use crate::http1::{Asked, Reader, Step};
use crate::limits::Limits;
use crate::outcome::Failure;
use crate::proxy::Proxy;

/// Asks an HTTP proxy for a way to this host.
pub(crate) async fn by_connect(
    mut stream: TcpStream,
    proxy: &Proxy,
    host: &str,
    port: u16,
    limits: &Limits,
) -> Result<TcpStream, Failure> {
    let failed = |why: String| Failure::Proxy(why);
    let mut request = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n");
    if let Some(value) = proxy.authorization() {
        request.push_str(&format!("Proxy-Authorization: {value}\r\n"));
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|error| failed(error.to_string()))?;

    let limits = Limits { head_bytes: limits.proxy_head_bytes, ..limits.clone() };
    let mut reader = Reader::new(Asked::Head, &limits);
    let mut bytes = BytesMut::with_capacity(1 << 10);
    loop {
        let count = stream.read_buf(&mut bytes).await.map_err(|error| failed(error.to_string()))?;
        if count == 0 {
            return Err(failed("it closed the connection".to_owned()));
        }
        loop {
            let fed = reader.feed(&bytes, &mut |_| {});
            let _ = bytes.split_to(fed.taken.min(bytes.len()));
            match fed.step {
                Step::More => break,
                Step::Drop => {}
                Step::Head | Step::Done => return answered(stream, &reader, &bytes),
            }
        }
    }
}

fn answered(stream: TcpStream, reader: &Reader, rest: &[u8]) -> Result<TcpStream, Failure> {
    let Some(head) = reader.head() else {
        return Err(Failure::Proxy("its answer is not HTTP".to_owned()));
    };
    match head.status() {
        Some(200..=299) if rest.is_empty() => Ok(stream),
        Some(200..=299) => Err(Failure::Proxy("it sent more than its answer".to_owned())),
        Some(status) => Err(Failure::Proxy(format!("it answered {status}"))),
        None => Err(Failure::Proxy("its answer has no status".to_owned())),
    }
}

/// Asks a SOCKS proxy for a way to this host; the proxy looks the name up.
pub(crate) async fn by_socks(
    stream: TcpStream,
    proxy: &Proxy,
    host: &str,
    port: u16,
) -> Result<TcpStream, Failure> {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let connected = match &proxy.credentials {
        Some((user, password)) => {
            Socks5Stream::connect_with_password_and_socket(stream, (host, port), user, password).await
        }
        None => Socks5Stream::connect_with_socket(stream, (host, port)).await,
    };
    connected.map(Socks5Stream::into_inner).map_err(|error| Failure::Proxy(error.to_string()))
}
