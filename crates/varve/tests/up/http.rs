//! Bare HTTP, for what needs no browser: a request, and every byte of its answer.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;

/// An answer with the transfer framing taken off.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of the first field of this name.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        let mut found = lines.filter(|(given, _)| given.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim())
    }
}

/// Asks for a URL of a server on this machine.
pub(crate) fn get(url: &str) -> Answer {
    ask("GET", url, "")
}

/// The same without the token of the server.
pub(crate) fn get_anonymously(url: &str) -> Answer {
    read(url, send("GET", url, "", ""))
}

/// Sends JSON to a URL of a server on this machine, by this method; nothing if it is empty.
pub(crate) fn ask(method: &str, url: &str, json: &str) -> Answer {
    read(url, open(method, url, json))
}

fn read(url: &str, mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect(url);
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut answer = Answer { status, head, body: bytes.split_off(end + 4) };
    if answer.field("transfer-encoding").is_some() {
        answer.body = unchunked(&answer.body);
    }
    answer
}

/// The tokens of servers on this machine, by their ports.
static TOKENS: Mutex<BTreeMap<u16, String>> = Mutex::new(BTreeMap::new());

/// From here on requests to the server at this address carry its token.
pub(crate) fn sign_in(origin: &str, token: &str) {
    TOKENS.lock().unwrap().insert(port(origin), token.to_owned());
}

fn port(host: &str) -> u16 {
    host.rsplit(':').next().unwrap().parse().unwrap()
}

/// Sends a request, with the token of the server; the answer is to be read.
pub(crate) fn open(method: &str, url: &str, json: &str) -> TcpStream {
    let (host, _) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let token = TOKENS.lock().unwrap().get(&port(host)).cloned();
    let fields = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    send(method, url, &fields, json)
}

/// Sends a request with further header fields.
pub(crate) fn send(method: &str, url: &str, fields: &str, json: &str) -> TcpStream {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], port(host)))).unwrap();
    let body = match json.is_empty() {
        true => String::new(),
        false => format!("Content-Type: application/json\r\nContent-Length: {}\r\n", json.len()),
    };
    write!(
        stream,
        "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{fields}{body}\r\n{json}"
    )
    .unwrap();
    stream
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|two| two == b"\r\n").unwrap();
        let line = std::str::from_utf8(&bytes[..end]).unwrap();
        let size = usize::from_str_radix(line.split(';').next().unwrap().trim(), 16).unwrap();
        if size == 0 {
            return body;
        }
        body.extend_from_slice(&bytes[end + 2..][..size]);
        bytes = &bytes[end + 2 + size + 2..];
    }
}
