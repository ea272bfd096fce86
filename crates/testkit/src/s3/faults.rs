//! A proxy that makes requests fail, so many and of such a kind as a test says.
//!
//! It passes HTTP on as it is, a connection for each request, but for the fault that is next.

use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::server::{Place, Request, Server, Wire, reply};

/// A server that does not answer the proxy for so long is gone.
const PATIENCE: Duration = Duration::from_secs(60);
/// Of a body whose length nobody said, so many bytes pass before it is cut or changed.
const SOME_BYTES: usize = 24;

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The server never hears of it, and this status is answered.
    Status(u16),
    /// Nobody answers until the client gives up.
    Hang,
    /// The connection ends before there is an answer; the server never hears of it.
    Close,
    /// The server hears half of the request's body, then both connections end.
    CutRequest,
    /// A bit of the request's body is another on its way to the server.
    FlipRequest,
    /// The server does what it is asked, and the client never hears of it.
    LoseAnswer,
    /// The client hears half of the answer's body, then the connection ends.
    CutAnswer,
    /// A bit of the answer's body is another on its way to the client.
    FlipAnswer,
}

impl Fault {
    /// Every kind, one of each.
    pub const ALL: [Fault; 9] = [
        Fault::Status(500),
        Fault::Status(503),
        Fault::Hang,
        Fault::Close,
        Fault::CutRequest,
        Fault::FlipRequest,
        Fault::LoseAnswer,
        Fault::CutAnswer,
        Fault::FlipAnswer,
    ];
}

/// A proxy that is told what goes wrong next. May be told from any thread.
#[derive(Debug)]
pub struct Faults {
    server: Server,
    plan: Arc<Mutex<Plan>>,
}

#[derive(Debug, Default)]
struct Plan {
    waiting: VecDeque<Waiting>,
    happened: usize,
    passed: usize,
}

#[derive(Debug)]
struct Waiting {
    /// Only requests of this method; `None` is any.
    method: Option<String>,
    fault: Fault,
    left: usize,
}

impl Faults {
    /// Starts a proxy before a server. At first nothing goes wrong.
    #[track_caller]
    pub fn before(upstream: SocketAddr) -> Faults {
        let plan = Arc::new(Mutex::new(Plan::default()));
        let own = Arc::clone(&plan);
        let server = Server::answering(&Place::forgetful(), move |wire, request| {
            let fault = lock(&own).next(&request.method);
            serve(wire, request, upstream, fault).map(|()| false)
        });
        Faults { server, plan }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The same as clients want to have it.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address())
    }

    /// So many requests from now on fail like this, after those that were said before.
    pub fn next(&self, fault: Fault, count: usize) {
        lock(&self.plan).waiting.push_back(Waiting { method: None, fault, left: count });
    }

    /// The same of requests with this method alone; others pass.
    pub fn next_of(&self, method: &str, fault: Fault, count: usize) {
        let method = Some(method.to_owned());
        lock(&self.plan).waiting.push_back(Waiting { method, fault, left: count });
    }

    /// From now on nothing goes wrong.
    pub fn calm(&self) {
        lock(&self.plan).waiting.clear();
    }

    /// How many requests failed so far.
    pub fn happened(&self) -> usize {
        lock(&self.plan).happened
    }

    /// How many requests passed so far.
    pub fn passed(&self) -> usize {
        lock(&self.plan).passed
    }

    /// How many are still to fail.
    pub fn waiting(&self) -> usize {
        lock(&self.plan).waiting.iter().map(|waiting| waiting.left).sum()
    }
}

impl Plan {
    /// What happens to the request that has come.
    fn next(&mut self, method: &str) -> Option<Fault> {
        self.waiting.retain(|waiting| waiting.left > 0);
        let is_meant = |waiting: &&mut Waiting| waiting.method.as_deref().is_none_or(|only| only == method);
        let fault = self.waiting.iter_mut().find(is_meant).map(|waiting| {
            waiting.left -= 1;
            waiting.fault
        });
        *(if fault.is_some() { &mut self.happened } else { &mut self.passed }) += 1;
        fault
    }
}

fn lock(plan: &Mutex<Plan>) -> MutexGuard<'_, Plan> {
    plan.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One request, from the client to the server and back.
fn serve(wire: &mut Wire, request: &Request, upstream: SocketAddr, fault: Option<Fault>) -> io::Result<()> {
    match fault {
        Some(Fault::Status(status)) => {
            let body = "<Error><Code>InternalError</Code><Message>as the test asked for</Message></Error>";
            let fields = [("Content-Type", "application/xml"), ("Connection", "close")];
            return wire.send(&reply(&format!("{status} Made To Fail"), &fields, body.as_bytes()));
        }
        Some(Fault::Hang) => return wire.hang(),
        Some(Fault::Close) => return wire.reset(),
        _ => {}
    }
    let mut server = TcpStream::connect(upstream)?;
    server.set_read_timeout(Some(PATIENCE))?;
    server.set_nodelay(true)?;
    let (head, body) = forwarded(request);
    server.write_all(&head)?;
    match fault {
        Some(Fault::CutRequest) => {
            server.write_all(body.get(..body.len() / 2).unwrap_or_default())?;
            drop(server.shutdown(Shutdown::Both));
            return wire.reset();
        }
        Some(Fault::FlipRequest) => server.write_all(&flipped(body, body.len() / 2))?,
        _ => server.write_all(body)?,
    }
    let head = read_head(&mut server)?;
    if fault == Some(Fault::LoseAnswer) {
        drop(io::copy(&mut server, &mut io::sink()));
        return wire.reset();
    }
    wire.send(&head)?;
    let middle = content_length(&head).map_or(SOME_BYTES, |length| length / 2);
    pass_body(wire, &mut server, fault, middle)
}

/// The request's head as the server gets it, and its body. One answer a connection: then its end is the answer's end.
fn forwarded(request: &Request) -> (Vec<u8>, &[u8]) {
    let body = request.body();
    let head = request.raw.get(..request.raw.len() - body.len()).unwrap_or_default();
    let mut head = head.strip_suffix(b"\r\n").unwrap_or(head).to_vec();
    head.extend_from_slice(b"Connection: close\r\n\r\n");
    (head, body)
}

/// An answer up to its empty line.
fn read_head(server: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        server.read_exact(&mut byte)?;
        head.extend_from_slice(&byte);
    }
    Ok(head)
}

fn content_length(head: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let value = text.lines().find_map(|line| line.strip_prefix("content-length:").map(str::to_owned))?;
    value.trim().parse().ok()
}

/// Passes an answer's body on; at its middle it is cut or changed, if that is the fault.
fn pass_body(wire: &mut Wire, server: &mut TcpStream, fault: Option<Fault>, middle: usize) -> io::Result<()> {
    let mut piece = vec![0; 64 << 10];
    let mut passed = 0;
    loop {
        let count = server.read(&mut piece)?;
        if count == 0 {
            return wire.finish();
        }
        let bytes = piece.get(..count).unwrap_or_default();
        let is_middle = (passed..passed + count).contains(&middle);
        match fault {
            Some(Fault::CutAnswer) if is_middle => {
                wire.send(bytes.get(..middle - passed).unwrap_or_default())?;
                return wire.finish();
            }
            Some(Fault::FlipAnswer) if is_middle => wire.send(&flipped(bytes, middle - passed))?,
            _ => wire.send(bytes)?,
        }
        passed += count;
    }
}

/// The same bytes with one bit changed.
fn flipped(bytes: &[u8], at: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1;
    }
    bytes
}
