//! Pulls one page again and again and tells how often it can: `pull URL --connections 32 --seconds 10 --threads 2`.
//!
//! Every response is kept and its SHA-256 computed, as a crawl does it. One single-threaded runtime a thread, with a fetcher
//! of its own; `cargo xtask bench fetch` compares the rate with that of a load generator that only counts. The last word is
//! the seconds that 100,000 exchanges take.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use fetch::{Allowed, Clock, Fetcher, Request, Settings};
use url::Url;

struct Wish {
    url: Url,
    connections: usize,
    duration: Duration,
    threads: usize,
}

#[derive(Default)]
struct Pulled {
    exchanges: u64,
    failures: u64,
    bytes: u64,
}

fn main() {
    let wish = wish();
    let started = Instant::now();
    let threads: Vec<_> = (0..wish.threads)
        .map(|number| {
            // What does not divide evenly goes to the first threads.
            let further = usize::from(number < wish.connections % wish.threads);
            let (url, duration) = (wish.url.clone(), wish.duration);
            let connections = wish.connections / wish.threads + further;
            std::thread::spawn(move || pull(&url, connections, duration))
        })
        .collect();
    let pulled: Vec<Pulled> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let seconds = started.elapsed().as_secs_f64();
    let sum = |of: fn(&Pulled) -> u64| pulled.iter().map(of).sum::<u64>();
    let (exchanges, bytes) = (sum(|pulled| pulled.exchanges), sum(|pulled| pulled.bytes));
    let failures = sum(|pulled| pulled.failures);
    assert_eq!(failures, 0, "{failures} of {exchanges} exchanges failed");
    let rate = exchanges as f64 / seconds;
    println!(
        "{exchanges} exchanges in {seconds:.2} s, {rate:.0} a second, {:.1} MB/s",
        bytes as f64 / seconds / 1e6
    );
    println!("{:.4}", 100_000.0 / rate);
}

/// So many connections on this thread, each asking as soon as it has its answer.
fn pull(url: &Url, connections: usize, duration: Duration) -> Pulled {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let tasks = tokio::task::LocalSet::new();
    tasks.block_on(&runtime, async {
        let mut settings = Settings::new(Clock::new(jiff::Timestamp::now));
        settings.allowed = Allowed::private();
        settings.pool.per_host = connections;
        let fetcher = Fetcher::new(settings).unwrap();
        let until = Instant::now() + duration;
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..connections {
            let (fetcher, url) = (fetcher.clone(), url.clone());
            tasks.spawn_local(async move {
                let mut pulled = Pulled::default();
                while Instant::now() < until {
                    let exchange = fetcher.fetch(Request::get(url.clone())).await;
                    let is_good = exchange.status() == Some(200) && exchange.digests.payload.len() == 1;
                    pulled.exchanges += 1;
                    pulled.failures += u64::from(!is_good || !exchange.outcome.is_complete());
                    pulled.bytes += exchange.response.len();
                }
                pulled
            });
        }
        let mut all = Pulled::default();
        while let Some(Ok(pulled)) = tasks.join_next().await {
            all.exchanges += pulled.exchanges;
            all.failures += pulled.failures;
            all.bytes += pulled.bytes;
        }
        all
    })
}

fn wish() -> Wish {
    let mut words = std::env::args().skip(1);
    let mut url = None;
    let (mut connections, mut seconds, mut threads) = (32, 10, 2);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse().ok()).expect("a number");
        match word.as_str() {
            "--connections" => connections = number(),
            "--seconds" => seconds = number(),
            "--threads" => threads = number(),
            _ => url = Some(Url::parse(&word).expect("a URL")),
        }
    }
    let url = url.expect("which URL?");
    Wish {
        url,
        connections: connections.max(1),
        duration: Duration::from_secs(seconds as u64),
        threads: threads.max(1),
    }
}
