//! How fast captures come in: `pack [PAGES] [THREADS] [LEVEL]`. Made-up pages of some 20 kB, each once, packed by threads and appended by one.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, clippy::disallowed_methods)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use archive::{About, Archive, Capture, Intake, Packer};
use fetch::{Digests, Exchange, Kept, Outcome, Times};
use testkit::corpus::{Corpus, Kind};
use warc::{Algorithm, Digest, HttpHead};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>().unwrap());
    let (pages, threads) = (numbers.next().unwrap_or(20_000), numbers.next().unwrap_or(2));
    let level = numbers.next().unwrap_or(6) as u32;
    let bodies: Vec<Vec<u8>> = Corpus::new(1)
        .captures()
        .take(4000)
        .filter(|capture| capture.kind == Kind::Page && (12_000..30_000).contains(&capture.response.len()))
        .filter(|capture| HttpHead::parse(&capture.response).unwrap().0.get("content-encoding").is_none())
        .map(|capture| capture.response)
        .collect();
    let bytes: usize = bodies.iter().map(Vec::len).sum::<usize>() / bodies.len();
    println!(
        "{} different pages, {bytes} bytes each; {pages} in all, {threads} threads, level {level}",
        bodies.len()
    );

    let folder = tempfile::tempdir().unwrap();
    let archive = Archive::create(folder.path()).unwrap();
    let next = AtomicU64::new(0);
    let id =
        move || format!("urn:uuid:00000000-0000-4000-8000-{:012x}", next.fetch_add(1, Ordering::Relaxed));
    let mut about = About::new("2026-11-16T08:00:00Z".parse().unwrap(), Arc::new(id));
    about.gzip_level = level;
    let (packer, mut intake) = archive.begin("bench", &about).unwrap();
    let exchanges: Vec<Exchange> =
        (0..pages).map(|number| exchange(&bodies[number % bodies.len()], number)).collect();

    take_in(&packer, &mut intake, &exchanges, threads);

    let start = (Instant::now(), on_processor());
    let commit = index::Commit { name: "bench".to_owned(), at: about.started, facts: Vec::new() };
    let committed = archive.commit(intake, Vec::new(), commit).unwrap();
    let (time, busy) = (start.0.elapsed(), on_processor() - start.1);
    let sealed: u64 = committed.files.iter().map(|file| file.bytes).sum();
    println!(
        "committed {} captures, {sealed} bytes, in {time:.2?}, {busy:.2?} of them on a processor",
        committed.captures
    );
}

/// Packs on some threads, appends on this one, and tells how long it took.
fn take_in(packer: &Packer, intake: &mut Intake, exchanges: &[Exchange], threads: usize) {
    let start = Instant::now();
    let (sender, receiver) = std::sync::mpsc::sync_channel(64);
    let taken = AtomicU64::new(0);
    let (mut packing, mut appending) = (Duration::ZERO, Duration::ZERO);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (packer, sender, taken) = (packer.clone(), sender.clone(), &taken);
                scope.spawn(move || {
                    let began = on_processor();
                    while let Some(exchange) = exchanges.get(taken.fetch_add(1, Ordering::Relaxed) as usize) {
                        let (mime, via) = ("text/html", Some("http://example.org/"));
                        let capture = Capture { exchange, mime, hops: "LL", via, outlinks: None, dns: None };
                        sender.send(packer.pack(&capture).unwrap()).unwrap();
                    }
                    on_processor() - began
                })
            })
            .collect();
        drop(sender);
        let began = on_processor();
        for (number, packed) in receiver.into_iter().enumerate() {
            intake.append(packed).unwrap();
            if number % 64 == 0 {
                intake.flush().unwrap();
            }
        }
        intake.flush().unwrap();
        appending += on_processor() - began;
        packing = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
    });
    let all = start.elapsed();
    let each = |time: Duration| time.as_secs_f64() * 1e6 / exchanges.len() as f64;
    println!("packing   {:6.1} µs of a processor each", each(packing));
    println!("appending {:6.1} µs of a processor each", each(appending));
    println!("together  {:6.0} a second", exchanges.len() as f64 / all.as_secs_f64());
}

/// A page that no other is equal to, with its payload digested as the fetcher does while it arrives.
fn exchange(response: &[u8], number: usize) -> Exchange {
    let mut response = response.to_vec();
    response.extend_from_slice(format!("<!-- {number} -->").as_bytes());
    let (head, head_bytes) = HttpHead::parse(&response).unwrap();
    let digest = Digest::of(Algorithm::Sha256, &response[head_bytes..]);
    let url: url::Url =
        format!("http://example.org/section-{}/page-{number}.html", number % 97).parse().unwrap();
    Exchange {
        request: format!(
            "GET {} HTTP/1.1\r\nHost: example.org\r\nUser-Agent: varve/0.1 (+https://example.org/bot)\r\n\
             Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n",
            url.path()
        )
        .into(),
        url,
        method: "GET".to_owned(),
        response: Kept::of(response),
        head_bytes: head_bytes as u64,
        head: Some(head),
        is_head_whole: true,
        interims: Vec::new(),
        oddities: Vec::new(),
        peer: Some("192.0.2.1:80".parse().unwrap()),
        by_proxy: false,
        is_reused: true,
        dns: None,
        times: Times {
            start: jiff::Timestamp::from_millisecond(1_794_816_000_000 + number as i64).unwrap(),
            connected: None,
            first_byte: None,
            total: Duration::from_millis(3),
        },
        version: Some(fetch::http1::Version::Http11),
        tls: None,
        redirect: None,
        outcome: Outcome::Complete,
        digests: Digests { payload: vec![digest], ..Digests::default() },
    }
}

/// How long this thread was on a processor; others use the machine as well.
fn on_processor() -> Duration {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(said.split(' ').next().unwrap().parse().unwrap())
}
