//! Those who do harm: clients that connect and send nothing, and clients that send a byte of a request each second. Each connects again
//! when the server closes its connection.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::measures::Measures;
use super::program::Program;

/// Connections that send nothing.
const IDLE: usize = 2000;
/// Connections that send a byte each second.
const SLOW: usize = 200;
/// All of them.
pub(super) const CLIENTS: usize = IDLE + SLOW;
/// The last number of the first and last source address, 127.0.0.2 and 127.0.0.50.
const FIRST: u8 = 2;
const LAST: u8 = 50;

const HEAD: &[u8] = b"GET /web/2026/http://example.org/ HTTP/1.1\r\nHost: localhost\r\nX-Padding: ";
const BYTE_EVERY: Duration = Duration::from_secs(1);
/// A client waits this long before it connects again.
const PAUSE: Duration = Duration::from_millis(100);
/// The same after a connection that the server closed within a second, so that clients beyond a limit do not connect in a busy loop.
const PAUSE_AFTER_REFUSAL: Duration = Duration::from_millis(500);

/// Idle and slow clients, for as long as this value lives.
pub(super) struct Idlers {
    _tasks: JoinSet<()>,
}

impl Idlers {
    /// Starts them. From one address, which the readers have as well, all go to the pages' listener; else they are spread over addresses
    /// and both listeners.
    pub(super) fn start(program: &Program, is_one_address: bool, measures: &Arc<Measures>) -> Idlers {
        let mut tasks = JoinSet::new();
        let sources: Vec<u8> = (FIRST..=LAST).collect();
        for number in 0..CLIENTS {
            let last = if is_one_address {
                1
            } else {
                sources.get(number % sources.len()).copied().unwrap_or(FIRST)
            };
            let is_pages = is_one_address || number.is_multiple_of(2);
            let client = Client {
                source: SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), 0)),
                server: if is_pages { program.pages.address } else { program.replay.address },
                is_slow: number < SLOW,
                measures: Arc::clone(measures),
            };
            // All at once would overflow the listener's queue, which no real attack needs to.
            let wait = Duration::from_millis(number as u64 * 2);
            tasks.spawn(async move {
                tokio::time::sleep(wait).await;
                client.run().await;
            });
        }
        Idlers { _tasks: tasks }
    }
}

struct Client {
    source: SocketAddr,
    server: SocketAddr,
    is_slow: bool,
    measures: Arc<Measures>,
}

impl Client {
    async fn run(self) {
        loop {
            let began = Instant::now();
            if let Ok(stream) = self.connect().await {
                self.measures.note_connected(1);
                self.stay(stream).await;
                self.measures.note_connected(-1);
            }
            let was_kept = began.elapsed() > Duration::from_secs(1);
            tokio::time::sleep(if was_kept { PAUSE } else { PAUSE_AFTER_REFUSAL }).await;
        }
    }

    async fn connect(&self) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(self.source)?;
        socket.connect(self.server).await
    }

    /// Until the server closes the connection.
    async fn stay(&self, mut stream: TcpStream) {
        let mut scrap = [0; 512];
        if !self.is_slow {
            while matches!(stream.read(&mut scrap).await, Ok(1..)) {}
            return;
        }
        for byte in HEAD.iter().chain(std::iter::repeat(&b'x')) {
            if stream.write_all(&[*byte]).await.is_err() {
                return;
            }
            if let Ok(Ok(0) | Err(_)) = tokio::time::timeout(BYTE_EVERY, stream.read(&mut scrap)).await {
                return;
            }
        }
    }
}
