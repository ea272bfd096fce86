//! How many checks a minute: pages of a server on loopback, which do not change.
//!
//! ```console
//! $ cargo run --release -p watch --example checks -- 5000 10
//! ```

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods)] // It measures.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use archive::Archive;
use testkit::changing::Changing;
use testkit::server::Place;
use watch::{How, Monitor, Outcome, Settings};

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|word| word.parse::<usize>().ok());
    let (pages, rounds) = (numbers.next().unwrap_or(2_000), numbers.next().unwrap_or(5));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(run(pages, rounds));
}

async fn run(pages: usize, rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::create(folder.path()).unwrap();
    let site = Changing::start_at(&Place::forgetful());
    let body = "<p>A layer of sediment, and another one.</p>\n".repeat(100);
    let urls: Vec<String> = (0..pages)
        .map(|number| {
            let path = format!("/{number}");
            site.page(&path, &format!("<title>{number}</title>\n{body}"));
            site.url(&path)
        })
        .collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let seconds = Arc::new(AtomicI64::new(1_794_960_000));
    let turned = Arc::clone(&seconds);
    let now = move || jiff::Timestamp::from_second(turned.load(Ordering::SeqCst)).unwrap();
    let mut settings = Settings::new(fetch::Clock::new(now), testkit::ids::record_ids());
    settings.fetch.allowed = fetch::Allowed::private();
    settings.fetch.pool.per_host = 64;
    (settings.gate.delay_min, settings.gate.factor) = (Duration::ZERO, 0.0);
    (settings.gate.per_host, settings.gate.per_address) = (64, 64);
    let monitor = Monitor::open(&archive, settings).await.unwrap();
    for round in 0..=rounds {
        seconds.fetch_add(3600, Ordering::SeqCst);
        let began = Instant::now();
        let checks = monitor.check_many(&urls, How::default()).await;
        let took = began.elapsed();
        let expect = if round == 0 { Outcome::First } else { Outcome::Unchanged };
        let good = checks.iter().flatten().filter(|check| check.outcome == expect).count();
        let pace = good as f64 / took.as_secs_f64() * 60.0;
        println!("{}: {good} of {pages} in {took:.2?}, {pace:.0} a minute", expect.code());
    }
    let began = Instant::now();
    monitor.commit().await.unwrap();
    println!("committed in {:.2?}", began.elapsed());
}
