//! The web that is harvested and watched: two small servers on addresses of loopback of their own, so that neither waits for the other's
//! turn. Each answer takes a while, which makes the pace of a harvest.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// One request at a time is answered after this: about 28 pages per second.
const ANSWER_AFTER: Duration = Duration::from_millis(32);
/// A watched page changes this often.
const CHANGES_EVERY: Duration = Duration::from_secs(45);
/// Words on a page.
const WORDS: u64 = 600;

/// The servers.
pub(super) struct Site {
    harvested: SocketAddr,
    watched: SocketAddr,
    state: Arc<State>,
}

struct State {
    pages: usize,
    began: Instant,
    served: AtomicU64,
    /// When each watched page was asked for.
    checks: Vec<Mutex<Vec<Instant>>>,
}

impl Site {
    pub(super) async fn start(pages: usize, watches: usize) -> anyhow::Result<Site> {
        let checks = (0..watches).map(|_| Mutex::default()).collect();
        let state = Arc::new(State { pages, began: Instant::now(), served: AtomicU64::new(0), checks });
        let harvested = listen("127.0.1.1:0", &state).await?;
        let watched = listen("127.0.1.2:0", &state).await?;
        Ok(Site { harvested, watched, state })
    }

    /// A URL of the site that is harvested.
    pub(super) fn harvested(&self, path: &str) -> String {
        format!("http://{}{path}", self.harvested)
    }

    /// A page that is watched.
    pub(super) fn watched(&self, number: usize) -> String {
        format!("http://{}/watched/{number}", self.watched)
    }

    /// Pages that harvests have fetched.
    pub(super) fn pages_served(&self) -> u64 {
        self.state.served.load(Ordering::Relaxed)
    }

    /// Forgets the pages and checks so far, and counts from here on.
    pub(super) fn start_counting(&self) {
        self.state.served.store(0, Ordering::Relaxed);
        self.state
            .checks
            .iter()
            .for_each(|checks| checks.lock().unwrap_or_else(PoisonError::into_inner).clear());
    }

    /// For each watch: how often it was checked, and the longest time without a check.
    pub(super) fn checks(&self) -> Vec<(usize, Duration)> {
        let of = |checks: &Mutex<Vec<Instant>>| {
            let checks = checks.lock().unwrap_or_else(PoisonError::into_inner);
            let gaps = checks.iter().zip(checks.iter().skip(1)).map(|(one, next)| next.duration_since(*one));
            (checks.len(), gaps.max().unwrap_or_default())
        };
        self.state.checks.iter().map(of).collect()
    }
}

async fn listen(address: &str, state: &Arc<State>) -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr()?;
    let state = Arc::clone(state);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, Arc::clone(&state)));
        }
    });
    Ok(address)
}

async fn answer(stream: TcpStream, state: Arc<State>) -> anyhow::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let path = line.split(' ').nth(1).unwrap_or("/").to_owned();
        while !line.trim().is_empty() {
            line.clear();
            stream.read_line(&mut line).await?;
        }
        let (status, body) = state.page(&path).await;
        let head =
            format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.get_mut().write_all(head.as_bytes()).await?;
        stream.get_mut().write_all(body.as_bytes()).await?;
    }
}

impl State {
    async fn page(&self, path: &str) -> (&'static str, String) {
        if let Some(checks) =
            path.strip_prefix("/watched/").and_then(|number| self.checks.get(number.parse::<usize>().ok()?))
        {
            checks.lock().unwrap_or_else(PoisonError::into_inner).push(Instant::now());
            return ("200 OK", text(path, self.began.elapsed().as_secs() / CHANGES_EVERY.as_secs()));
        }
        let number = match path {
            "/" => 0,
            path => match path.strip_prefix("/page/").and_then(|number| number.parse::<usize>().ok()) {
                Some(number) if number <= self.pages => number,
                _ => return ("404 Not Found", String::new()),
            },
        };
        tokio::time::sleep(ANSWER_AFTER).await;
        self.served.fetch_add(1, Ordering::Relaxed);
        // One page in ten is another one each time.
        let version = if number.is_multiple_of(10) { self.began.elapsed().as_secs() } else { 0 };
        let links = if number == 0 { self.pages } else { 0 };
        let links: String =
            (1..=links).map(|page| format!("<a href='/page/{page}'>page {page}</a>\n")).collect();
        ("200 OK", text(path, version) + &links)
    }
}

/// A page of words that depend on its path and version.
fn text(path: &str, version: u64) -> String {
    let mut page = format!("<!DOCTYPE html><title>{path} {version}</title><p>");
    let mut seed = path.bytes().fold(version, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    for _ in 0..WORDS {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        page.push_str(&format!("{:x} ", seed >> 44));
    }
    page
}
