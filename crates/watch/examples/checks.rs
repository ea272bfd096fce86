//! How many checks a minute, and how much memory: watches of pages on loopback, which do not change.
//!
//! ```console
//! $ cargo run --release -p watch --example checks -- 50000 3
//! ```
//! The numbers are watches and rounds. The server runs in a process of its own, so that the memory is that of watching alone.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)] // It measures.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use archive::Archive;
use testkit::server::{Place, Server, reply};
use watch::{Monitor, Pace, Rounds, Settings, Tempo, Wish};

const HOUR: i64 = 3600;
/// Watches that are added in one step.
const STEP: usize = 5_000;
/// Hosts that they are spread over: names of this machine.
const HOSTS: usize = 200;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "serve") {
        return serve();
    }
    let mut numbers = words.iter().filter_map(|word| word.parse::<usize>().ok());
    let (watches, rounds) = (numbers.next().unwrap_or(5_000), numbers.next().unwrap_or(3));
    let mut server = Command::new(std::env::current_exe().unwrap())
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut port = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(run(port.trim(), watches, rounds));
    drop(server.stdin.take());
    server.wait().unwrap();
}

/// A page of a few kilobytes with a tag, for every path, until nobody wants it any more.
fn serve() {
    let body = "<p>A layer of sediment, and another one.</p>\n".repeat(100);
    let everywhere = Place { ip: [0, 0, 0, 0].into(), ..Place::forgetful() };
    let server = Server::answering(&everywhere, move |wire, request| {
        let tag = format!("\"{}\"", request.path());
        let fields = [("Content-Type", "text/html; charset=utf-8"), ("ETag", tag.as_str())];
        let answer = if request.field("if-none-match") == Some(&tag) {
            format!("HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n").into_bytes()
        } else {
            reply("200 OK", &fields, format!("<title>{}</title>\n{body}", request.path()).as_bytes())
        };
        wire.send(&answer).map(|()| true)
    });
    println!("{}", server.address().port());
    let _ = std::io::stdin().read(&mut [0]);
}

async fn run(port: &str, watches: usize, rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::create(folder.path()).unwrap();
    let seconds = Arc::new(AtomicI64::new(1_794_960_000));
    let turned = Arc::clone(&seconds);
    let now = move || jiff::Timestamp::from_second(turned.load(Ordering::SeqCst)).unwrap();
    let mut settings = Settings::new(fetch::Clock::new(now.clone()), testkit::ids::record_ids());
    settings.fetch.allowed = fetch::Allowed::private();
    settings.fetch.pool.per_host = 4;
    // The peer knows no pauses between requests to one host.
    (settings.gate.delay_min, settings.gate.factor) = (Duration::ZERO, 0.0);
    (settings.gate.per_host, settings.gate.per_address) = (4, 64);
    let monitor = Monitor::open(&archive, settings).await.unwrap();
    let me = monitor.person("me").await.unwrap();
    let wish = Wish { pace: Pace::Every(Duration::from_secs(HOUR as u64)), ..Wish::default() };
    let began = Instant::now();
    let urls: Vec<String> =
        (0..watches).map(|number| format!("http://127.0.0.{}:{port}/{number}", 1 + number % HOSTS)).collect();
    for part in urls.chunks(STEP) {
        let part: Vec<_> = part.iter().map(|url| (url.as_str(), &wish, now())).collect();
        assert!(monitor.add_watches(&me, &part).await.unwrap().iter().all(Result::is_ok));
    }
    drop(urls);
    println!("added: {watches} in {:.2?}", began.elapsed());
    let tempo = Tempo {
        spread_from: u32::MAX,
        commit_every: Duration::from_secs(2 * HOUR as u64),
        ..Tempo::default()
    };
    let mut at_work = Rounds::begin(&monitor, tempo).await.unwrap().unwrap();
    for round in 0..=rounds {
        seconds.fetch_add(HOUR, Ordering::SeqCst);
        let began = Instant::now();
        let made = at_work.once().await.unwrap();
        let took = began.elapsed();
        assert_eq!((made.checks, made.missing, made.failed), (watches as u64, 0, 0), "{made:?}");
        let what = if round == 0 { "first" } else { "unchanged" };
        println!("{what}: {:.0} a minute", made.checks as f64 / took.as_secs_f64() * 60.0);
    }
    let began = Instant::now();
    monitor.commit().await.unwrap();
    println!("committed in {:.2?}", began.elapsed());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in status.lines().filter(|line| line.starts_with("VmHWM") || line.starts_with("VmRSS")) {
        println!("{line}");
    }
}
