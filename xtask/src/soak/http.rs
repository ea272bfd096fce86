//! A small HTTP client: one connection, one request after another.

use std::net::SocketAddr;

use anyhow::{Context as _, bail, ensure};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// No body that is read here is longer.
const BODY_BYTES_MAX: usize = 64 << 20;

/// A connection that is used again.
pub(super) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Connection {
    pub(super) async fn open(address: SocketAddr, host: &str) -> anyhow::Result<Connection> {
        let stream = TcpStream::connect(address).await.context("cannot connect")?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream), host: host.to_owned() })
    }

    /// Sends a request and reads its answer: status and body. `more` are further header lines, each with its line break.
    pub(super) async fn ask(&mut self, line: &str, more: &str, body: &str) -> anyhow::Result<(u16, Vec<u8>)> {
        let length =
            if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let request = format!("{line} HTTP/1.1\r\nHost: {}\r\n{more}{length}\r\n{body}", self.host);
        self.stream.get_mut().write_all(request.as_bytes()).await.context("cannot send")?;
        let status = self.line().await?;
        let status = status.split(' ').nth(1).and_then(|word| word.parse().ok()).context("no status")?;
        let (mut length, mut is_chunked) = (0, false);
        loop {
            let line = self.line().await?.to_ascii_lowercase();
            match line.split_once(':') {
                None if line.is_empty() => break,
                Some(("content-length", value)) => length = value.trim().parse().context("not a length")?,
                Some(("transfer-encoding", value)) => is_chunked = value.trim() == "chunked",
                _ => {}
            }
        }
        let body = if is_chunked { self.chunks().await? } else { self.bytes(length).await? };
        Ok((status, body))
    }

    async fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        ensure!(self.stream.read_line(&mut line).await? > 0, "the server closed the connection");
        Ok(line.trim_end().to_owned())
    }

    async fn bytes(&mut self, length: usize) -> anyhow::Result<Vec<u8>> {
        ensure!(length <= BODY_BYTES_MAX, "a body of {length} bytes");
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await.context("the body broke off")?;
        Ok(bytes)
    }

    async fn chunks(&mut self) -> anyhow::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.line().await?;
            let Ok(length) = usize::from_str_radix(line.trim(), 16) else {
                bail!("`{line}` is not a length")
            };
            body.extend(self.bytes(length).await?);
            ensure!(self.line().await?.is_empty(), "a chunk without an end");
            if length == 0 {
                return Ok(body);
            }
        }
    }
}
